import { BOM_LINE_FIELDS, ITEM_FIELDS } from './known-fields.js';

/** What dexsync knows of one resource of imports, beyond what the service says at run time. */
export interface ImportResource {
  readonly name: string;
  /** The release that it came with (interface, section 9). */
  readonly since?: string;
  /** The world of the custom attributes that its mappings name. */
  readonly world: string;
  /** Fields whose cells identify the record; a row without one cannot be processed. */
  readonly keys: readonly string[];
  /** Standard fields that its mappings can name; absent where no source lists them. */
  readonly fields?: readonly string[];
  /** Fields that a created record must have (interface, section 7: "the name is required"). */
  readonly requiredToCreate: readonly string[];
  /** Resources whose records its rows refer to: their imports come first. */
  readonly after: readonly string[];
  /** Keys that a row may lack in these modes: it makes the record that they would name. */
  readonly lacking?: LackedKeys;
  /** Set where rows may bring physical files. */
  readonly files?: FilesOfResource;
  readonly reported: ReportedFields;
  /** Which records its rows are compared with, in a plan and after the commit; absent where none can be read. */
  readonly compared?: RecordType;
  /** Fields of its records beside their keys, custom attributes aside: lost where a record is taken away and made anew. */
  readonly lost?: readonly string[];
  /** A further object that its rows fill. */
  readonly shared?: SharedObject;
  /** Rows are lines of a tree of items: a circle among them is refused. */
  readonly isTree?: true;
  /** Modes in which the rows of a parent are all that it is to have: failed ones cannot be sent without the good ones. */
  readonly wholeIn?: readonly string[];
}

/** What can be read of the workspace for rows. */
export type RecordType = 'items' | 'BOM lines' | 'sourcing' | 'files of items' | 'files';

/** An object that several records may have in common; rows of each of them change it for all. */
export interface SharedObject {
  /** What names it, of the keys of the record. */
  readonly keys: readonly string[];
  /** Fields of the record alone, in lower case; all others but keys are those of the object. */
  readonly ownOfRecord: RegExp;
}

/** Keys without which a row makes a record of its own. */
export interface LackedKeys {
  readonly keys: readonly string[];
  readonly modes: readonly string[];
  /** Only such rows fill the fields that begin with this, in lower case: beside a key they are not read. */
  readonly fields: string;
}

/** How rows name physical files (wire-facts 4, `fileContent`). */
export interface FilesOfResource {
  /** The field that holds the name of the entry. */
  readonly name: string;
  /** Where one of these is filled, the row names a file of the service, and none is sent. */
  readonly unless: readonly string[];
  /** The field of the storage method; only FILE, which it is when empty, has content. */
  readonly storage: string;
  readonly modes: readonly string[];
}

/**
 * Which cells the error report names a row by (wire-facts 0): the apiName of their field, or the attribute's own name where
 * there is no mapping.
 */
export interface ReportedFields {
  /** What stands in the report's `Number`. */
  readonly number: readonly string[];
  /** Together with it, the key of the record; none where that is the key alone. */
  readonly other: readonly string[];
  /** Which of the two to show where a message names no cell: a parent has many lines, so the child says more. */
  readonly shown: 'number' | 'other';
}

/** What a BOM line has beside its two items (wire-facts 3, "BOM line"). */
const LINE_FIELDS = ['lineNumber', 'quantity', 'refDes', 'notes'];

/** Fields of a sourcing relationship by itself, in lower case; what it calls otherwise is its supplier item's (wire-facts 8.4). */
const OWN_OF_SOURCING =
  /^((supplier|approvalstatus|item)\..*|number|guid|priority|notes|approved|amlrank|amlsplit|makeitem|activeproduction|activeprototype|vendoritemconversionfactor)$/;

const CREATING = ['CREATE', 'OVERWRITE', 'REPLACE'];

const OF_ITEM: ReportedFields = { number: ['number', 'item number', 'item.number'], other: [], shown: 'number' };

/**
 * Every resource, in one place (wire-facts 4, key attributes and ITEM_FILES semantics). The fields of all but ITEM_SPECS are
 * INFERRED: `number` names the record that the row belongs to, as the error report's column does, and what is at its other
 * end has a name with a dot: `item.number` as the line object calls the child `item`, `file.number`, `supplier.name` with
 * `supplierItem.number`. FILE_SUMMARY is about files, so its `number` is that of the file.
 */
export const IMPORT_RESOURCES: readonly ImportResource[] = [
  {
    name: 'ITEM_SPECS',
    world: 'ITEMS',
    keys: ['number'],
    fields: ITEM_FIELDS,
    requiredToCreate: ['name'],
    after: [],
    reported: OF_ITEM,
    compared: 'items',
  },
  {
    name: 'ITEM_BOM',
    world: 'BOM',
    keys: ['number', 'item.number'],
    fields: BOM_LINE_FIELDS,
    requiredToCreate: [],
    after: ['ITEM_SPECS'],
    reported: { number: ['number', 'parent item number'], other: ['item.number', 'item number'], shown: 'other' },
    compared: 'BOM lines',
    lost: LINE_FIELDS,
    isTree: true,
    wholeIn: ['REPLACE'],
  },
  {
    name: 'ITEM_FILES',
    since: '2023-12',
    world: 'FILES',
    keys: ['number', 'file.number'],
    requiredToCreate: [],
    after: ['ITEM_SPECS', 'FILE_SUMMARY'],
    lacking: { keys: ['file.number'], modes: CREATING, fields: 'file.' },
    compared: 'files of items',
    lost: ['primary', 'latestEditionAssociation'],
    wholeIn: ['REPLACE'],
    files: {
      name: 'file.name',
      unless: ['file.number', 'file.guid'],
      storage: 'file.storageMethodName',
      modes: CREATING,
    },
    reported: {
      number: ['file.number', 'file number'],
      other: ['number', 'item number', 'item.number'],
      shown: 'number',
    },
  },
  {
    name: 'FILE_SUMMARY',
    since: '2023-12',
    world: 'FILES',
    keys: ['number'],
    requiredToCreate: ['title'],
    after: [],
    compared: 'files',
    files: { name: 'name', unless: [], storage: 'storageMethodName', modes: ['CREATE', 'EDIT', 'OVERWRITE'] },
    reported: { number: ['number', 'file number', 'file.number'], other: [], shown: 'number' },
  },
  {
    name: 'ITEM_SOURCING',
    since: '2025.3',
    world: 'SUPPLIER_ITEMS',
    keys: ['number', 'supplier.name', 'supplierItem.number'],
    requiredToCreate: [],
    after: ['ITEM_SPECS'],
    compared: 'sourcing',
    lost: ['approvalStatus.name', 'priority', 'notes'],
    shared: { keys: ['supplier.name', 'supplierItem.number'], ownOfRecord: OWN_OF_SOURCING },
    reported: OF_ITEM,
  },
];

/** Letter case has no meaning to the service. Of a resource that dexsync does not know, the service decides about the rows. */
export const resourceNamed = (name: string): ImportResource =>
  IMPORT_RESOURCES.find((one) => one.name === name.toUpperCase()) ?? {
    ...{ name, world: name, keys: [], requiredToCreate: [], after: [], reported: OF_ITEM },
  };

/** Whether an import of `resource` waits for one of `other`. */
export const comesAfter = (resource: string, other: string): boolean =>
  resourceNamed(resource).after.includes(other.toUpperCase());

/** The object that a field belongs to, in lower case, where that is not the record itself. */
export const sharedIn = ({ shared, keys }: ImportResource, field: string): SharedObject | undefined =>
  shared === undefined || shared.ownOfRecord.test(field) || keys.some((key) => key.toLowerCase() === field)
    ? undefined
    : shared;

/** The keys that every row of a definition must have. */
export function keysNeeded({ keys, lacking }: ImportResource, mode: string): readonly string[] {
  if (lacking === undefined || !lacking.modes.includes(mode.toUpperCase())) return keys;
  return keys.filter((key) => !lacking.keys.includes(key));
}

/**
 * Whether failed rows can be sent without the good ones. Under REPLACE the lines of a BOM, or the files of an item, are all that
 * their parent is to have (wire-facts, section 4): a file of the failed ones alone would remove those that were committed.
 */
export const canBeSentAlone = ({ resource, mode }: { readonly resource: string; readonly mode: string }): boolean =>
  resourceNamed(resource).wholeIn?.includes(mode.toUpperCase()) !== true;
