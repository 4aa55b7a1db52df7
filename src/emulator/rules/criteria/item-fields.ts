import { lifecyclePhases } from '../../families/lifecycle-phases.js';
import { type User, users } from '../../families/users.js';
import { selectRecords } from '../../family/records.js';
import type { Database } from '../../store/database.js';
import type { PlacedItem } from '../../store/item-pages.js';
import {
  type Attribute,
  CATEGORY_ROOTS,
  type Category,
  categoryList,
  readAttributes,
  type World,
} from '../../store/item-settings.js';
import type { FieldValue } from '../../store/items.js';
import { selectAll } from '../../store/select.js';
import { standardFields } from '../standard-fields.js';

/** How the values of a field are compared. */
export type FieldKind = 'text' | 'number' | 'date' | 'flag' | 'choice' | 'guid' | 'any';

/** A field of an item: a column of exports, and an operand of criteria and conditions. */
export interface ItemField {
  /** The GUID of a custom attribute. */
  readonly apiName: string;
  readonly name: string;
  readonly kind: FieldKind;
  readonly custom: boolean;
  /** Whether an edit can change it. */
  readonly editable: boolean;
  readonly read: (item: PlacedItem) => FieldValue | null;
}

/** The objects that have the GUIDs in items. */
export interface Names {
  readonly categories: ReadonlyMap<string, Category>;
  readonly phases: ReadonlyMap<string, { readonly name: string }>;
  readonly users: ReadonlyMap<string, User>;
  readonly attributes: readonly Attribute[];
}

type Reader = (item: PlacedItem, names: Names) => FieldValue | null | undefined;

const KINDS: Readonly<Record<string, FieldKind>> = {
  NUMBER: 'number',
  POSITIVE_DOUBLE: 'number',
  COST: 'number',
  DATE: 'date',
  DATETIME: 'date',
  BOOLEAN: 'flag',
  DROP_DOWN: 'choice',
  FIXED_DROP_DOWN: 'choice',
};

/** The standard fields that are not simply stored under their name. */
const READERS: Readonly<Record<string, Reader>> = {
  guid: (item) => item.guid,
  number: (item) => item.number,
  name: (item) => item.name,
  description: (item) => item.description,
  'category.guid': (item) => item.category,
  'category.name': (item, { categories }) => categories.get(item.category)?.name,
  'category.path': (item, { categories }) => categories.get(item.category)?.path,
  'lifecyclePhase.guid': (item) => item.phase,
  'lifecyclePhase.name': (item, { phases }) => phases.get(item.phase)?.name,
  'owner.fullName': (item, { users }) => users.get(item.owner)?.fullName,
  shared: (item) => item.fields.shared === true,
};

/** The fields that the service itself sets (wire-facts 3, "Item object"). This workspace has no revisions. */
const OWN_FIELDS: readonly (Omit<ItemField, 'read' | 'custom' | 'editable'> & { readonly read: Reader })[] = [
  { apiName: 'creator.guid', name: 'Creator GUID', kind: 'guid', read: (item) => item.creator },
  {
    apiName: 'creator.fullName',
    name: 'Creator',
    kind: 'text',
    read: (item, { users }) => users.get(item.creator)?.fullName,
  },
  {
    apiName: 'creator.email',
    name: 'Creator Email',
    kind: 'text',
    read: (item, { users }) => users.get(item.creator)?.email,
  },
  { apiName: 'creationDateTime', name: 'Creation Date', kind: 'date', read: (item) => item.created },
  { apiName: 'lastModifiedDateTime', name: 'Last Modified Date', kind: 'date', read: (item) => item.modified },
  { apiName: 'isAssembly', name: 'Is Assembly', kind: 'flag', read: (item) => item.isAssembly },
  { apiName: 'inAssembly', name: 'In Assembly', kind: 'flag', read: (item) => item.inAssembly },
  { apiName: 'assemblyType', name: 'Assembly Type', kind: 'choice', read: assemblyTypeOf },
  { apiName: 'revisionNumber', name: 'Revision', kind: 'text', read: () => null },
  { apiName: 'revisionStatus', name: 'Revision Status', kind: 'choice', read: () => 'WORKING' },
];

/** Reads the current names, once for all items to come; attributes are the custom ones of items. */
export function loadNames(settings: Database): Names {
  const byGuid = <T extends { readonly guid: string }>(objects: readonly T[]) =>
    new Map(objects.map((object) => [object.guid, object] as const));
  return {
    categories: byGuid(selectAll(settings, categoryList)),
    phases: byGuid(selectRecords(settings, lifecyclePhases)),
    users: byGuid(selectRecords(settings, users)),
    attributes: readAttributes(settings, 'ITEMS').filter((attribute) => attribute.custom),
  };
}

/** Returns the standard fields of items, then those that the service sets, then the custom attributes. */
export function itemFields(names: Names): ItemField[] {
  const standard = standardFields('ITEMS').map(({ apiName, name, fieldType }): ItemField => {
    const read: Reader = READERS[apiName] ?? ((item) => item.fields[apiName]);
    const kind = apiName.endsWith('guid') ? 'guid' : (KINDS[fieldType] ?? 'text');
    const editable = apiName !== 'guid';
    return { apiName, name, kind, custom: false, editable, read: (item) => read(item, names) ?? null };
  });
  const own = OWN_FIELDS.map(({ read, ...field }): ItemField => {
    return { ...field, custom: false, editable: false, read: (item) => read(item, names) ?? null };
  });
  const custom = names.attributes.map(({ guid, name, fieldType }): ItemField => {
    const kind = KINDS[fieldType] ?? 'text';
    return { apiName: guid, name, kind, custom: true, editable: true, read: (item) => item.additional[guid] ?? null };
  });
  return [...standard, ...own, ...custom];
}

/** All texts of an item, which criteria search with CONTAINS (wire-facts 3, "attributes"). */
export function anyText(fields: readonly ItemField[]): ItemField {
  const texts = fields.filter(({ kind }) => kind === 'text' || kind === 'choice');
  const read = (item: PlacedItem) => texts.flatMap((field) => field.read(item) ?? []).map(String);
  return { apiName: 'any', name: 'Any', kind: 'any', custom: false, editable: false, read };
}

/** The fields of an object's category, in worlds with categories. */
const CATEGORY_FIELDS = ['category.guid', 'category.name', 'category.path'];

/**
 * Returns the fields of a world. Only fields of items can be read here; those of other worlds serve to check the names
 * in a request.
 */
export function fieldsOfWorld(settings: Database, world: World): ItemField[] {
  if (world === 'ITEMS') return itemFields(loadNames(settings));
  const unread = { editable: true, read: () => null };
  const categories = world in CATEGORY_ROOTS ? CATEGORY_FIELDS : [];
  const custom = readAttributes(settings, world).filter((attribute) => attribute.custom);
  return [
    ...standardFields(world).map(({ apiName, name, fieldType }): ItemField => {
      return { ...unread, apiName, name, kind: KINDS[fieldType] ?? 'text', custom: false };
    }),
    ...categories.map((apiName): ItemField => {
      return { ...unread, apiName, name: apiName, kind: apiName.endsWith('guid') ? 'guid' : 'text', custom: false };
    }),
    ...custom.map(({ guid, name, fieldType }): ItemField => {
      return { ...unread, apiName: guid, name, kind: KINDS[fieldType] ?? 'text', custom: true };
    }),
  ];
}

/** Fields by the names that requests use, in lower case. */
export type FieldsByName = ReadonlyMap<string, ItemField>;

/** Indexes fields by apiName in lower case, since the letter case of requests is ignored. */
export function byApiName(fields: readonly ItemField[]): FieldsByName {
  return new Map(fields.map((field) => [field.apiName.toLowerCase(), field]));
}

function assemblyTypeOf({ isAssembly, inAssembly }: PlacedItem): string {
  if (!isAssembly) return 'NOT_AN_ASSEMBLY';
  return inAssembly ? 'ASSEMBLY' : 'TOP_LEVEL_ASSEMBLY';
}
