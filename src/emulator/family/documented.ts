import { type Endpoint, endpointAt } from '../interface/endpoints.js';
import type { Shape } from '../interface/shape.js';
import type { Comparison, Searchable } from '../rules/search.js';
import { ServiceError } from '../rules/service-error.js';
import type { Columns } from '../store/search.js';
import { isCategoryWorld, type World } from '../store/item-settings.js';
import { categoryField } from '../families/category-field.js';
import { givenAttributes, searchableAttributes } from './attribute-values.js';
import { link } from './derived-fields.js';
import { type Description, type Family, family, type Verb } from './family.js';
import type { FieldFactory, Fields, RecordOf, StoredRecord, WriteRequest } from './field.js';
import { bodyNames, type GivenKeys, givenKeys, givenSchema, keptValue } from './kept-value.js';
import { collectionOf, linkedField, linkedFields, namesOf, ownerShown } from './linked-field.js';
import { ownerField } from './owner-field.js';
import { partsField } from './parts-field.js';
import { familyAt } from './registry.js';
import type { Relation } from './relation.js';
import { creationTime, creator, modificationTime, modifier } from './stamp-fields.js';
import { ruledValues } from './value-fields.js';

/** What the description of the interface says about a family. */
type Described = 'path' | 'fields' | 'search' | 'endpoints' | 'paged' | 'table';

/** Plain values by the names of their fields. */
type Values = Readonly<Record<string, unknown>>;

/** A record of a documented family; `ownerGuid` is that of what it belongs to, if it belongs to anything. */
type Kept<F extends Fields> = RecordOf<F> & StoredRecord & { readonly fields: Values; readonly ownerGuid: string };

/** What the description of the interface cannot say about a collection. */
type Meaning<F extends Fields> = Omit<Description<F>, Described | 'begin' | 'check' | 'refuseDelete' | 'after'> & {
  /** The values of a new record that no request gives, or that one may leave out. */
  begin?(given: Values, writing: WriteRequest): Values;
  check?(record: Kept<F>, writing: WriteRequest): Kept<F>;
  refuseDelete?(record: Kept<F>): void;
  after?(record: Kept<F>, writing: WriteRequest): void;
  readonly table?: string;
  /** The fields with rules of their own, by name, and those that no answer shows. */
  readonly fields?: F;
  /** The world of its custom attributes. */
  readonly world?: World;
  /** How answers show values that differ from the stored ones, by field. */
  readonly shows?: Readonly<Record<string, (value: unknown, record: Kept<Fields>) => unknown>>;
  /** The field whose value only one entry of an owner may have, and the code of the refusal of another (wire-facts 8). */
  readonly once?: readonly [field: string, code: number];
  /** The collections that its fields refer to, where their names do not say so. */
  readonly links?: Readonly<Record<string, string>>;
  /** The fields that show the entries of another family that belong to a record, and whose bodies replace those. */
  readonly parts?: Readonly<Record<string, () => Family>>;
};

/** The names of the GUIDs in a path, from the outside in. */
export const PARAMETERS = ['guid', 'member', 'entry'] as const;

/** The columns of all documented families: plain values by name. */
const COLUMNS = { fields: ruledValues() as FieldFactory<Values> };

/**
 * Builds a family from the published description of a path, such as `/suppliers`: its operations, searches, answers and
 * bodies. A field that `meaning` does not define is stored and shown as it is given, unless its name says what it is.
 */
export function documented<F extends Fields>(
  path: string,
  { fields: own = {} as F, world, parts = {}, links = {}, shows = {}, once, begin, after, ...meaning }: Meaning<F>,
): Family<RecordOf<F & typeof COLUMNS>> {
  const endpoints = endpointsOf(path);
  const { list, get, create, update } = endpoints;
  const searched = list?.parameters ?? [];
  const shapes = [get?.answer, list?.answer?.keys?.get('results')?.shape.items, create?.answer, update?.answer];
  const keys = new Map(shapes.flatMap((shape) => [...(shape?.keys ?? [])]).reverse());
  const inferred = [...keys].map(([name, { shape }]): [string, FieldFactory] => {
    const given = [givenKeys(create, name), givenKeys(update, name)].find((one) => one.keys.length > 0);
    const of = parts[name];
    if (of !== undefined) return [name, partsField(of, given)];
    const field = own[name] ?? inferField(name, shape, { path, world, given, links, searched });
    return [name, shownBy(field, shows[name])];
  });
  const { guid: _, ...shown } = Object.fromEntries(inferred);
  const bodies = [create, update].flatMap((endpoint) => {
    const unshown = bodyNames(endpoint).filter((name) => shown[name] === undefined && own[name] === undefined);
    return unshown.map((name) => [name, givenSchema(name, givenKeys(endpoint, name))] as const);
  });
  const { owner } = meaning;
  const fields = {
    ...(owner === undefined ? {} : { ...ownersShown(owner), ownerGuid: ownerField(owner) }),
    ...shown,
    ...own,
    ...COLUMNS,
    ...(world === undefined ? {} : { additional: ruledValues() }),
  } as unknown as F & typeof COLUMNS;
  const { table = path.replaceAll('{guid}/', '').slice(1).replaceAll('/', '_') } = meaning;
  return family({
    clearable: [],
    ...(meaning as Omit<Description<F & typeof COLUMNS>, Described>),
    table,
    path: PARAMETERS.reduce((found, name) => found.replace('{guid}', `:${name}`), path),
    ...(list?.paged ? { paged: true as const } : {}),
    begin: (record, writing) => {
      const { fields: given } = record as StoredRecord as Kept<F>;
      return { ...record, fields: { ...given, ...begin?.(given, writing) } };
    },
    after: (record, writing) => {
      const kept = record as StoredRecord as Kept<F>;
      if (once !== undefined) refuseSecond(table, kept, once, writing);
      after?.(kept, writing);
    },
    given: { ...Object.fromEntries(bodies), ...meaning.given },
    ...{ endpoints, fields, search: searchOf(list, world !== undefined), columns: rangesOf(list) },
  });
}

/** Builds the family of what belongs to the entries of another: `files` of `/suppliers`. */
export function owned<F extends Fields>(
  owner: Family,
  segment: string,
  { one, many, indexes, ...meaning }: Omit<Meaning<F>, 'owner' | 'capability'>,
): Family {
  const path = `${owner.path?.replaceAll(/:\w+/g, '{guid}')}/{guid}/${segment}`;
  const { capability } = owner;
  const built = documented<F>(path, {
    ...(meaning as Meaning<F>),
    ...{ owner, one: `${one} of ${owner.one}`, many: `${many} of ${owner.one}` },
    ...(capability === undefined ? {} : { capability }),
    indexes: { [`${path.replaceAll(/\W+/g, '_')}_of_owner`]: 'owner', ...indexes },
  });
  return built as unknown as Family;
}

function shownBy(field: FieldFactory, show: ((value: unknown, record: Kept<Fields>) => unknown) | undefined): FieldFactory {
  if (show === undefined) return field;
  return (name) => {
    const own = field(name);
    return {
      ...own,
      show: (row, viewing, record, shape) => show(own.show?.(row, viewing, record, shape), record() as Kept<Fields>),
    };
  };
}

function refuseSecond(
  table: string,
  { guid, ownerGuid, fields }: Kept<Fields>,
  [field, code]: readonly [string, number],
  { workspace }: WriteRequest,
): void {
  const others = `SELECT 1 FROM ${table} WHERE owner = ? AND guid <> ? AND fields ->> ? = ?`;
  const value = fields[field] as string;
  if (workspace.settings.get(others, ownerGuid, guid, `$.${field}`, value) === undefined) return;
  throw new ServiceError({ code, message: `The "${field}" is there already.` });
}

/** The owner of a record under each name of its collection, which reads from the other end show. */
const ownersShown = ({ path = '' }: Family): Fields =>
  Object.fromEntries(namesOf(path).map((name) => [name, ownerShown(path)]));

function endpointsOf(path: string): Readonly<Partial<Record<Verb, Endpoint>>> {
  const found: Readonly<Record<Verb, Endpoint | undefined>> = {
    list: endpointAt('GET', path),
    get: endpointAt('GET', `${path}/{guid}`),
    create: endpointAt('POST', path),
    update: endpointAt('PUT', `${path}/{guid}`),
    delete: endpointAt('DELETE', `${path}/{guid}`),
  };
  return Object.fromEntries(Object.entries(found).filter(([, endpoint]) => endpoint !== undefined));
}

interface Surroundings {
  readonly path: string;
  readonly world: World | undefined;
  readonly given: GivenKeys | undefined;
  readonly links: Readonly<Record<string, string>>;
  /** The documented searches of the list. */
  readonly searched: readonly string[];
}

function inferField(name: string, shape: Shape, { path, world, given, links, searched }: Surroundings): FieldFactory {
  const linked = links[name] ?? collectionOf(name);
  if (linked !== undefined && shape.keys !== undefined) return linkedField(linked, shape, given, searched);
  if (linked !== undefined && shape.items !== undefined) return linkedFields(linked, shape, given);
  if (name === 'category' && world !== undefined && isCategoryWorld(world)) return categoryField(world);
  switch (name) {
    case 'url':
      return link(path);
    case 'creator':
      return creator();
    case 'creationDateTime':
      return creationTime();
    case 'lastModifiedDateTime':
    case 'modifyDateTime':
      return modificationTime();
    case 'modifyUser':
      return modifier();
    case 'additionalAttributes':
      return world === undefined
        ? keptValue(shape, given)
        : givenAttributes(searchableAttributes(world, 'includeEmptyAdditionalAttributes'), world);
    default:
      return keptValue(shape, given);
  }
}

/** The documented searches of a list, each with the comparison that follows from the value's type. */
function searchOf(list: Endpoint | undefined, hasAttributes: boolean): Searchable {
  const entry = list?.answer?.keys?.get('results')?.shape.items;
  const names = list?.parameters.filter((name) => !(hasAttributes && name === '{attributeGuid}')) ?? [];
  return Object.fromEntries(names.map((name) => [name, comparisonOf(name, entry)]));
}

/** The ends of ranges of time that a list is searched by, each named after the time. */
function rangesOf(list: Endpoint | undefined): Columns {
  const ends = list?.parameters.filter((name) => /DateTime(From|To)$/.test(name)) ?? [];
  return Object.fromEntries(
    ends.map((end) => {
      const name = end.replace(/(From|To)$/, '');
      return [end, name === 'creationDateTime' ? 't.created' : `t.fields ->> '$.${name}'`];
    }),
  );
}

function comparisonOf(name: string, entry: Shape | undefined): Comparison {
  if (name.endsWith('From')) return 'dateTimeFrom';
  if (name.endsWith('To')) return 'dateTimeTo';
  const shape = name.split('.').reduce<Shape | undefined>((inner, key) => inner?.keys?.get(key)?.shape, entry);
  if (shape?.types.includes('boolean')) return 'flag';
  if (shape?.types.includes('number')) return 'number';
  return shape?.values === undefined ? 'text' : 'choice';
}

/** The entries of a family as the published interface reads them from what they refer to: `/files/{guid}/suppliers`. */
export function inverse(path: string, family: Family): Relation {
  const [, root = '', segment = ''] = /^(\/\w+)\/\{guid\}\/(\w+)$/.exec(path) ?? [];
  const owner = familyAt(root);
  const by = namesOf(root).find((name) => family.fields.some((field) => field.name === name && field.answer));
  const shape = endpointAt('GET', path)?.answer?.keys?.get('results')?.shape.items;
  const texts = { list: `List ${family.many}`, get: `Get ${family.one}` };
  return { family, owner, by: by ?? '', segment, ...texts, ...(shape === undefined ? {} : { shape }) };
}
