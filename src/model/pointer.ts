/** A JSON pointer (RFC 6901): '' is the whole document. */
export type Pointer = string;

export const pointerTo = (base: Pointer, key: string | number): Pointer =>
  `${base}/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

export const pointerKeys = (pointer: Pointer): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
