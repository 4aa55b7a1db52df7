import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import type { DamagedLease, FoundLease, Holder, Lease, Leases, TakeResult } from '../lease.js';
import { BEAT_EVERY, fateOfHolder, judgeLease, type LeaseTiming, lostLease, newHolder } from '../lease-life.js';
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
  serviceFolder,
  sweepLeftovers,
} from './lease-on-disk.js';

/** Where leases are kept. */
export interface FileLeasesOptions extends LeaseTiming {
  /** The folder of dexsync's data. */
  readonly root: string;
}

/** Keeps leases as files; see lease-on-disk.ts. A heartbeat is the time at which a file was last written. */
export function fileLeases({ root, ...timing }: FileLeasesOptions): Leases {
  const find = (folder: string): Promise<FoundLease | undefined> => findLease(folder, timing);
  const swept = new Set<string>();
  const sweep = async (folder: string): Promise<void> => {
    if (swept.has(folder)) return;
    swept.add(folder);
    await sweepLeftovers(folder, timing.clock().getTime());
  };
  return {
    async take(claim) {
      const folder = leaseFolder(root, claim);
      const holder = await newHolder(claim, timing);
      return withDiskErrors(folder, () => takeFolder({ holder, folder, timing, sweep }));
    },
    find: (key) => withDiskErrors(leaseFolder(root, key), () => find(leaseFolder(root, key))),
    async list(service) {
      const folder = serviceFolder(root, service);
      return withDiskErrors(folder, async () => {
        const all = (await listLeaseFolders(folder)).map((one) => find(one).catch(toDamagedLease(one)));
        return (await Promise.all(all)).filter((one) => one !== undefined);
      });
    },
    async remove(place) {
      if (place.startsWith(join(root, sep))) await withDiskErrors(place, () => dropLease(place));
    },
  };
}

/** Takes the folder of a lease; looks again if another process was faster. */
async function takeFolder(holding: Holding): Promise<TakeResult> {
  const { holder, folder, timing, sweep } = holding;
  for (;;) {
    const by = await findLease(folder, timing);
    if (by?.state === 'held') return { is: 'held', by };
    if (by !== undefined) await dropLease(by.place);
    if (await placeLease(holder, folder)) break;
    await removeIfEmpty(folder);
  }
  await sweep(dirname(folder));
  return { is: 'taken', lease: holdLease(holding) };
}

const withDiskErrors = <T>(place: string, work: () => Promise<T>): Promise<T> =>
  work().catch((error: unknown) => throwAsDisk(error, `The lock in ${place}`));

async function findLease(folder: string, timing: LeaseTiming): Promise<FoundLease | undefined> {
  const read = await readLeaseIn(folder);
  if (read === undefined) return undefined;
  const fate = await fateOfHolder(read.holder, timing);
  // The clock of this machine dates only its own heartbeats.
  const now = (fate === 'unknown' ? await fileClock(dirname(folder)) : undefined) ?? timing.clock().getTime();
  const silentFor = Math.max(0, now - read.beatAt);
  const { holder, beatAt, place } = read;
  return { state: judgeLease(fate, read.holder, silentFor), holder, heartbeatAt: new Date(beatAt), silentFor, place };
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
  readonly timing: LeaseTiming;
  /** Removes what killed processes left in the folder of a service, once. */
  readonly sweep: (folder: string) => Promise<void>;
}

function holdLease({ holder, folder, timing }: Omit<Holding, 'sweep'>): Lease {
  const { clock, beatEvery = BEAT_EVERY } = timing;
  const place = leasePath(folder, holder.token);
  let beatAt = clock().getTime();
  // Written in place: a rename would restore a file that somebody removed to take the lease.
  const beat = async (): Promise<void> => {
    const file = await open(place, 'r+');
    try {
      await file.write(leaseText(holder), 0);
      beatAt = clock().getTime();
    } finally {
      await file.close();
    }
  };
  // Synchronous, since it precedes each write: handing it to another thread would take longer.
  const look = (): void => closeSync(openSync(place, 'r'));
  // The next heartbeat makes up for a failed one; `check` reports a lost lease.
  const timer = setInterval(() => void beat().catch(() => undefined), beatEvery).unref();
  return {
    async check() {
      // After a pause, as when the machine slept, others may be about to take the lease.
      const late = Math.abs(clock().getTime() - beatAt) > holder.lifetime / 2;
      try {
        await (late ? beat() : look());
      } catch (error) {
        if (isMissingFile(error))
          throw lostLease(holder, await findLease(folder, timing).catch(() => undefined), clock);
        throwAsDisk(error, `The lock ${place}`);
      }
    },
    async release() {
      clearInterval(timer);
      // The next command finds a lease dead that cannot be removed.
      await dropLease(place).catch(() => undefined);
    },
  };
}
