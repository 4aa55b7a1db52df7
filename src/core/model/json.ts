/** An immutable JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object; an absent member is `undefined`, one that clears a field is `null`. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is an object with members; lists and null are not. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects in a list; none for any other value. */
export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** An optional object; throws TypeError for any other value. */
export function onlyObject(value: unknown): JsonObject | undefined {
  if (value === undefined || value === null) return undefined;
  if (isObject(value)) return value;
  throw new TypeError('an object is something else');
}

/** The objects of an optional list; throws TypeError for any other value. */
export function onlyObjectsIn(value: unknown): JsonObject[] {
  const list = value ?? [];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new TypeError('a list of objects has something else');
}

/** The entries of a list as texts; none for any other value. */
export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The texts of an optional list; throws TypeError for any other value. */
export function textsOnlyIn(value: unknown): string[] {
  const list = value ?? [];
  if (Array.isArray(list) && list.every((entry) => typeof entry === 'string')) return list;
  throw new TypeError('a list of texts has something else');
}

/** Parses a JSON text; undefined if it is invalid. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Removes members that are `null`, at all levels: they only clear fields. */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(members.map(([key, entry]) => [key, withoutNulls(entry)]));
}

/** The fields of a body that have a value. */
export const pickValues = (body: JsonObject, fields: readonly string[]): JsonObject =>
  Object.fromEntries(
    fields.flatMap((field) => {
      const value = body[field] ?? null;
      return value === null ? [] : [[field, value]];
    }),
  );

/**
 * Serializes equal values to the same text: object keys are sorted, so that digests and comparisons do not depend on
 * key order. Members that are `undefined` are omitted.
 */
export function canonical(value: Json | undefined): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  let members = '';
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member !== undefined) members += `${members === '' ? '' : ','}${quoted(key)}:${canonical(member)}`;
  }
  return `{${members}}`;
}

/** Quotes a text as `JSON.stringify` does. Most texts need no escape, and checking that is faster than escaping. */
const quoted = (text: string): string => (PLAIN.test(text) ? `"${text}"` : JSON.stringify(text));

/** No quote, backslash or control character, and no surrogate, which may lack its other half. */
const PLAIN = /^[ !#-[\]-\ud7ff\ue000-\uffff]*$/;

/** The way in which a value becomes text. */
interface JsonForm {
  readonly members: (value: object) => [string, unknown][];
  readonly text: (value: unknown) => string;
}

const AS_WRITTEN: JsonForm = { members: Object.entries, text: (value) => JSON.stringify(value) };

const CANONICAL: JsonForm = {
  members: (value) => Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)),
  text: (value) => canonical(value as Json),
};

/**
 * Yields the text of `JSON.stringify` in parts, for values whose text would be too long: each entry `levels` deep is a
 * part, and so is the bracket at the end.
 */
export const jsonParts = (value: object, levels: number): Generator<string> => partsOf(value, levels, AS_WRITTEN);

/** Yields the `canonical` text of the value that `JSON.stringify` would write, in the same parts. */
export const canonicalParts = (value: object, levels: number): Generator<string> => partsOf(value, levels, CANONICAL);

function* partsOf(value: object, levels: number, form: JsonForm): Generator<string> {
  const isList = Array.isArray(value);
  const all = isList ? value.map((entry): [string, unknown] => ['', entry ?? null]) : form.members(value);
  let before = isList ? '[' : '{';
  for (const [key, entry] of all) {
    if (entry === undefined) continue;
    const start = isList ? before : `${before}${JSON.stringify(key)}:`;
    before = ',';
    if (levels === 1 || typeof entry !== 'object' || entry === null) yield start + form.text(entry);
    else {
      yield start;
      yield* partsOf(entry, levels - 1, form);
    }
  }
  yield `${before === ',' ? '' : before}${isList ? ']' : '}'}`;
}

/** Whether two values are equal in any order of keys; `undefined` equals `null`. */
export const sameJson = (a: Json | undefined, b: Json | undefined): boolean => a === b || canonical(a) === canonical(b);
