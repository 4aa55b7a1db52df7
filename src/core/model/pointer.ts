import type { Json } from './json.js';

/** A JSON pointer (RFC 6901): '' is the whole document. */
export type Pointer = string;

/** The pointer to a member or entry of the value at `base`, escaped (RFC 6901). */
export const pointerTo = (base: Pointer, key: string | number): Pointer => `${base}/${escaped(String(key))}`;

/** Few keys need escaping, and checking costs a fraction of replacing. */
const escaped = (key: string): string =>
  key.includes('~') || key.includes('/') ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;

/** The keys of a pointer, unescaped. */
export const pointerKeys = (pointer: Pointer): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The part of a value at a pointer; undefined if there is none. */
export const valueAt = (value: Json | undefined, pointer: Pointer): Json | undefined =>
  pointerKeys(pointer).reduce<Json | undefined>(
    (at, key) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, key) ? (at as Record<string, Json>)[key] : undefined,
    value,
  );

/** Formats `/options/mapping/0/apiName` as people write it: `options.mapping[0].apiName`. */
export const dottedPath = (pointer: Pointer): string =>
  pointerKeys(pointer).reduce(
    (text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
