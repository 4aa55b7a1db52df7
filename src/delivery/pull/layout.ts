import { createHash } from 'node:crypto';

/** How new objects are put into files: one file for each kind, or one for each object in a folder of its kind. */
export type Layout = 'kind' | 'object';

const LONGEST = 80;

/** Names that Windows reserves for devices, with or without an extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** Converts a kind to the name of a file or folder: `UserGroup` to `user-groups`. */
export const kindFileName = (kind: string): string =>
  `${kind.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, '-').toLowerCase()}s`
    .replace(/([^aeiou])ys$/, '$1ies')
    .replace(/ingss$/, 'ings');

/**
 * Converts a name to a part of a path that every file system accepts: lower-case ASCII letters, digits and dashes. A
 * name with none of these becomes a digest.
 */
export function fileName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');
  const short = plain.slice(0, LONGEST).replaceAll(/^-+|-+$/g, '');
  if (short === '') return `object-${createHash('sha256').update(name).digest('hex').slice(0, 8)}`;
  return RESERVED.test(short) ? `${short}-object` : short;
}

/** Returns a file for each object, relative to the manifest folder, with `/`; unique in the layout `object`. */
export function filesFor(
  objects: readonly { readonly kind: string; readonly name: string }[],
  layout: Layout,
  isTaken: (file: string) => boolean,
): string[] {
  const used = new Set<string>();
  return objects.map(({ kind, name }) => {
    if (layout === 'kind') return `${kindFileName(kind)}.yaml`;
    for (let count = 1; ; count += 1) {
      const file = `${kindFileName(kind)}/${fileName(name)}${count === 1 ? '' : `-${count}`}.yaml`;
      if (used.has(file) || isTaken(file)) continue;
      used.add(file);
      return file;
    }
  });
}
