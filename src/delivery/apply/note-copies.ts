import type { Address } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import type { Journal } from '#ledger/ledger.js';
import { type Failure, recordOf } from './failure.js';

/** The effects of looking for copies. */
export interface LookingForCopies {
  /** Looks, after the last step, for what creations made besides; what their steps come to by that. */
  readonly lookForCopies?: () => Promise<ReadonlyMap<Address, Failure>>;
  readonly journal: Pick<Journal, 'append'>;
  readonly clock: () => Date;
  readonly emit: (event: Event) => void;
  readonly signal: AbortSignal;
}

/** Records and tells what creations made besides. An apply that was interrupted sends nothing more: the next plan sees what it left. */
export async function noteCopies(
  { steps }: Plan,
  { journal, clock, emit, signal, lookForCopies }: LookingForCopies,
): Promise<ReadonlyMap<Address, Failure>> {
  if (signal.aborted || lookForCopies === undefined) return new Map();
  const found = await lookForCopies();
  for (const { address, action, writes } of steps) {
    const status = found.get(address);
    if (status === undefined) continue;
    const write = writes.findIndex(({ verb }) => verb === 'create');
    const record = { type: 'outcome', at: clock().toISOString(), address, write, ...recordOf(status) } as const;
    await journal.append(record, 'soon').catch(() => undefined);
    emit({ type: 'step', address, action, status });
  }
  return found;
}
