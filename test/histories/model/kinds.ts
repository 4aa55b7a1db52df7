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
      options: { initial: MAPPING[0] as Json, values: MAPPING, required: true },
    },
    update: ['name', 'description'],
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
  | 'ImportDefinition';

export const KIND_NAMES = Object.keys(KINDS) as readonly KindName[];

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
