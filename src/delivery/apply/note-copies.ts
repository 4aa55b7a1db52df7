import type { Address } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { Event } from '#core/stream/event.js';
import type { Journal } from '#ledger/ledger.js';
import { type Failure, failureFields } from './failure.js';

/** The effects of looking for copies. */
export interface CopySearchPorts {
  /** Looks for copies after the last step; returns the failures of the steps that created them. */
  readonly lookForCopies?: () => Promise<ReadonlyMap<Address, Failure>>;
  readonly journal: Pick<Journal, 'append'>;
  readonly clock: () => Date;
  readonly emit: (event: Event) => void;
  readonly signal: AbortSignal;
}

/** Records and emits copies that creations made. An interrupted apply skips this: the next plan sees them. */
export async function noteCopies(
  { steps }: Plan,
  { journal, clock, emit, signal, lookForCopies }: CopySearchPorts,
): Promise<ReadonlyMap<Address, Failure>> {
  if (signal.aborted || lookForCopies === undefined) return new Map();
  const found = await lookForCopies();
  for (const { address, action, writes } of steps) {
    const status = found.get(address);
    if (status === undefined) continue;
    const write = writes.findIndex(({ verb }) => verb === 'create');
    const record = { type: 'outcome', at: clock().toISOString(), address, write, ...failureFields(status) } as const;
    await journal.append(record, 'soon').catch(() => undefined);
    emit({ type: 'step', address, action, status });
  }
  return found;
}
