/** A value of JSON that nobody changes. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** An object of JSON; a member that is not there is `undefined`, one that clears a field `null`. */
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is an object with members; lists and null are none. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The objects of a list; of anything else, none. */
export const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The entries of a list as texts; of anything else, none. */
export const textsIn = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);

/** The value that a text holds; undefined where it is no JSON. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value as it is without the members that only say "clear this". */
export function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([, entry]) => entry !== null);
  return Object.fromEntries(members.map(([key, entry]) => [key, withoutNulls(entry)]));
}

/** One text for equal values: object keys sorted, so that digests and comparisons do not depend on key order. */
export function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value ?? null);
  const members = Object.keys(value)
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`);
  return `{${members.join(',')}}`;
}

/** Equal whatever the order of keys; `undefined` equals `null`. */
export const sameJson = (a: Json | undefined, b: Json | undefined): boolean => a === b || canonical(a) === canonical(b);
