import { DexsyncError } from '../../errors.js';
import type { Holder, Lease } from '../lease.js';
import type { LeaseTiming } from '../lease-life.js';
import type { Branch } from './branch.js';
import { type HeldLeases, LOOK_EVERY, removal, renewLeases } from './lease-files.js';

/** A process that stood still for so many milliseconds makes sure of its leases before it writes. */
const SUSPENDED = 5000;

/** What a lease is kept alive with. */
export interface Holding {
  readonly branch: Branch;
  readonly held: HeldLeases;
  readonly timing: LeaseTiming & { readonly beatEvery: number };
}

/** Keeps a lease that was taken alive, until it is given back. */
export function holdLease(path: string, holder: Holder, { branch, held, timing }: Holding): Lease {
  const { clock, beatEvery } = timing;
  let confirmed = momentOf(clock);
  let looked = confirmed;
  let ticked = confirmed;
  let isLost = false;
  let beating: Promise<void> | undefined;
  // Writing nothing writes the heartbeats of all leases.
  const renew = async (): Promise<void> => {
    const moment = momentOf(clock);
    await branch.change({
      subject: `${holder.environment} (${holder.service}): "${holder.command}" of ${holder.user} goes on`,
      edits: (tip) => renewLeases(held, tip, timing),
    });
    confirmed = moment;
  };
  const beat = (): Promise<void> => {
    beating ??= renew().finally(() => {
      beating = undefined;
    });
    return beating;
  };
  // What fails is made up for by the next, unless it found out that the lease was lost.
  const learn = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => {
      isLost ||= error instanceof DexsyncError && error.code === 'LEASE_LOST';
    });
  };
  const look = async (): Promise<unknown> => renewLeases(held, await branch.refresh(), timing);
  const beats = setInterval(() => learn(beat()), beatEvery).unref();
  const ticks = setInterval(() => {
    if (ageOf(ticked, clock) < SUSPENDED) ticked = momentOf(clock);
  }, SUSPENDED / 5).unref();
  return {
    async check() {
      const wasSuspended = ageOf(ticked, clock) > SUSPENDED;
      // Others may be about to take over, or may have done so long ago.
      if (isLost || wasSuspended || ageOf(confirmed, clock) > holder.lifetime / 2) {
        await beat();
        ticked = momentOf(clock);
      } else if (ageOf(looked, clock) > LOOK_EVERY) {
        // It would take longer than most writes: what it finds keeps the next one back.
        looked = momentOf(clock);
        learn(look());
      }
    },
    async release() {
      clearInterval(beats);
      clearInterval(ticks);
      held.delete(path);
      await branch
        .change({
          subject: `${holder.environment} (${holder.service}): "${holder.command}" of ${holder.user} on ${holder.host} ends`,
          edits: (tip) => removal(path, holder.token, tip),
        })
        // What cannot be removed expires.
        .catch(() => undefined);
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
