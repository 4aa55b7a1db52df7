import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DexsyncError, throwAsDisk } from '../errors.js';
import { type Fate, fateOf, ownProcess } from '../files/process-facts.js';
import { holderText } from './holder.js';
import type { DamagedLease, FoundLease, Holder, Lease, LeaseState, Leases } from './lease.js';
import {
  contentOf,
  dropped,
  emptied,
  fileClock,
  isAbsent,
  leaseFolder,
  leaseFolders,
  placed,
  type ReadLease,
  readIn,
  recordPath,
  serviceFolder,
  sweep,
} from './lease-files.js';

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

/** Leases as files; see lease-files.ts. A heartbeat is the time at which its file was last written. */
export function fileLeases({
  root,
  clock,
  nonce,
  beatEvery = BEAT_EVERY,
  lifetime = LIFETIME,
}: FileLeasesOptions): Leases {
  const find = (folder: string): Promise<FoundLease | undefined> => foundIn(folder, clock);
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
      return told(folder, async () => {
        for (;;) {
          const by = await find(folder);
          if (by?.state === 'held') return { is: 'held', by };
          await (by === undefined ? emptied(folder) : dropped(by.place));
          if (!(await placed(holder, folder))) continue;
          await sweep(dirname(folder), clock().getTime());
          return { is: 'taken', lease: heldLease({ holder, folder, clock, beatEvery }) };
        }
      });
    },
    find: (key) => told(leaseFolder(root, key), () => find(leaseFolder(root, key))),
    async list(service) {
      const folder = serviceFolder(root, service);
      return told(folder, async () => {
        const all = await Promise.all((await leaseFolders(folder)).map((one) => find(one).catch(asDamaged(one))));
        return all.filter((one) => one !== undefined);
      });
    },
    remove: (place) => told(place, () => dropped(place)),
  };
}

const told = <T>(place: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => throwAsDisk(error, `The lease in ${place}`));

async function foundIn(folder: string, clock: () => Date): Promise<FoundLease | undefined> {
  const read = await readIn(folder);
  if (read === undefined) return undefined;
  const fate = await fateOf(read.holder, await ownProcess());
  // Only on this machine its own clock dates the heartbeats.
  const now = (fate === 'unknown' ? await fileClock(dirname(folder)) : undefined) ?? clock().getTime();
  const silentFor = Math.max(0, now - read.beatAt);
  const { holder, beatAt, place } = read;
  return { state: stateOf(fate, read, silentFor), holder, heartbeatAt: new Date(beatAt), silentFor, place };
}

/** A process that is certainly there keeps its lease, however long it was silent: it may have been suspended. */
function stateOf(fate: Fate, { holder }: ReadLease, silentFor: number): LeaseState {
  if (fate === 'gone') return 'dead';
  return fate === 'unknown' && silentFor > holder.lifetime ? 'expired' : 'held';
}

const asDamaged =
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

function heldLease({ holder, folder, clock, beatEvery }: Holding): Lease {
  const place = recordPath(folder, holder.token);
  let beatAt = clock().getTime();
  // Written in its place: a rename would bring back a file that somebody removed in order to take over.
  const beat = async (): Promise<void> => {
    const file = await open(place, 'r+');
    try {
      await file.write(contentOf(holder), 0);
      beatAt = clock().getTime();
    } finally {
      await file.close();
    }
  };
  const seen = async (): Promise<void> => (await open(place, 'r')).close();
  // One that fails is made up for by the next; that a lease was lost is for `check` to say.
  const timer = setInterval(() => void beat().catch(() => undefined), beatEvery).unref();
  return {
    async check() {
      // After a pause, such as of a machine that slept, others may be about to take over.
      const late = Math.abs(clock().getTime() - beatAt) > holder.lifetime / 2;
      try {
        await (late ? beat() : seen());
      } catch (error) {
        if (isAbsent(error)) throw lost(holder, await foundIn(folder, clock).catch(() => undefined), clock());
        throwAsDisk(error, `The lease ${place}`);
      }
    },
    async release() {
      clearInterval(timer);
      // What cannot be removed is found dead by the next command.
      await dropped(place).catch(() => undefined);
    },
  };
}

function lost({ environment }: Holder, by: FoundLease | undefined, now: Date): DexsyncError {
  const how = by === undefined ? 'its file was removed' : `it was taken over by ${holderText(by, now)}`;
  return new DexsyncError('LEASE_LOST', `The lease of environment ${environment} was lost: ${how}.`, {
    hint: 'No further write was sent. Once no other dexsync is at work there, repeat the command: what was done is not done again.',
  });
}
