import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError } from '#base/errors.js';
import { durationText, holderText, waitedForText } from '#ledger/holder.js';
import type { FoundLease } from '#ledger/lease.js';
import { toLeaseFacts } from '#ledger/lease-facts.js';
import type { Host } from '../host.js';

/** The result of one attempt: the environment is free, with the value taken, or another process uses it. */
export type Attempt<T> = { readonly is: 'free'; readonly with: T } | { readonly is: 'held'; readonly by: FoundLease };

const LOOK_EVERY = 250;

/** Tries until the environment is free. */
export type WaitForLease = <T>(attempt: () => Promise<Attempt<T>>) => Promise<T>;

/**
 * Creates a function that retries four times a second, as long as the user wishes to wait in each call. Reports once
 * that it waits, and for whom. Throws LOCKED when the time is over, and INTERRUPTED.
 */
export function leaseWaiter(environment: string, host: Host): WaitForLease {
  const { patience = 0, clock, signal, emit } = host;
  let told = false;
  const tell = (by: FoundLease): void => {
    const time = Math.max(patience, by.expiresIn ?? 0);
    const most = Number.isFinite(time) ? Math.ceil(time / 1000) : null;
    const silent = by.expiresIn === undefined ? {} : { silent: true };
    const holder = toLeaseFacts(by);
    if (!told) emit({ type: 'locked', environment, by: waitedForText(by, clock()), holder, most, ...silent });
    told = true;
  };
  return async (attempt) => {
    const began = clock().getTime();
    for (;;) {
      const got = await attempt();
      if (got.is === 'free') return got.with;
      const waited = clock().getTime() - began;
      const { lookAgainIn = LOOK_EVERY, expiresIn = 0 } = got.by;
      const left = Math.max(patience - waited, expiresIn);
      if (left <= 0) throw environmentInUse(got.by, environment, host, patience);
      tell(got.by);
      await sleep(Math.min(lookAgainIn, left), undefined, { signal }).catch((cause: unknown) => {
        throw new DexsyncError('INTERRUPTED', `Interrupted while waiting for environment ${environment}.`, {
          cause,
        });
      });
    }
  };
}

function environmentInUse(by: FoundLease, environment: string, { clock }: Host, waited: number): DexsyncError {
  const so = waited === 0 ? '' : ` Waited for ${durationText(waited)}.`;
  const message = `Environment ${environment} is in use by ${holderText(by, clock())}.${so}`;
  return new DexsyncError('LOCKED', message, { hint: hintFor(by) });
}

/** A process that is silent for long was suspended, or cannot continue; only a person can find out. */
function hintFor({ holder, silentFor }: FoundLease): string {
  if (silentFor <= holder.lifetime) return 'Use `--wait` to wait for it; `dexsync lock show` shows who holds the lock.';
  return 'That process does not respond. Resume it, end it, or release its lock with `dexsync lock release --force`.';
}
