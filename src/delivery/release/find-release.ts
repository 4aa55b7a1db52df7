import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import { type Release, releaseName } from '#core/model/release.js';
import { type DocumentStore, noSuchRelease } from '#ledger/document-store.js';
import { type ReleaseKey, readRelease, releaseKeys } from '#ledger/stored-release.js';

/**
 * Finds a release as people name it: `dev/r41`, `r41` if one source has it, or by its other name. Throws UNKNOWN_NAME
 * and AMBIGUOUS_NAME.
 */
export async function findRelease(reference: string, releases: DocumentStore): Promise<Release> {
  const keys = await releaseKeys(releases);
  const [, source, number] = /^(?:(.+)\/)?r(\d+)$/.exec(reference) ?? [];
  if (number === undefined) return findByName(reference, keys, releases);
  const found = keys.filter((key) => key.number === Number(number) && (source === undefined || key.source === source));
  const [key] = found;
  if (key === undefined) throw unknown(reference, keys);
  if (found.length > 1) throw ambiguous(reference, found);
  return readRelease(releases, key);
}

/** Names may be reassigned over time: the newest release of a name counts, if one source has it. */
async function findByName(reference: string, keys: readonly ReleaseKey[], releases: DocumentStore): Promise<Release> {
  const [, source, name = reference] = /^(?:(.+)\/)?([^/]+)$/.exec(reference) ?? [];
  const found: Release[] = [];
  for (const key of keys.toReversed()) {
    if (source !== undefined && key.source !== source) continue;
    if (found.some((one) => one.source === key.source)) continue;
    const release = await readRelease(releases, key);
    if (release.name === name) found.push(release);
  }
  const [release] = found;
  if (release === undefined) throw unknown(reference, keys);
  if (found.length > 1) throw ambiguous(reference, found);
  return release;
}

function unknown(reference: string, keys: readonly ReleaseKey[]): DexsyncError {
  const names = keys.map(releaseName);
  const { message, code, hint } = noSuchRelease(reference);
  return new DexsyncError(code, message, { hint: nearestHint(reference, names) ?? hint });
}

const ambiguous = (reference: string, found: readonly ReleaseKey[]): DexsyncError =>
  new DexsyncError(
    'AMBIGUOUS_NAME',
    `Several sources have a release ${reference}: ${found.map(releaseName).join(', ')}.`,
    {
      hint: 'Write its source too.',
    },
  );
