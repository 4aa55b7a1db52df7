/** A JSON pointer (RFC 6901): '' is the whole document. */
export type Pointer = string;

/** The pointer to a member or entry of what `base` points to, escaped (RFC 6901). */
export const pointerTo = (base: Pointer, key: string | number): Pointer =>
  `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** The keys that a pointer walks through, unescaped. */
export const pointerKeys = (pointer: Pointer): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/** `/options/mapping/0/apiName` as people write it: `options.mapping[0].apiName`. */
export const dottedPath = (pointer: Pointer): string =>
  pointerKeys(pointer).reduce(
    (text, key) => (/^\d+$/.test(key) ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  );
