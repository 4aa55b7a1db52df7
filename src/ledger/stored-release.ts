import { DexsyncError } from '#base/errors.js';
import { releaseDigest } from '#core/engine/release.js';
import { jsonIn } from '#core/model/json.js';
import { type Release, releaseName, releaseSchema } from '#core/model/release.js';
import { hasShape } from '#core/shape.js';
import { type DocumentStore, moveDocuments, noSuchRelease, releasesShelf } from './document-store.js';

/** A release in the ledger, by source and number. */
export interface ReleaseKey extends Pick<Release, 'source' | 'number'> {}

/** The name of a release in the store. No environment has an `@` in its name. */
export const releaseDocument = ({ source, number }: ReleaseKey): string => `${source}@r${number}`;

/** Moves the releases of some sources to another place. */
export const moveReleases = (
  from: DocumentStore,
  to: DocumentStore,
  stack: string,
  isMeant: (source: string) => boolean,
): Promise<number> =>
  moveDocuments(from, to, releasesShelf(stack), (name) => isMeant(name.slice(0, name.lastIndexOf('@'))));

/** Lists the releases of all sources, the oldest first. */
export async function releaseKeys(releases: DocumentStore): Promise<readonly ReleaseKey[]> {
  return (await releases.names()).flatMap((name) => {
    const [, source, number] = /^(.+)@r(\d+)$/.exec(name) ?? [];
    return source === undefined ? [] : [{ source, number: Number(number) }];
  });
}

/** Reads the newest release of a source; undefined if it has none. Throws LEDGER_DAMAGED. */
export async function newestRelease(releases: DocumentStore, source: string): Promise<Release | undefined> {
  const newest = (await releaseKeys(releases)).findLast((key) => key.source === source);
  return newest === undefined ? undefined : readRelease(releases, newest);
}

/** Reads a release. Throws UNKNOWN_NAME if it is not there, LEDGER_DAMAGED if it is not as it was stored. */
export async function readRelease(releases: DocumentStore, key: ReleaseKey): Promise<Release> {
  const kept = await releases.read(releaseDocument(key));
  if (kept === undefined) throw noSuchRelease(releaseName(key));
  const release = parseRelease(kept.text);
  if (release !== undefined && releaseName(release) === releaseName(key)) return release;
  throw new DexsyncError('LEDGER_DAMAGED', `The release ${releaseName(key)} of the ledger is not as it was stored.`, {
    hint: 'Restore it from a backup of the ledger, or import it again from a file with `dexsync release import`.',
  });
}

/** Returns the release in a text; undefined if it is none, or if its content does not match its digest. */
export function parseRelease(text: string): Release | undefined {
  const value = jsonIn(text);
  if (!hasShape(releaseSchema, value)) return undefined;
  const release = value as unknown as Release;
  return releaseDigest(release.content) === release.digest ? release : undefined;
}

/** The text that is stored for a release, or exported: each object on a line of its own, so that versions compare well. */
export function releaseText({ content, ...facts }: Release): string {
  const head = JSON.stringify(facts, undefined, 1).slice(0, -2);
  const { objects, ...rest } = content;
  const lines = objects.map((one) => `\n  ${JSON.stringify(one)}`).join(',');
  return `${head},\n "content": {"objects": [${lines}],\n  ${JSON.stringify(rest).slice(1, -1)}}\n}\n`;
}

/** Adds a release; false if another process took its number. */
export async function addRelease(releases: DocumentStore, release: Release, log: string): Promise<boolean> {
  const name = releaseDocument(release);
  try {
    await releases.add(name, releaseText(release), log);
    return true;
  } catch (error) {
    if ((await releases.names()).includes(name)) return false;
    throw error;
  }
}
