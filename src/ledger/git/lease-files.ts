import type { DexsyncError } from '#base/errors.js';
import { jsonIn } from '#core/model/json.js';
import { isHolder } from '../holder.js';
import type { FoundLease, Holder } from '../lease.js';
import { type LeaseTiming, lostLease } from '../lease-life.js';
import type { Edit } from './repository.js';
import type { Tip } from './tip.js';

/** Prefix of the places of leases that are kept in a branch. */
export const PLACE = 'git:';

/** Milliseconds between two looks at the leases, during a wait or while writing. */
export const LOOK_EVERY = 3000;

/** The content of a lease file. Its holder counts the heartbeats: clocks of others are not trusted. */
export type LeaseContent = Holder & { readonly beats: number; readonly beatAt: string };

/** The leases of this process, by the paths of their files. */
export type HeldLeases = Map<string, LeaseContent>;

/** Whether the content of a file is a lease. */
export const isLease = (value: unknown): value is LeaseContent =>
  isHolder(value) &&
  Number.isSafeInteger((value as Partial<LeaseContent>).beats) &&
  typeof (value as Partial<LeaseContent>).beatAt === 'string';

/** Reads the file of a lease; undefined if there is none. */
export async function readLease(tip: Tip, path: string): Promise<unknown> {
  if (!tip.has(path)) return undefined;
  const [text = ''] = await tip.read([path]);
  return jsonIn(text) ?? text;
}

/**
 * The next heartbeat of all leases of this process, which every commit includes. Throws LEASE_LOST if one of them is
 * not in the state that the commit builds on, so that nothing is written after the write of its new holder.
 */
export async function renewLeases(held: HeldLeases, tip: Tip, { clock }: LeaseTiming): Promise<Edit[]> {
  return Promise.all(
    [...held].map(async ([path, own]) => {
      const found = await readLease(tip, path);
      if (!isLease(found) || found.token !== own.token) throw lostTo(own, found, clock);
      return leaseFile(path, { ...own, beats: found.beats + 1, beatAt: clock().toISOString() });
    }),
  );
}

/** The file of a lease. */
export const leaseFile = (path: string, content: LeaseContent): Edit => ({
  path,
  text: `${JSON.stringify(content, undefined, 2)}\n`,
});

function lostTo(own: LeaseContent, found: unknown, clock: () => Date): DexsyncError {
  const by = isLease(found) ? foundLease(found, 'held', 0, '') : undefined;
  return lostLease(own, by, clock, 'it was removed');
}

/** A lease as another process sees it. */
export const foundLease = (
  content: LeaseContent,
  state: FoundLease['state'],
  silentFor: number,
  path: string,
): FoundLease => ({
  state,
  holder: content,
  heartbeatAt: new Date(content.beatAt),
  silentFor,
  place: `${PLACE}${path}#${content.token}`,
  lookAgainIn: LOOK_EVERY,
});

/** Removes a lease if it still has this token; with an empty token, a file that cannot be read as a lease. */
export async function removeLease(path: string, token: string, tip: Tip): Promise<Edit[]> {
  const found = await readLease(tip, path);
  const isIt = found !== undefined && (token === '' ? !isLease(found) : isLease(found) && found.token === token);
  return isIt ? [{ path, text: null }] : [];
}
