import { type Description, type Family, family, routeTemplate, type Verb } from '../family/family.js';
import {
  type FieldFactory,
  type Fields,
  type RecordOf,
  type StoredRecord,
  valueIn,
  type WriteRequest,
} from '../family/field.js';
import type { Relation } from '../family/relation.js';
import { ruledValues } from '../family/value-fields.js';
import { bodyNames, type Endpoint, endpointAt, entryShape } from '../interface/endpoints.js';
import { readShape, type Shape, type WrittenShape } from '../interface/shape.js';
import type { TSchema } from '../routes/type.js';
import { refusal } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import type { World } from '../store/item-settings.js';
import { inferField, type Links, type Show, shownBy } from './infer-field.js';
import { givenKeys, givenSchema } from './kept-value.js';
import { linkNames, ownerShown, type Unknown } from './linked-field.js';
import { ownerField } from './owner-field.js';
import { partsField } from './parts-field.js';
import { familyAt } from './registry.js';
import { documentedSearch, timeRanges } from './search.js';
import { hasSibling } from './siblings.js';

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
  refuseDelete?(record: Kept<F>, workspace: Workspace): void;
  after?(record: Kept<F>, writing: WriteRequest): void;
  readonly table?: string;
  /** The fields with rules of their own, by name, and those that no answer shows. */
  readonly fields?: F;
  /** The world of its custom attributes. */
  readonly world?: World;
  /** The keys that answers have though no sample shows them, such as those that imports write; as in `shapes.json`. */
  readonly further?: Readonly<Record<string, WrittenShape>>;
  /** How answers show values that differ from the stored ones, by field. */
  readonly shows?: Readonly<Record<string, Show>>;
  /** The field whose value only one entry of an owner may have, and the code of the refusal of another (wire-facts 8). */
  readonly once?: readonly [field: string, code: number];
  /** The collections that its fields refer to, where their names do not say so. */
  readonly links?: Links;
  /** The codes of refusals of GUIDs in those collections, by field; 3011 by default. */
  readonly unknown?: Readonly<Record<string, Unknown>>;
  /** The fields that show the entries of another family that belong to a record, and whose bodies replace those. */
  readonly parts?: Readonly<Record<string, () => Family>>;
};

/** The columns of all documented families: plain values by name. */
export const COLUMNS = { fields: ruledValues() as FieldFactory<Values> };

type Endpoints = Readonly<Partial<Record<Verb, Endpoint>>>;

/**
 * Builds a family from the published description of a path, such as `/suppliers`: its operations, searches, answers and
 * bodies. A field that `meaning` does not define is stored and shown as it is given, unless its name says what it is.
 */
export function documented<F extends Fields>(path: string, meaning: Meaning<F>): Family<RecordOf<F & typeof COLUMNS>> {
  const {
    fields: _,
    world,
    parts: __,
    links: ___,
    shows: ____,
    unknown: _____,
    further,
    once,
    begin,
    after,
    ...rest
  } = meaning;
  const endpoints = widen(endpointsAt(path), further);
  const { list } = endpoints;
  const shown = shownFields(path, endpoints, meaning);
  const { table = path.replaceAll('{guid}/', '').slice(1).replaceAll('/', '_') } = meaning;
  const built: Family<RecordOf<F & typeof COLUMNS>> = family({
    clearable: [],
    ...(rest as Omit<Description<F & typeof COLUMNS>, Described>),
    table,
    path: routeTemplate(path),
    ...(list?.paged ? { paged: true as const } : {}),
    begin: (record, writing) => {
      const { fields } = record as StoredRecord as Kept<F>;
      return { ...record, fields: { ...fields, ...begin?.(fields, writing) } };
    },
    after: (record, writing) => {
      const kept = record as StoredRecord as Kept<F>;
      if (once !== undefined) refuseSecond(built as unknown as Family, kept, once, writing);
      after?.(kept, writing);
    },
    given: { ...bodySchemas(endpoints, shown), ...meaning.given },
    fields: { ...shown, ...COLUMNS, ...(world === undefined ? {} : { additional: ruledValues() }) } as unknown as F &
      typeof COLUMNS,
    ...{ endpoints, search: documentedSearch(list, world !== undefined), columns: timeRanges(list) },
  });
  return built;
}

/** Adds keys to the forms of all answers. */
function widen(endpoints: Endpoints, further: Meaning<Fields>['further']): Endpoints {
  if (further === undefined) return endpoints;
  const { keys: more = new Map() } = readShape(further);
  const wider = (shape: Shape | undefined): Shape => ({
    ...{ types: [], ...shape },
    keys: new Map([...(shape?.keys ?? []), ...more]),
  });
  const entries = Object.entries(endpoints).map(([verb, endpoint]) => {
    const results = { shape: { types: [], items: wider(entryShape(endpoint)) }, optional: false };
    const list: Shape = { types: [], keys: new Map([...(endpoint.answer?.keys ?? []), ['results', results]]) };
    return [verb, { ...endpoint, answer: verb === 'list' ? list : wider(endpoint.answer) }];
  });
  return Object.fromEntries(entries);
}

/** The documented operations of a collection. */
export function endpointsAt(path: string): Endpoints {
  const found: Readonly<Record<Verb, Endpoint | undefined>> = {
    list: endpointAt('GET', path),
    get: endpointAt('GET', `${path}/{guid}`),
    create: endpointAt('POST', path),
    // Some paths are published without their last GUID (endpoints.md, "Slips").
    update: endpointAt('PUT', `${path}/{guid}`) ?? endpointAt('PUT', path),
    delete: endpointAt('DELETE', `${path}/{guid}`) ?? endpointAt('DELETE', path),
  };
  return Object.fromEntries(Object.entries(found).filter(([, endpoint]) => endpoint !== undefined));
}

/** The fields of all answers; a single read decides their form and order. */
function shownFields<F extends Fields>(path: string, endpoints: Endpoints, meaning: Meaning<F>): Fields {
  const { list, get, create, update } = endpoints;
  const { fields: own = {} as F, parts = {}, links = {}, unknown = {}, shows = {}, world, owner, ownedBy } = meaning;
  const shapes = [get?.answer, entryShape(list), create?.answer, update?.answer];
  const keys = new Map(shapes.flatMap((shape) => [...(shape?.keys ?? [])]).reverse());
  keys.delete('guid');
  const surroundings = { path, world, links, unknown, searched: list?.parameters ?? [] };
  const inferred = [...keys].map(([name, { shape }]): [string, FieldFactory] => {
    const given = [givenKeys(create, name), givenKeys(update, name)].find((one) => one.keys.length > 0);
    const of = parts[name];
    if (of !== undefined) return [name, partsField(of, given)];
    return [name, shownBy(own[name] ?? inferField(name, shape, given, surroundings), shows[name])];
  });
  return { ...(owner && outerFields(owner, ownedBy)), ...own, ...Object.fromEntries(inferred) };
}

/** What a record has of its owner. */
function outerFields(owner: Family, ownedBy: string | undefined): Fields {
  return { ...ownerShownIn(owner), ...(ownedBy === undefined && { ownerGuid: ownerField(owner) }) };
}

/** The owner of a record under each name of its collection, which reads from the other end show. */
const ownerShownIn = ({ path = '' }: Family): Fields =>
  Object.fromEntries(linkNames(path).map((name) => [name, ownerShown(path)]));

/** The schemas of what bodies have besides the fields that answers show: what creations need, and what updates add. */
export function bodySchemas({ create, update }: Endpoints, shown: Fields = {}): Readonly<Record<string, TSchema>> {
  const names = new Set([create, update].flatMap(bodyNames).filter((name) => shown[name] === undefined));
  return Object.fromEntries(
    [...names].map((name) => {
      const [created, updated] = [givenKeys(create, name), givenKeys(update, name)];
      const further = updated.keys.filter(({ path }) => created.keys.every((key) => key.path !== path));
      const given = { keys: [...created.keys, ...further], shape: created.shape ?? updated.shape };
      return [name, givenSchema(name, given)];
    }),
  );
}

function refuseSecond(
  of: Family,
  record: Kept<Fields>,
  [field, code]: readonly [string, number],
  { workspace }: WriteRequest,
): void {
  const value = (record.fields[field] ?? valueIn(record, field)) as string;
  if (hasSibling(workspace, of, record, field, value)) throw refusal(code, `The "${field}" is there already.`);
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
    indexes: { [`${path.replaceAll(/\W+/g, '_').slice(1)}_of_owner`]: 'owner', ...indexes },
  });
  return built as unknown as Family;
}

/** The entries of a family as the published interface reads them from what they refer to: `/files/{guid}/suppliers`. */
export function inverse(path: string, family: Family, field?: string, related?: Relation['related']): Relation {
  const [, root = '', segment = ''] = /^(\/\w+)\/\{guid\}\/(\w+)$/.exec(path) ?? [];
  const names = family.fields.map(({ name }) => name);
  const by = field ?? linkNames(root).find((name) => names.includes(name)) ?? '';
  const [shape, single] = [entryShape(endpointAt('GET', path)), endpointAt('GET', `${path}/{guid}`)?.answer];
  return {
    ...{ family, by, segment, list: `List ${family.many}`, get: `Get ${family.one}` },
    ...(shape && { shape }),
    ...(single && { single }),
    ...(related && { related }),
    // The other end may be built later.
    get owner() {
      return familyAt(root);
    },
  };
}
