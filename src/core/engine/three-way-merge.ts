import { omitUndefined } from '#base/omit-undefined.js';
import { entryKey, matchKey, type SchemaNode, traitsOf } from '../model/fields.js';
import { canonical, isObject, type Json, type JsonObject, sameJson } from '../model/json.js';
import type { FieldChange } from '../model/plan.js';
import { normalForm } from './normal-form.js';

/** Which side a person chose for a field that both sides changed. */
export type Side = 'release' | 'target';

/** Three specs of one object: what was asked of the target last, what is asked of it now, and what it has. */
export interface ThreeSpecs {
  readonly base: JsonObject;
  readonly theirs: JsonObject;
  readonly ours: JsonObject;
}

/** A field that both sides changed since then, in different ways. */
export interface Conflict {
  readonly path: string;
  readonly base?: Json;
  readonly theirs?: Json;
  readonly ours?: Json;
}

/** What is left to ask of the target. */
export interface MergedSpec {
  /** In the fields that `theirs` names: its changes, and those that only the target has. */
  readonly spec: JsonObject;
  /** What only the target changed: `before` is what was asked last, `after` what it has. */
  readonly kept: readonly FieldChange[];
  /** Their values in `spec` are those of the target. */
  readonly conflicts: readonly Conflict[];
}

/**
 * Merges what a release asks with what people changed on the target. A field that `theirs` does not name is left as it
 * is; one that `base` does not have counts as unchanged on the target.
 */
export function mergeSpecs(
  schema: object,
  specs: ThreeSpecs,
  choose: (path: string) => Side | undefined = () => undefined,
): MergedSpec {
  const merge = new Merge(choose);
  const spec = merge.fields(schema as SchemaNode, specs, '');
  return { spec, kept: merge.kept, conflicts: merge.conflicts };
}

/** One value on three sides; absent where it is empty. */
type Three<T = Json | undefined> = Readonly<Record<'base' | 'theirs' | 'ours', T>>;

const ofEach = <T, R>({ base, theirs, ours }: Three<T>, one: (value: T) => R): Three<R> => ({
  base: one(base),
  theirs: one(theirs),
  ours: one(ours),
});

class Merge {
  readonly kept: FieldChange[] = [];
  readonly conflicts: Conflict[] = [];
  readonly #choose: (path: string) => Side | undefined;

  constructor(choose: (path: string) => Side | undefined) {
    this.#choose = choose;
  }

  fields(node: SchemaNode | undefined, { base, theirs, ours }: ThreeSpecs, path: string): JsonObject {
    const merged = Object.keys(theirs).map((field): [string, Json] => {
      const inner = node?.properties?.[field];
      const three = { base: base[field], theirs: theirs[field], ours: ours[field] };
      const value = this.#value(inner, three, path === '' ? field : `${path}.${field}`);
      return [field, value ?? (filled(inner, theirs[field]) === undefined ? (theirs[field] as Json) : null)];
    });
    return Object.fromEntries(merged);
  }

  #value(node: SchemaNode | undefined, given: Three, path: string): Json | undefined {
    const three = ofEach(given, (value) => filled(node, value));
    const { set, keyed } = traitsOf(node);
    if (isSame(node, three.theirs, three.ours)) return given.theirs;
    if (given.base === undefined) return given.theirs;
    if (set !== undefined) return this.#members(node, three, path);
    if (keyed !== undefined && !isWholeKey(node as SchemaNode, keyed)) return this.#entries(node, keyed, three, path);
    const { base, theirs, ours } = three;
    if (node?.properties !== undefined && isObject(theirs)) {
      const inner = { base: objectOf(base), theirs, ours: objectOf(ours) };
      return this.fields(node, inner, path);
    }
    return this.#whole(node, three, path);
  }

  /** A value that changes as one. */
  #whole(node: SchemaNode | undefined, three: Three, path: string): Json | undefined {
    const { base, theirs, ours } = three;
    if (isSame(node, base, theirs)) return this.#keep(three, path);
    if (isSame(node, base, ours)) return theirs;
    const side = this.#choose(path);
    if (side === 'release') return theirs;
    if (side === 'target') return this.#keep(three, path);
    this.conflicts.push({ path, ...omitUndefined({ base, theirs, ours }) });
    return ours;
  }

  #keep({ base, ours }: Three, path: string): Json | undefined {
    this.kept.push({ path, ...omitUndefined({ before: base, after: ours }) });
    return ours;
  }

  /** Members that either side added or removed since then. */
  #members(node: SchemaNode | undefined, three: Three, path: string): Json {
    const { base, theirs, ours } = ofEach(three, (list) => membersOf(node, list));
    const all = new Map([...base, ...theirs, ...ours]);
    const isLeft = (key: string): boolean =>
      base.has(key) ? theirs.has(key) && ours.has(key) : theirs.has(key) || ours.has(key);
    const left = [...all].filter(([key]) => isLeft(key));
    for (const [key, value] of all) {
      if (ours.has(key) === base.has(key) || ours.has(key) === theirs.has(key)) continue;
      const place = `${path}[${String(value)}]`;
      this.kept.push(ours.has(key) ? { path: place, after: value } : { path: place, before: value });
    }
    return left.map(([, value]) => value);
  }

  #entries(node: SchemaNode | undefined, by: readonly string[], three: Three, path: string): Json {
    const sides = ofEach(three, (list) => entriesOf(list, by));
    const keys = new Set([...sides.theirs.keys(), ...sides.ours.keys(), ...sides.base.keys()]);
    return [...keys].flatMap((key): Json[] => {
      const entry = ofEach(sides, (entries) => entries.get(key));
      const name = entryKey((entry.theirs ?? entry.ours ?? entry.base) as Json, by);
      const merged = this.#entry(node?.items, entry, `${path}[${name}]`);
      return merged === undefined ? [] : [merged];
    });
  }

  /** An entry that both sides have is merged field by field; one that a side lacks is there or not. */
  #entry(node: SchemaNode | undefined, entry: Three, path: string): Json | undefined {
    const { base, theirs, ours } = entry;
    if (isObject(theirs) && isObject(ours)) return this.fields(node, { base: objectOf(base), theirs, ours }, path);
    return this.#whole(node, entry, path);
  }
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** Absent for what the service treats as nothing, which both sides may write in different ways. */
function filled(node: SchemaNode | undefined, value: Json | undefined): Json | undefined {
  const effective = isEmpty(value) ? traitsOf(node).serverDefault : value;
  return isEmpty(effective) ? undefined : effective;
}

const isEmpty = (value: Json | undefined): boolean =>
  typeof value === 'object' && value !== null ? Object.keys(value).length === 0 : (value ?? '') === '';

const isSame = (node: SchemaNode | undefined, one: Json | undefined, other: Json | undefined): boolean =>
  one === undefined || other === undefined ? one === other : sameJson(normalForm(node, one), normalForm(node, other));

/** Whether each entry of a list is its own key: nothing is left that could be merged. */
const isWholeKey = ({ items }: SchemaNode, by: readonly string[]): boolean =>
  Object.keys((items as SchemaNode).properties as object).every((field) => by.includes(field));

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);

const membersOf = (node: SchemaNode | undefined, list: Json | undefined): Map<string, Json> =>
  new Map(listOf(list).map((member) => [canonical(normalForm(node?.items, member)), member]));

/** Of several entries with one key, the first counts, as for every comparison. */
function entriesOf(list: Json | undefined, by: readonly string[]): Map<string, Json> {
  const entries = new Map<string, Json>();
  for (const entry of listOf(list)) {
    const key = matchKey(entry, by);
    if (!entries.has(key)) entries.set(key, entry);
  }
  return entries;
}
