import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DexsyncError, throwAsDisk } from '../errors.js';
import { type Fate, fateOf, ownProcess } from '../files/process-facts.js';
import { holderText } from './holder.js';
import type { DamagedLease, FoundLease, Holder, Lease, LeaseState, Leases, TakeResult } from './lease.js';
import {
  dropLease,
  fileClock,
  isMissingFile,
  leaseFolder,
  leasePath,
  leaseText,
  listLeaseFolders,
  placeLease,
  readLeaseIn,
  removeIfEmpty,
  type StoredLease,
  serviceFolder,
  sweepLeftovers,
} from './lease-on-disk.js';

/** Where leases are kept and how they stay alive; the defaults are a heartbeat in 5 s and a lifetime of 60 s. */
export interface FileLeasesOptions {
  /** The folder of dexsync's data. */
  readonly root: string;
  readonly clock: () => Date;
  /** A new random name. */
  readonly nonce: () => string;
  /** Milliseconds. */
  readonly beatEvery?: number;
  readonly lifetime?: number;
}

const BEAT_EVERY = 5000;
const LIFETIME = 60_000;

/** Leases as files; see lease-on-disk.ts. A heartbeat is the time at which its file was last written. */
export function fileLeases({
  root,
  clock,
  nonce,
  beatEvery = BEAT_EVERY,
  lifetime = LIFETIME,
}: FileLeasesOptions): Leases {
  const find = (folder: string): Promise<FoundLease | undefined> => findLease(folder, clock);
  return {
    async take(claim) {
      const folder = leaseFolder(root, claim);
      const holder = {
        ...claim,
        ...(await ownProcess()),
        token: nonce(),
        startedAt: clock().toISOString(),
        lifetime,
      };
      return withDiskErrors(folder, () => takeFolder({ holder, folder, clock, beatEvery }));
    },
    find: (key) => withDiskErrors(leaseFolder(root, key), () => find(leaseFolder(root, key))),
    async list(service) {
      const folder = serviceFolder(root, service);
      return withDiskErrors(folder, async () => {
        const all = await Promise.all(
          (await listLeaseFolders(folder)).map((one) => find(one).catch(toDamagedLease(one))),
        );
        return all.filter((one) => one !== undefined);
      });
    },
    remove: (place) => withDiskErrors(place, () => dropLease(place)),
  };
}

/** Looks again where another process was quicker: what it put there decides. */
async function takeFolder(holding: Holding): Promise<TakeResult> {
  const { holder, folder, clock } = holding;
  for (;;) {
    const by = await findLease(folder, clock);
    if (by?.state === 'held') return { is: 'held', by };
    await (by === undefined ? removeIfEmpty(folder) : dropLease(by.place));
    if (!(await placeLease(holder, folder))) continue;
    await sweepLeftovers(dirname(folder), clock().getTime());
    return { is: 'taken', lease: holdLease(holding) };
  }
}

const withDiskErrors = <T>(place: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => throwAsDisk(error, `The lock in ${place}`));

async function findLease(folder: string, clock: () => Date): Promise<FoundLease | undefined> {
  const read = await readLeaseIn(folder);
  if (read === undefined) return undefined;
  const fate = await fateOf(read.holder, await ownProcess());
  // Only on this machine its own clock dates the heartbeats.
  const now = (fate === 'unknown' ? await fileClock(dirname(folder)) : undefined) ?? clock().getTime();
  const silentFor = Math.max(0, now - read.beatAt);
  const { holder, beatAt, place } = read;
  return { state: leaseStateOf(fate, read, silentFor), holder, heartbeatAt: new Date(beatAt), silentFor, place };
}

/** A process that is certainly there keeps its lease, however long it was silent: it may have been suspended. */
function leaseStateOf(fate: Fate, { holder }: StoredLease, silentFor: number): LeaseState {
  if (fate === 'gone') return 'dead';
  return fate === 'unknown' && silentFor > holder.lifetime ? 'expired' : 'held';
}

const toDamagedLease =
  (place: string) =>
  (error: unknown): DamagedLease => {
    if (error instanceof DexsyncError && error.code === 'LEASE_DAMAGED') return { state: 'damaged', place };
    throw error;
  };

interface Holding {
  readonly holder: Holder;
  readonly folder: string;
  readonly clock: () => Date;
  readonly beatEvery: number;
}

function holdLease({ holder, folder, clock, beatEvery }: Holding): Lease {
  const place = leasePath(folder, holder.token);
  let beatAt = clock().getTime();
  // Written in its place: a rename would bring back a file that somebody removed in order to take over.
  const beat = async (): Promise<void> => {
    const file = await open(place, 'r+');
    try {
      await file.write(leaseText(holder), 0);
      beatAt = clock().getTime();
    } finally {
      await file.close();
    }
  };
  const look = async (): Promise<void> => (await open(place, 'r')).close();
  // One that fails is made up for by the next; that a lease was lost is for `check` to say.
  const timer = setInterval(() => void beat().catch(() => undefined), beatEvery).unref();
  return {
    async check() {
      // After a pause, such as of a machine that slept, others may be about to take over.
      const late = Math.abs(clock().getTime() - beatAt) > holder.lifetime / 2;
      try {
        await (late ? beat() : look());
      } catch (error) {
        if (isMissingFile(error))
          throw lostLease(holder, await findLease(folder, clock).catch(() => undefined), clock());
        throwAsDisk(error, `The lock ${place}`);
      }
    },
    async release() {
      clearInterval(timer);
      // What cannot be removed is found dead by the next command.
      await dropLease(place).catch(() => undefined);
    },
  };
}

function lostLease({ environment }: Holder, by: FoundLease | undefined, now: Date): DexsyncError {
  const how = by === undefined ? 'its file was removed' : `it was taken by ${holderText(by, now)}`;
  return new DexsyncError('LEASE_LOST', `The lock on environment ${environment} was lost: ${how}.`, {
    hint: 'No further write was sent. When no other dexsync works in this environment, repeat the command: steps that are done are not repeated.',
  });
}
