import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Capability } from '../model/observation.js';
import { holdsDeadReference } from './references.js';

/**
 * What the ledger has recorded of an object, field by field: what its manifest named as last applied, the rest as it was seen.
 * `null`: the field was empty. A field of which nothing was recorded is absent.
 */
export const baseOf = (schema: object, { applied, observed }: Pick<ObjectFact, 'applied' | 'observed'>): JsonObject =>
  joined(schema, applied, observed) as JsonObject;

/** What is known of an object beside what its manifest names. */
export interface Sightings {
  /** What the ledger says of the same object so far: what it has recorded stays. */
  readonly before?: ObjectFact | undefined;
  /** The object as it is; child lists that were not read are absent. */
  readonly seen?: JsonObject | undefined;
}

/** The fact with a base for all that can be read and that `applied` does not name. */
export function withBase(
  { schema, children, grow }: Kind,
  can: Pick<Capability, 'hidden'>,
  fact: ObjectFact,
  known: Sightings,
): ObjectFact {
  // What is made once never changes; further parts of it are objects of their own.
  if (grow !== undefined) return fact;
  const { before, seen } = known;
  const { observed: _, ...rest } = fact;
  const isRead = (field: string): boolean =>
    can.hidden?.includes(field) !== true && (!(field in children) || seen === undefined || field in seen);
  const whole = joined(
    schema,
    before === undefined ? undefined : baseOf(schema, before),
    seen === undefined ? undefined : (pick(completed(schema, seen) as JsonObject, isRead) as Json),
  );
  const observed = unnamedIn(schema, fact.applied, whole);
  return observed === undefined ? rest : { ...rest, observed: observed as JsonObject };
}

/**
 * What an object has to be where all its fields are managed: what its manifest asks, and the rest as it was recorded. Lists that
 * cost a request of their own stay with whoever names them.
 */
export const wholeSpecOf = (
  { schema, children }: Kind,
  { hidden = [] }: Capability,
  desired: JsonObject,
  fact: ObjectFact,
): JsonObject =>
  pick(
    joined(schema, desired, baseOf(schema, fact)) as JsonObject,
    (field) => field in desired || !(field in children || hidden.includes(field)),
  );

/** The fact once a manifest says what lives: what it names is as it is, and so is what nothing was recorded of. */
export function pulledFact(kind: Kind, can: Pick<Capability, 'hidden'>, fact: ObjectFact, pulled: Pulled): ObjectFact {
  const { named, live, drifted } = pulled;
  // What is there counts, whatever became of an update without an answer.
  const { former: _, ...settled } = fact;
  const told = pick(named, (field) => can.hidden?.includes(field) !== true);
  const applied = {
    ...pick(fact.applied, (field) => !(field in told) && field in named),
    ...(namedIn(kind.schema, told, live) as JsonObject),
  };
  return withBase(
    kind,
    can,
    { ...settled, applied: applied as JsonObject },
    {
      before: drifted === 'yes' ? undefined : fact,
      seen: live,
    },
  );
}

/** What a pull has written. */
interface Pulled {
  /** What the manifest named before. */
  readonly named: JsonObject;
  readonly live: JsonObject;
  /** `yes`: what drifted beside it, too. */
  readonly drifted: 'yes' | 'no';
}

/** What lives in the places that a spec names. */
function namedIn(node: SchemaNode | undefined, named: Json, live: Json | undefined): Json {
  const { keyed } = traitsOf(node);
  if (keyed !== undefined && Array.isArray(named) && Array.isArray(live)) {
    const known = new Map(named.map((entry: Json) => [matchKey(entry, keyed), entry]));
    return live.map((entry: Json) => namedIn(node?.items, known.get(matchKey(entry, keyed)) ?? entry, entry));
  }
  if (!isObject(named) || !isObject(live) || node?.properties === undefined) return live ?? null;
  return Object.fromEntries(
    Object.entries(named).map(([field, value]) => [field, namedIn(node.properties?.[field], value, live[field])]),
  );
}

/** The fields of a spec for which that holds. */
export const pick = (spec: JsonObject, isPicked: (field: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => isPicked(field)));

/** A field of a value; of what is known to be empty each is. */
const fieldOf = (value: Json | undefined, field: string): Json | undefined =>
  value === null ? null : isObject(value) ? value[field] : undefined;

/** An object of what a function makes of each field that the schema or one of the values has. */
function mapFields(
  { properties = {} }: SchemaNode,
  values: readonly (Json | undefined)[],
  make: (field: string, node: SchemaNode | undefined) => Json | undefined,
): JsonObject {
  const fields = new Set(
    [Object.keys(properties), ...values.map((value) => (isObject(value) ? Object.keys(value) : []))].flat(),
  );
  const members = [...fields].flatMap((field): [string, Json][] => {
    const made = make(field, properties[field]);
    return made === undefined ? [] : [[field, made]];
  });
  return Object.fromEntries(members);
}

/** `first`, with what it does not name from `second`. */
function joined(node: SchemaNode | undefined, first: Json | undefined, second: Json | undefined): Json | undefined {
  const { keyed } = traitsOf(node);
  const value = first === undefined ? second : first;
  if (keyed !== undefined && Array.isArray(value)) return joinedList(node?.items, keyed, first, asList(second));
  if (node?.properties === undefined || !isObject(value)) return value;
  return mapFields(node, [first, second], (field, inner) =>
    joined(inner, fieldOf(first, field), fieldOf(second, field)),
  );
}

const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

function joinedList(
  items: SchemaNode | undefined,
  by: readonly string[],
  first: Json | undefined,
  second: readonly Json[],
): Json {
  const common = second.find((entry) => matchKey(entry, by) === '');
  const entries = second.filter((entry) => entry !== common);
  const known = new Map(entries.map((entry) => [matchKey(entry, by), entry]));
  const withCommon = (entry: Json | undefined): Json | undefined => joined(items, entry, common);
  const list = first === undefined ? entries : asList(first);
  return list.map((entry) => joined(items, entry, withCommon(known.get(matchKey(entry, by)))) as Json);
}

/** A spec with `null` for what it could have and does not. What leads nowhere may only be unknown here: it is left out. */
function completed(node: SchemaNode | undefined, value: Json | undefined): Json | undefined {
  if (value === undefined) return null;
  if (isObject(value) && node?.properties !== undefined)
    return mapFields(node, [value], (field, inner) => completed(inner, value[field]));
  if (holdsDeadReference(value)) return undefined;
  const { keyed } = traitsOf(node);
  return keyed !== undefined && Array.isArray(value)
    ? value.map((entry: Json) => completed(node?.items, entry) as Json)
    : value;
}

/** The part of `whole` that `named` says nothing of; undefined where there is none. */
function unnamedIn(node: SchemaNode | undefined, named: Json | undefined, whole: Json | undefined): Json | undefined {
  if (whole === undefined) return undefined;
  const { keyed } = traitsOf(node);
  if (keyed !== undefined && Array.isArray(named === undefined ? whole : named))
    return unnamedInList(node?.items as SchemaNode, keyed, named, asList(whole));
  if (node?.properties === undefined || !isObject(named === undefined ? whole : named))
    return named === undefined ? whole : undefined;
  const part = mapFields(node, [named, whole], (field, inner) =>
    unnamedIn(inner, fieldOf(named, field), fieldOf(whole, field)),
  );
  return named !== undefined && sameJson(part, {}) ? undefined : part;
}

/**
 * Entries of a list as they are recorded: first what holds for all of them, then each with what is different in it. Of a list
 * that is named, only entries of which something is.
 */
function unnamedInList(
  items: SchemaNode,
  by: readonly string[],
  named: Json | undefined,
  whole: readonly Json[],
): Json | undefined {
  const common = mapFields(items, [], (field, node) =>
    by.includes(field) ? undefined : (traitsOf(node).serverDefault ?? null),
  );
  const wanted = new Map(asList(named).map((entry) => [matchKey(entry, by), entry]));
  const isSaid = (key: string, field: string): boolean => fieldOf(wanted.get(key), field) !== undefined;
  const entries = whole.flatMap((entry): Json[] => {
    if (!isObject(entry)) return named === undefined ? [entry] : [];
    const key = matchKey(entry, by);
    if (named !== undefined && !wanted.has(key)) return [];
    const different = pick(
      entry,
      (field) => !by.includes(field) && !isSaid(key, field) && !isCommon(entry, common, field),
    );
    if (named !== undefined && sameJson(different, {})) return [];
    return [{ ...pick(entry, (field) => by.includes(field) && entry[field] !== null), ...different }];
  });
  if (sameJson(common, {})) return named === undefined ? entries : undefined;
  return [common, ...entries];
}

const isCommon = (entry: JsonObject, common: JsonObject, field: string): boolean =>
  entry[field] === null || sameJson(entry[field], common[field]);
