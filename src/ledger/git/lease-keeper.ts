import { DexsyncError } from '#base/errors.js';
import type { Holder, Lease } from '../lease.js';
import type { LeaseTiming } from '../lease-life.js';
import type { Branch } from './branch.js';
import { type HeldLeases, LOOK_EVERY, removeLease, renewLeases } from './lease-files.js';

/** Keeps the leases of this process alive, all of them with one heartbeat. */
export interface LeaseKeeper {
  /** Keeps a lease that was just taken until it is released. */
  keep(path: string, holder: Holder): Lease;
}

/** Milliseconds of standstill after which a process confirms its leases before it writes. */
const SUSPENDED = 5000;

/** What keeping leases alive needs. */
export interface LeaseKeeperOptions {
  readonly branch: Branch;
  readonly held: HeldLeases;
  readonly timing: LeaseTiming & { readonly beatEvery: number };
}

export function leaseKeeper({ branch, held, timing }: LeaseKeeperOptions): LeaseKeeper {
  const { clock, beatEvery } = timing;
  let confirmed = momentOf(clock);
  let looked = confirmed;
  let ticked = confirmed;
  let isLost = false;
  let beating: Promise<void> | undefined;
  let timers: readonly NodeJS.Timeout[] = [];
  // A change without edits of its own writes only the heartbeats of all leases.
  const renew = async (): Promise<void> => {
    const moment = momentOf(clock);
    const [holder] = held.values();
    await branch.change({
      subject: `${holder?.environment} (${holder?.service}): "${holder?.command}" of ${holder?.user} goes on`,
      edits: (_, renewal) => renewal(),
    });
    confirmed = moment;
  };
  const beat = (): Promise<void> => {
    beating ??= renew().finally(() => {
      beating = undefined;
    });
    return beating;
  };
  // The next heartbeat makes up for a failed one, unless that found a lost lease.
  const learn = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      isLost ||= error instanceof DexsyncError && error.code === 'LEASE_LOST';
    });
  };
  const look = async (): Promise<unknown> => renewLeases(held, await branch.refresh(), timing);
  const tick = (): void => {
    if (ageOf(ticked, clock) < SUSPENDED) ticked = momentOf(clock);
  };
  const start = (): void => {
    confirmed = momentOf(clock);
    ticked = confirmed;
    timers = [setInterval(() => learn(beat()), beatEvery).unref(), setInterval(tick, SUSPENDED / 5).unref()];
  };
  const check = async (): Promise<void> => {
    const wasSuspended = ageOf(ticked, clock) > SUSPENDED;
    // Others may be about to take the leases, or may have done so long ago.
    const [{ lifetime = 0 } = {}] = held.values();
    if (isLost || wasSuspended || ageOf(confirmed, clock) > lifetime / 2) {
      await beat();
      ticked = momentOf(clock);
    } else if (ageOf(looked, clock) > LOOK_EVERY) {
      // Not awaited, since it takes longer than most writes: a loss that it finds stops the next write.
      looked = momentOf(clock);
      learn(look());
    }
  };
  return {
    keep(path, holder) {
      if (held.size === 0) start();
      held.set(path, { ...holder, beats: 0, beatAt: '' });
      return {
        check,
        async release() {
          held.delete(path);
          if (held.size === 0) timers.forEach(clearInterval);
          const subject = `${holder.environment} (${holder.service}): "${holder.command}" of ${holder.user} on ${holder.host} ends`;
          // A lease that cannot be removed expires.
          await branch.change({ subject, edits: (tip) => removeLease(path, holder.token, tip) }).catch(() => undefined);
        },
      };
    },
  };
}

/** A moment by both clocks: one stands still while a machine sleeps, the other may be set. */
interface Moment {
  readonly at: number;
  readonly ticks: number;
}

const momentOf = (clock: () => Date): Moment => ({ at: clock().getTime(), ticks: performance.now() });

const ageOf = ({ at, ticks }: Moment, clock: () => Date): number =>
  Math.max(Math.abs(clock().getTime() - at), performance.now() - ticks);
