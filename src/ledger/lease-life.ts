import { DexsyncError } from '#base/errors.js';
import { type Fate, ownProcess, type ProcessFacts, processFate } from '#base/files/process-facts.js';
import type { LeaseState } from '#core/model/lease-facts.js';
import { holderText } from './holder.js';
import type { Claim, FoundLease, Holder } from './lease.js';

/** How leases are kept alive. */
export interface LeaseTiming {
  readonly clock: () => Date;
  /** A new random name. */
  readonly nonce: () => string;
  /** Milliseconds between heartbeats, and without one until others may take the lease; each backend has defaults. */
  readonly beatEvery?: number;
  readonly lifetime?: number;
  /** Who this process is. */
  readonly self?: () => Promise<ProcessFacts>;
}

/** Defaults for backends with cheap heartbeats: 5 s and 60 s. */
export const BEAT_EVERY = 5000;
const LIFETIME = 60_000;

/** This process as the holder of a lease. */
export const newHolder = async (
  claim: Claim,
  { clock, nonce, lifetime = LIFETIME, self = ownProcess }: LeaseTiming,
): Promise<Holder> => ({
  ...claim,
  ...(await self()),
  token: nonce(),
  startedAt: clock().toISOString(),
  lifetime,
});

/** Whether a holder still runs, as far as this process can see. */
export const fateOfHolder = async (holder: Holder, { self = ownProcess }: LeaseTiming): Promise<Fate> =>
  processFate(holder, await self());

/** A process that certainly runs keeps its lease, however long it was silent: it may have been suspended. */
export function judgeLease(fate: Fate, { lifetime }: Holder, silentFor: number): LeaseState {
  if (fate === 'gone') return 'dead';
  return fate === 'unknown' && silentFor > lifetime ? 'expired' : 'held';
}

/** LEASE_LOST, with the new holder if it is known. */
export function lostLease(
  { environment }: Holder,
  by: FoundLease | undefined,
  clock: () => Date,
  removed = 'its file was removed',
): DexsyncError {
  const how = by === undefined ? removed : `it was taken by ${holderText(by, clock())}`;
  return new DexsyncError('LEASE_LOST', `The lock on environment ${environment} was lost: ${how}.`, {
    hint: 'No further write was sent. When no other dexsync works in this environment, repeat the command: steps that are done are not repeated.',
  });
}
