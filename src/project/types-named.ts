import type { Catalog } from '../catalog.js';
import { isPattern, matchesPattern } from '../engine/wildcard.js';
import { DexsyncError } from '../errors.js';
import type { Kind, Lookup } from '../model/kind.js';
import { nearestHint } from '../nearest.js';

/** A kind or a lookup, told apart by its role. */
export type NamedType =
  | { readonly role: 'kind'; readonly type: Kind }
  | { readonly role: 'lookup'; readonly type: Lookup };

/**
 * A kind or lookup as people type it: in any letter case, with dashes, in the plural. Throws UNKNOWN_NAME with the
 * nearest.
 */
export function typeNamed(text: string, catalog: Catalog): NamedType {
  const wanted = stemOf(text);
  const kind = catalog.kinds.find(({ name }) => stemOf(name) === wanted);
  if (kind !== undefined) return { role: 'kind', type: kind };
  const lookup = catalog.lookups.find(({ name }) => stemOf(name) === wanted);
  if (lookup !== undefined) return { role: 'lookup', type: lookup };
  const known = [...catalog.kinds, ...catalog.lookups].map(({ name }) => name);
  throw new DexsyncError('UNKNOWN_NAME', `There is no kind or lookup "${text}".`, {
    hint: text.includes('/')
      ? `Give the kind without a name: ${text.split('/', 1).join()}. In \`dexsync get\`, the name follows after a space.`
      : (nearestHint(text, known) ?? '`dexsync kinds` lists them all.'),
  });
}

/** The kinds and jobs that a word or a pattern means, as people type it; none where nothing is called so. */
export function typesMatching(text: string, catalog: Catalog): string[] {
  const names = [...catalog.kinds, ...catalog.jobs].map(({ name }) => name);
  const wanted = stemOf(text);
  const lower = text.toLowerCase();
  return names.filter((name) =>
    isPattern(text) ? matchesPattern(lower, name.toLowerCase()) : stemOf(name) === wanted,
  );
}

/** The name of what a journal can tell of, a kind or a job, as people type it. Throws UNKNOWN_NAME with the nearest. */
export function kindOrJobNamed(text: string, catalog: Catalog): string {
  const known = [...catalog.kinds, ...catalog.jobs].map(({ name }) => name);
  const found = known.find((name) => stemOf(name) === stemOf(text));
  if (found !== undefined) return found;
  throw new DexsyncError('UNKNOWN_NAME', `There is no kind or job "${text}".`, { hint: nearestHint(text, known) });
}

const stemOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[-_\s]/g, '')
    .replace(/ies$/, 'y')
    .replace(/s$/, '');
