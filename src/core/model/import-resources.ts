import { BOM_LINE_FIELDS, ITEM_FIELDS } from './known-fields.js';

/** Static facts about one resource of imports, beyond the service's answers at run time. */
export interface ImportResource {
  readonly name: string;
  /** The release that it came with (interface, section 9). */
  readonly since?: string;
  /** The world of the custom attributes that its mappings name. */
  readonly world: string;
  /** Fields whose cells identify the record; a row without one cannot be processed. */
  readonly keys: readonly string[];
  /** Standard fields that its mappings can name; absent if no source lists them. */
  readonly fields?: readonly string[];
  /** Fields that a created record must have (interface, section 7: "the name is required"). */
  readonly requiredToCreate: readonly string[];
  /** Resources whose records its rows refer to: their imports come first. */
  readonly after: readonly string[];
  /** Keys that a row may omit in some modes: it creates the record that they would name. */
  readonly lacking?: LackedKeys;
  /** Set if rows may bring physical files. */
  readonly files?: FilesOfResource;
  readonly reported: ReportedFields;
  /** The records that its rows are compared with, in a plan and after the commit; absent if none can be read. */
  readonly compared?: RecordType;
  /** Fields of its records besides keys and custom attributes: lost if a record is removed and created again. */
  readonly lost?: readonly string[];
  /** Set if the custom attributes of its world are values of its records. */
  readonly hasAttributes?: true;
  /** Resources whose records go with a deleted record that their `number` names. */
  readonly takesAlong?: readonly RelatedResource[];
  /** Another object that its rows fill. */
  readonly shared?: SharedObject;
  /** Set if rows are lines of a tree of items: cycles among them are refused. */
  readonly isTree?: true;
  /** Modes in which a parent's rows are its complete list: failed rows cannot be sent without the others. */
  readonly wholeIn?: readonly string[];
}

/** The types of records that can be read to compare rows. */
export type RecordType = 'items' | 'BOM lines' | 'sourcing' | 'files of items' | 'files';

/** Resources whose records belong to an item. */
export type RelatedResource = 'ITEM_BOM' | 'ITEM_FILES' | 'ITEM_SOURCING';

/** An object that several records may have in common; rows of each of them change it for all. */
export interface SharedObject {
  /** The keys of the record that name the object. */
  readonly keys: readonly string[];
  /** Fields of the record itself, in lower case; all others except keys belong to the object. */
  readonly ownOfRecord: RegExp;
}

/** Keys that a row may omit to create a new record. */
export interface LackedKeys {
  readonly keys: readonly string[];
  readonly modes: readonly string[];
  /** The lower-case prefix of fields that only such rows fill: next to a key, these fields are ignored. */
  readonly fields: string;
}

/** The fields by which rows name physical files (wire-facts 4, `fileContent`). */
export interface FilesOfResource {
  /** The field with the name of the entry. */
  readonly name: string;
  /** If one of these is filled, the row names a file of the service, and none is sent. */
  readonly unless: readonly string[];
  /** The field of the storage method; only FILE, the default if empty, has content. */
  readonly storage: string;
  readonly modes: readonly string[];
}

/**
 * The cells by which the error report names a row (wire-facts 0): the apiName of their field, or the attribute's own
 * name if there is no mapping.
 */
export interface ReportedFields {
  /** The fields whose cell is the report's `Number`. */
  readonly number: readonly string[];
  /** The fields that are the record's key together with `number`; none if that is the whole key. */
  readonly other: readonly string[];
  /** The one to show if a message does not name a cell: a parent has many lines, so the child says more. */
  readonly shown: 'number' | 'other';
}

/** The fields of a BOM line besides its two items (wire-facts 3, "BOM line"). */
const LINE_FIELDS = ['lineNumber', 'quantity', 'refDes', 'notes'];

/** Fields of a sourcing relationship itself, in lower case; others belong to its supplier item (wire-facts 8.4). */
const OWN_OF_SOURCING =
  /^((supplier|approvalstatus|item)\..*|number|guid|priority|notes|approved|amlrank|amlsplit|makeitem|activeproduction|activeprototype|vendoritemconversionfactor)$/;

/** The fields of an item that an import can create it with (wire-facts 3, "Item object"); it is released otherwise. */
const LOST_OF_ITEM = [
  ...[
    'number',
    'name',
    'description',
    'category.path',
    'lifecyclePhase.name',
    'owner.fullName',
    'uom',
    'procurementType',
  ],
  ...['standardCost', 'targetCost', 'prototypeCost', 'productionCost', 'targetPrice', 'shared', 'offTheShelf'],
];

/** The fields of a file that an import can create it with, without content (wire-facts 8.3). */
const LOST_OF_FILE = [
  ...['number', 'title', 'category.path', 'author', 'edition', 'format', 'location', 'storageMethodName'],
  ...['description', 'private'],
];

const CREATING = ['CREATE', 'OVERWRITE', 'REPLACE'];

const OF_ITEM: ReportedFields = { number: ['number', 'item number', 'item.number'], other: [], shown: 'number' };

/**
 * All import resources (wire-facts 4, key attributes and ITEM_FILES semantics). The fields of all but ITEM_SPECS are
 * INFERRED: `number` names the record that the row belongs to, as the error report's column does, and the object at its
 * other end has a dotted name: `item.number` as the line object calls the child `item`, `file.number`, `supplier.name`
 * with `supplierItem.number`. FILE_SUMMARY is about files, so its `number` is that of the file.
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
    lost: LOST_OF_ITEM,
    hasAttributes: true,
    takesAlong: ['ITEM_BOM', 'ITEM_FILES', 'ITEM_SOURCING'],
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
    hasAttributes: true,
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
    lost: LOST_OF_FILE,
    hasAttributes: true,
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

/** Finds a resource by name; the service ignores letter case. Rows of an unknown resource are left to the service. */
export const resourceNamed = (name: string): ImportResource =>
  IMPORT_RESOURCES.find((one) => one.name === name.toUpperCase()) ?? {
    ...{ name, world: name, keys: [], requiredToCreate: [], after: [], reported: OF_ITEM },
  };

/** Whether an import of `resource` waits for one of `other`. */
export const comesAfter = (resource: string, other: string): boolean =>
  resourceNamed(resource).after.includes(other.toUpperCase());

/** The shared object that a lower-case field belongs to; undefined if that is the record itself. */
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
 * Whether failed rows can be sent without the others. In mode REPLACE, BOM lines or files of an item are the complete
 * list of their parent (wire-facts, section 4): a file of failed rows alone would remove committed ones.
 */
export const canBeSentAlone = ({ resource, mode }: { readonly resource: string; readonly mode: string }): boolean =>
  resourceNamed(resource).wholeIn?.includes(mode.toUpperCase()) !== true;
