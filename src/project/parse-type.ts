import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Catalog } from '#core/catalog.js';
import { isPattern, matchesPattern } from '#core/engine/wildcard.js';
import type { Kind, Lookup, Named } from '#core/model/kind.js';
import { typesMeant } from '#core/model/types-meant.js';

/** A kind or a lookup, distinguished by its role. */
export type NamedType =
  | { readonly role: 'kind'; readonly type: Kind }
  | { readonly role: 'lookup'; readonly type: Lookup };

/** Finds the kind or lookup that people type; see `typesMeant`. Throws UNKNOWN_NAME with the nearest. */
export function parseType(text: string, catalog: Catalog): NamedType {
  const type = onlyType(text, [...catalog.allKinds, ...catalog.lookups], 'kind or lookup');
  return 'partitions' in type ? { role: 'lookup', type } : { role: 'kind', type };
}

/** Finds the kind that people type. Throws UNKNOWN_NAME with the nearest, and USAGE for a lookup; `never` says why. */
export function parseKind(text: string, catalog: Catalog, never: string): Kind {
  const listed = parseType(text, catalog);
  if (listed.role === 'kind') return listed.type;
  throw new DexsyncError('USAGE', `${listed.type.name} objects are looked up in the workspace and ${never}.`);
}

/** The names of the kinds and jobs that a word or a pattern means, as people type it; may be empty. */
export function typesMatching(text: string, catalog: Catalog): string[] {
  const types = [...catalog.allKinds, ...catalog.jobs];
  const lower = text.toLowerCase();
  const found = isPattern(text)
    ? types.filter(({ name }) => matchesPattern(lower, name.toLowerCase()))
    : typesMeant(text, types);
  return found.map(({ name }) => name);
}

/** The name of the kind or job that people type: journals have both. Throws UNKNOWN_NAME with the nearest. */
export const parseKindOrJob = (text: string, catalog: Catalog): string =>
  onlyType(text, [...catalog.allKinds, ...catalog.jobs], 'kind or job').name;

/** The name of the kind, job or lookup that people type. Throws UNKNOWN_NAME with the nearest. */
export const parseAnyType = (text: string, catalog: Catalog): string =>
  onlyType(text, [...catalog.allKinds, ...catalog.jobs, ...catalog.lookups], 'kind').name;

function onlyType<T extends Named>(text: string, types: readonly T[], noun: string): T {
  const [found, ...others] = typesMeant(text, types);
  if (found === undefined) throw unknownType(text, types, noun);
  if (others.length === 0) return found;
  const names = [found, ...others].map(({ name }) => name).join(' and ');
  throw new DexsyncError('UNKNOWN_NAME', `"${text}" is a short name of ${names}.`, { hint: 'Give the whole name.' });
}

function unknownType(text: string, types: readonly Named[], noun: string): DexsyncError {
  const words = types.flatMap(({ name, shortNames = [] }) => [name, ...shortNames]);
  const near = nearestHint(text, words);
  const hint = text.includes('/')
    ? `Give the kind without a name: ${text.split('/', 1).join()}. In \`dexsync get\`, the name follows after a space.`
    : (near ?? '`dexsync kinds` lists them all; `--env NAME` chooses an environment.');
  return new DexsyncError('UNKNOWN_NAME', `There is no ${noun} "${text}".`, { hint });
}
