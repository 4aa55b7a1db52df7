import type { Json } from './json.js';

/** A JSON pointer (RFC 6901): '' is the whole document. */
export type Pointer = string;

/** The pointer to a member or entry of what `base` points to, escaped (RFC 6901). */
export const pointerTo = (base: Pointer, key: string | number): Pointer => `${base}/${escaped(String(key))}`;

/** Hardly a key needs it, and to look costs a fraction of to replace. */
const escaped = (key: string): string =>
  key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

/** The keys that a pointer walks through, unescaped. */
export const pointerKeys = (pointer: Pointer): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at a place of another one; undefined where there is none. */
export const valueAt = (value: Json | undefined, pointer: Pointer): Json | undefined =>
  pointerKeys(pointer).reduce<Json | undefined>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, Json>)[key] : undefined,
    value,
  );

/** `/options/mapping/0/apiName` as people write it: `options.mapping[0].apiName`. */
export const dottedPath = (pointer: Pointer): string =>
  pointerKeys(pointer).reduce(
    (text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
