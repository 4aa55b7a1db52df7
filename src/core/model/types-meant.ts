import type { Named } from './kind.js';

/**
 * Finds the types that a word names: in any letter case, with dashes, in the plural, or by a short name. A type's own
 * name precedes short names of others. Types that share a short name are all returned.
 */
export function typesMeant<T extends Named>(word: string, types: readonly T[]): T[] {
  const wanted = stemOf(word);
  const named = types.filter(({ name }) => stemOf(name) === wanted);
  return named.length > 0
    ? named
    : types.filter(({ shortNames = [] }) => shortNames.some((short) => stemOf(short) === wanted));
}

const stemOf = (word: string): string =>
  word
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
    .replace(/ies$/, 'y')
    .replace(/(ss|us|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1');
