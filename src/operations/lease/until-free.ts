import { setTimeout as sleep } from 'node:timers/promises';
import { DexsyncError } from '../../errors.js';
import { durationText, holderText, waitedForText } from '../../ledger/holder.js';
import type { FoundLease } from '../../ledger/lease.js';
import { leaseFacts } from '../../ledger/lease-facts.js';
import type { Host } from '../host.js';

export type Attempt<T> = { readonly is: 'free'; readonly with: T } | { readonly is: 'held'; readonly by: FoundLease };

const LOOK_EVERY = 250;

/** Tries again for as long as the user wishes to wait, and tells once that it waits and for whom. */
export async function untilFree<T>(environment: string, host: Host, attempt: () => Promise<Attempt<T>>): Promise<T> {
  const { patience = 0, clock, signal, emit } = host;
  const began = clock().getTime();
  for (let looks = 0; ; looks += 1) {
    const got = await attempt();
    if (got.is === 'free') return got.with;
    const waited = clock().getTime() - began;
    if (waited >= patience) throw locked(got.by, environment, host, looks > 0 ? waited : 0);
    if (looks === 0) {
      const most = Number.isFinite(patience) ? patience / 1000 : null;
      emit({ type: 'locked', environment, by: waitedForText(got.by, clock()), holder: leaseFacts(got.by), most });
    }
    await sleep(Math.min(LOOK_EVERY, patience - waited), undefined, { signal }).catch((cause: unknown) => {
      throw new DexsyncError('INTERRUPTED', `Interrupted while environment ${environment} was waited for.`, { cause });
    });
  }
}

function locked(by: FoundLease, environment: string, { clock }: Host, waited: number): DexsyncError {
  const so = waited === 0 ? '' : ` It was waited for ${durationText(waited)}.`;
  const message = `Environment ${environment} is in use by ${holderText(by, clock())}.${so}`;
  return new DexsyncError('LOCKED', message, { hint: hintFor(by) });
}

/** One that is silent for long was suspended, or cannot go on; only a person can tell. */
function hintFor({ holder, silentFor }: FoundLease): string {
  if (silentFor <= holder.lifetime) return '`--wait` waits for it, `dexsync lock show` shows it.';
  return 'It does not answer. Let it go on, end it, or take its place with `dexsync lock release --force`.';
}
