import { omitUndefined } from '#base/omit-undefined.js';
import { matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import type { ObjectFact } from '../model/object-fact.js';
import type { Capability } from '../model/observation.js';
import { holdsDeadReference } from './references.js';

/**
 * Returns what the ledger recorded of an object, by field: what its manifest named as last applied, the rest as seen.
 * `null` means that the field was empty. A field without a record is absent.
 */
export const baseOf = (schema: object, { applied, observed }: Pick<ObjectFact, 'applied' | 'observed'>): JsonObject =>
  joined(schema, applied, observed) as JsonObject;

/** Known values of an object besides those that its manifest names. */
export interface Sightings {
  /** The ledger's fact about the same object so far; what it recorded is kept. */
  readonly before?: ObjectFact | undefined;
  /** The object as it is; child lists that were not read are absent. */
  readonly seen?: JsonObject | undefined;
}

/** Adds a base to a fact: the values of all readable fields that `applied` does not name. */
export function withBase(
  { schema, children, grow }: Kind,
  can: Pick<Capability, 'hidden'>,
  fact: ObjectFact,
  known: Sightings,
): ObjectFact {
  // Objects of such a kind are created once and never change; further parts are objects of their own.
  if (grow !== undefined) return fact;
  const { before, seen } = known;
  const { observed: _, promoted = before?.promoted, ...others } = fact;
  const rest = { ...others, ...omitUndefined({ promoted }) };
  const isRead = (field: string): boolean =>
    can.hidden?.includes(field) !== true && (!(field in children) || seen === undefined || field in seen);
  const current = seen === undefined ? undefined : pick(completed(schema, seen) as JsonObject, isRead);
  const whole = before === undefined ? current : joined(schema, baseOf(schema, before), current);
  const observed = unnamedIn(schema, fact.applied, whole);
  return observed === undefined ? rest : { ...rest, observed: observed as JsonObject };
}

/**
 * Returns the spec of an object whose fields are all managed: what its manifest asks, and the rest as recorded. Lists
 * that cost a request of their own are included only if the manifest names them.
 */
export const completeSpec = (
  { schema, children }: Kind,
  { hidden = [] }: Capability,
  desired: JsonObject,
  fact: ObjectFact,
): JsonObject =>
  pick(
    joined(schema, desired, baseOf(schema, fact)) as JsonObject,
    (field) => field in desired || !(field in children || hidden.includes(field)),
  );

/** Updates a fact after a pull: fields that the manifest names, or that had no record, get their live values. */
export function pulledFact(kind: Kind, can: Pick<Capability, 'hidden'>, fact: ObjectFact, pulled: Pulled): ObjectFact {
  const { named, live, takesDrift } = pulled;
  // The live object counts, whether or not an unanswered update was applied.
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
      before: takesDrift ? undefined : fact,
      seen: live,
    },
  );
}

/** Outcome of a pull for one object. */
interface Pulled {
  /** Fields that the manifest named before the pull. */
  readonly named: JsonObject;
  readonly live: JsonObject;
  /** Whether the pull also wrote the fields that drifted and that the manifest did not name. */
  readonly takesDrift: boolean;
}

/** Returns the live values in the places that a spec names. */
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

/** Keeps the fields of a spec that `isPicked` accepts. */
export const pick = (spec: JsonObject, isPicked: (field: string) => boolean): JsonObject =>
  Object.fromEntries(Object.entries(spec).filter(([field]) => isPicked(field)));

/** Returns a field of a value; every field of `null`, which is known to be empty, is `null`. */
const fieldOf = (value: Json | undefined, field: string): Json | undefined =>
  value === null ? null : isObject(value) ? value[field] : undefined;

/** Builds an object from each field that the schema or one of the values has; `undefined` leaves a field out. */
function mapFields(
  { properties = {} }: SchemaNode,
  values: readonly (Json | undefined)[],
  make: (field: string, node: SchemaNode | undefined) => Json | undefined,
): JsonObject {
  const fields = new Set(Object.keys(properties));
  for (const value of values) if (isObject(value)) for (const field of Object.keys(value)) fields.add(field);
  const members: [string, Json][] = [];
  for (const field of fields) {
    const made = make(field, properties[field]);
    if (made !== undefined) members.push([field, made]);
  }
  return Object.fromEntries(members);
}

/** Merges two values: `first`, and what it does not name from `second`. */
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

/** Adds `null` for what a spec could have and lacks. Omits dead references, which may only be unknown here. */
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

/** Returns the part of `whole` that `named` does not mention; undefined if there is none. */
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
 * Returns list entries as they are recorded: first what holds for all of them, then each with what differs in it. Of a
 * list that `named` has, only entries that it names and that differ are recorded.
 */
function unnamedInList(
  items: SchemaNode,
  by: readonly string[],
  named: Json | undefined,
  whole: readonly Json[],
): Json | undefined {
  const common = mapFields(items, [], (field, node) =>
    by.includes(field) ? undefined : (traitsOf(node).serverDefault ?? (node as SchemaNode).default ?? null),
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
