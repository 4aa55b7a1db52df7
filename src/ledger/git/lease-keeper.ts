import { DexsyncError } from '#base/errors.js';
import type { Holder, Lease } from '../lease.js';
import type { LeaseTiming } from '../lease-life.js';
import type { Branch } from './branch.js';
import { type HeldLeases, LOOK_EVERY, removeLease, renewLeases } from './lease-files.js';

/** Milliseconds of standstill after which a process confirms its leases before it writes. */
const SUSPENDED = 5000;

/** What keeping leases alive needs. */
export interface LeaseKeeperOptions {
  readonly branch: Branch;
  readonly held: HeldLeases;
  readonly timing: LeaseTiming & { readonly beatEvery: number };
}

/** Keeps the leases of this process alive, all of them with one heartbeat. */
export class LeaseKeeper {
  readonly #options: LeaseKeeperOptions;
  #confirmed: Moment;
  #looked: Moment;
  #ticked: Moment;
  #isLost = false;
  #beating: Promise<void> | undefined;
  #timers: readonly NodeJS.Timeout[] = [];

  constructor(options: LeaseKeeperOptions) {
    this.#options = options;
    this.#confirmed = this.#looked = this.#ticked = momentOf(options.timing.clock);
  }

  /** Keeps a lease that was just taken until it is released. */
  keep(path: string, holder: Holder): Lease {
    const { held } = this.#options;
    if (held.size === 0) this.#start();
    held.set(path, { ...holder, beats: 0, beatAt: '' });
    return { check: () => this.#check(), release: () => this.#release(path, holder) };
  }

  #start(): void {
    const { clock, beatEvery } = this.#options.timing;
    this.#confirmed = this.#ticked = momentOf(clock);
    const tick = (): void => {
      if (ageOf(this.#ticked, clock) < SUSPENDED) this.#ticked = momentOf(clock);
    };
    const beat = (): void => this.#learn(this.#beat());
    this.#timers = [setInterval(beat, beatEvery).unref(), setInterval(tick, SUSPENDED / 5).unref()];
  }

  async #check(): Promise<void> {
    const { held, timing, branch } = this.#options;
    const wasSuspended = ageOf(this.#ticked, timing.clock) > SUSPENDED;
    // Others may be about to take the leases, or may have done so long ago.
    const [{ lifetime = 0 } = {}] = held.values();
    if (this.#isLost || wasSuspended || ageOf(this.#confirmed, timing.clock) > lifetime / 2) {
      await this.#beat();
      this.#ticked = momentOf(timing.clock);
    } else if (ageOf(this.#looked, timing.clock) > LOOK_EVERY) {
      // Not awaited, since it takes longer than most writes: a loss that it finds stops the next write.
      this.#looked = momentOf(timing.clock);
      this.#learn(branch.refresh().then((tip) => renewLeases(held, tip, timing)));
    }
  }

  #beat(): Promise<void> {
    this.#beating ??= this.#renew().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** A change without edits of its own writes only the heartbeats of all leases. */
  async #renew(): Promise<void> {
    const { branch, held, timing } = this.#options;
    const moment = momentOf(timing.clock);
    const [holder] = held.values();
    await branch.change({
      subject: `${holder?.environment} (${holder?.service}): "${holder?.command}" of ${holder?.user} goes on`,
      edits: (_, renewal) => renewal(),
    });
    this.#confirmed = moment;
  }

  /** The next heartbeat makes up for a failed one, unless that found a lost lease. */
  #learn(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      this.#isLost ||= error instanceof DexsyncError && error.code === 'LEASE_LOST';
    });
  }

  async #release(path: string, { environment, service, command, user, host, token }: Holder): Promise<void> {
    const { branch, held } = this.#options;
    held.delete(path);
    if (held.size === 0) this.#timers.forEach(clearInterval);
    const subject = `${environment} (${service}): "${command}" of ${user} on ${host} ends`;
    // A lease that cannot be removed expires.
    await branch.change({ subject, edits: (tip) => removeLease(path, token, tip) }).catch(() => undefined);
  }
}

/** A moment by both clocks: one stands still while a machine sleeps, the other may be set. */
interface Moment {
  readonly at: number;
  readonly ticks: number;
}

const momentOf = (clock: () => Date): Moment => ({ at: clock().getTime(), ticks: performance.now() });

const ageOf = ({ at, ticks }: Moment, clock: () => Date): number =>
  Math.max(Math.abs(clock().getTime() - at), performance.now() - ticks);
