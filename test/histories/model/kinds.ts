/** A value as manifests and answers have it. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

export type Fields = Readonly<Record<string, Json>>;

export type Dialect = 'reference' | 'arena';

/** A field of a kind: what a new object has in it, and what people and manifests put there. */
export interface FieldModel {
  readonly initial: Json;
  readonly values: readonly Json[];
  /** A manifest cannot leave it out. */
  readonly required?: true;
  /** A set of names of objects of that kind, or of users. */
  readonly refersTo?: KindName | 'User';
  /** How requests and answers have it, where that is not how manifests do. */
  readonly wire?: WireForm;
}

interface WireForm {
  readonly send: (asked: Json) => Json;
  readonly read: (answered: Json) => Json;
}

/** What the interface says of a kind (interface, sections 2 to 6; wire-facts, section 0). */
export interface KindModel {
  readonly names: 'unique' | 'free';
  readonly fields: Readonly<Record<string, FieldModel>>;
  /** Fields that an update changes, `name` among them where it does. */
  readonly update: readonly string[];
  readonly delete: 'yes' | 'no';
  /** Fields that only a request for each object shows. */
  readonly children: readonly string[];
  /** What the dialect `arena` lets a client do: the same, read only, or nothing at all. */
  readonly arena: 'same' | 'read' | 'none';
}

export const USERS = ['ann@example.com', 'ben@example.com', 'cleo@example.com'] as const;

const TEXTS = ['', 'One', 'Two', 'Grün & "three"'] as const;
const text: FieldModel = { initial: '', values: TEXTS };
const flag: FieldModel = { initial: true, values: [true, false] };
const users: FieldModel = {
  initial: [],
  values: [[], [USERS[0]], [USERS[2]], [USERS[1], USERS[0]], [...USERS]],
  refersTo: 'User',
};

const MAPPING = ['Number', 'Part Number'].map((sourceName) => ({
  mapping: [
    { resource: 'ITEM_SPECS', apiName: 'number', sourceName },
    { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
  ],
}));

/** The service adds more to a mapping than manifests say. */
const mapped: WireForm = {
  send: (asked) => asked,
  read: (answered) => ({
    mapping: ((answered as Fields).mapping as readonly Record<string, Json>[]).map(
      ({ resource = null, apiName = null, sourceName = null }) => ({ resource, apiName, sourceName }),
    ),
  }),
};

/** One group of comparisons: a word stands between them, and their field has another name. */
const grouped: WireForm = {
  send: (asked) =>
    asked && [
      groupIn(asked).flatMap(({ apiName = null, ...rest }, index) => [
        ...(index === 0 ? [] : ['AND']),
        { attribute: apiName, ...rest },
      ]),
    ],
  read: (answered) =>
    answered && [
      groupIn(answered).flatMap(({ attribute = null, ...rest }, index) =>
        index % 2 === 0 ? [{ apiName: attribute, ...rest }] : [],
      ),
    ],
};

const groupIn = (groups: Json): readonly Fields[] => (groups as readonly (readonly Fields[])[])[0] ?? [];

const byNumber = { apiName: 'number', operator: 'STARTS_WITH', value: 'P' };

const EXPORT_OPTIONS = {
  exportViews: ['SPECS'],
  bomLevels: 'NONE',
  fileContent: { item: 'NONE', supplierItem: 'NONE' },
  header: 'apiName',
  revisionStatus: 'LATEST',
  format: 'csv',
};

const KINDS = {
  UserGroup: {
    names: 'unique',
    fields: {
      description: text,
      enabled: flag,
      assignability: { initial: [], values: [[], ['CHANGES'], ['QUALITY', 'CHANGES']] },
      members: users,
    },
    update: ['name', 'description', 'enabled', 'assignability', 'members'],
    delete: 'yes',
    children: ['members'],
    arena: 'same',
  },
  Policy: {
    names: 'unique',
    fields: {
      description: text,
      enabled: flag,
      userGroups: { initial: [], values: [], refersTo: 'UserGroup' },
      rules: {
        initial: [],
        values: [
          [],
          [{ resource: 'CHANGE', actions: ['READ'] }],
          [
            { resource: 'ITEM', actions: ['EDIT', 'READ'] },
            { resource: 'CHANGE', actions: ['READ'] },
          ],
        ],
      },
    },
    update: ['name', 'description', 'enabled', 'userGroups', 'rules'],
    delete: 'yes',
    children: [],
    arena: 'none',
  },
  Trigger: {
    names: 'unique',
    fields: {
      description: text,
      resource: { initial: 'ITEM', values: ['ITEM', 'CHANGE'], required: true },
      action: { initial: 'EDIT', values: ['EDIT', 'CREATE'], required: true },
    },
    update: ['name', 'description', 'resource', 'action'],
    delete: 'yes',
    children: [],
    arena: 'read',
  },
  OutboundIntegration: {
    names: 'free',
    fields: {
      enabled: flag,
      triggers: { initial: [], values: [], refersTo: 'Trigger' },
      administrators: users,
    },
    update: ['name', 'enabled', 'triggers', 'administrators'],
    delete: 'yes',
    children: ['triggers', 'administrators'],
    arena: 'read',
  },
  ExtractDefinition: {
    names: 'unique',
    fields: { enabled: flag, type: { initial: 'FULL', values: ['FULL', 'FULL_AND_DELTA'] } },
    update: ['name', 'enabled', 'type'],
    delete: 'no',
    children: [],
    arena: 'read',
  },
  ImportDefinition: {
    names: 'free',
    fields: {
      description: text,
      resource: { initial: 'ITEM_SPECS', values: ['ITEM_SPECS'], required: true },
      mode: { initial: 'OVERWRITE', values: ['OVERWRITE', 'CREATE'], required: true },
      options: { initial: MAPPING[0] as Json, values: MAPPING, required: true, wire: mapped },
    },
    update: ['name', 'description'],
    delete: 'no',
    children: [],
    arena: 'same',
  },
  ExportDefinition: {
    names: 'free',
    fields: {
      description: text,
      world: { initial: 'ITEMS', values: ['ITEMS'] },
      options: {
        initial: EXPORT_OPTIONS,
        values: [
          EXPORT_OPTIONS,
          { exportViews: ['SPECS', 'BOM'], bomLevels: 'FULL' },
          { exportViews: ['FILES', 'SPECS'], fileContent: { item: 'PRIMARY' }, header: 'name' },
          { bomLevels: 'SINGLE', revisionStatus: 'WORKING', format: 'json' },
          { fileContent: { supplierItem: 'ALL' }, revisionStatus: 'POTENTIAL' },
        ],
      },
      criteria: {
        initial: null,
        values: [[[byNumber]], [[byNumber, { apiName: 'name', operator: 'IS_EQUAL_TO', value: 'One' }]]],
        wire: grouped,
      },
    },
    update: [],
    delete: 'no',
    children: [],
    arena: 'same',
  },
} as const satisfies Readonly<Record<string, KindModel>>;

export type KindName =
  | 'UserGroup'
  | 'Policy'
  | 'Trigger'
  | 'OutboundIntegration'
  | 'ExtractDefinition'
  | 'ImportDefinition'
  | 'ExportDefinition';

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

/** Names that people give. */
export const NAMES = ['Alpha', 'Beta', 'Größe & "co"', 'a/b c', 'Echo #2'] as const;

export const kindModel = (kind: KindName): KindModel => KINDS[kind];

/** What a client may do with a kind in a dialect. */
export function canDo(
  kind: KindName,
  dialect: Dialect,
): Pick<KindModel, 'update' | 'delete'> & { readonly create: 'yes' | 'no' } {
  const model = kindModel(kind);
  if (dialect === 'reference' || model.arena === 'same')
    return { update: model.update, delete: model.delete, create: 'yes' };
  return { update: [], delete: 'no', create: 'no' };
}

/** Whether a client sees the objects of a kind in a dialect. */
export const isListed = (kind: KindName, dialect: Dialect): boolean =>
  dialect === 'reference' || kindModel(kind).arena !== 'none';

/** A new object's fields where nobody says anything. */
export const initialFields = (kind: KindName): Fields =>
  Object.fromEntries(Object.entries(kindModel(kind).fields).map(([field, { initial }]) => [field, initial]));

const isNested = (value: Json | undefined): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** Whether a value is as is asked: what is left out of a nested one may be anything. */
export const meets = (asked: Json | undefined, is: Json | undefined): boolean =>
  isNested(asked) && isNested(is)
    ? Object.entries(asked).every(([key, value]) => meets(value, is[key]))
    : sameValue(asked, is);

/** Fields with what is asked for put into them, into nested ones too. */
export const put = (asked: Fields, into: Fields): Fields => ({
  ...into,
  ...mapFields(asked, (value, key) => putValue(value, into[key])),
});

const putValue = (asked: Json, into: Json | undefined): Json =>
  isNested(asked) && isNested(into) ? put(asked, into) : asked;

/** What a value says of the fields that a nested one names. */
export const within = (asked: Json | undefined, is: Json): Json =>
  isNested(asked) && isNested(is) ? mapFields(asked, (value, key) => within(value, is[key] ?? null)) : is;

/** What fields have that others do not. */
export const beyond = (common: Fields, is: Fields): Fields =>
  Object.fromEntries(
    Object.entries(is).flatMap(([key, value]) => {
      const other = common[key];
      if (sameValue(other, value)) return [];
      return [[key, isNested(value) && isNested(other) ? beyond(other, value) : value]];
    }),
  );

const mapFields = (fields: Fields, to: (value: Json, key: string) => Json): Fields =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [key, to(value, key)]));

/** Lists are sets wherever this model has one; rules are a list by resource, whose actions are a set. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  return JSON.stringify(inOrder(a ?? null)) === JSON.stringify(inOrder(b ?? null));
}

function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (value === null || typeof value !== 'object') return value === '' ? null : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, inOrder(inner)]),
  );
}
