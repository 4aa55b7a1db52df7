import type { Backend } from '#ledger/backend.js';
import type { LeaseTiming } from '#ledger/lease-life.js';

/** Where a ledger is kept, and how another process opens it; what is opened is closed when the test ends. */
export interface Place {
  open(timing?: Partial<LeaseTiming>): Promise<Backend>;
}

let nonces = 0;

/** A real clock and names of their own. */
export const timingOf = (over: Partial<LeaseTiming> = {}): LeaseTiming => ({
  clock: () => new Date(),
  nonce: () => `n${nonces++}`,
  ...over,
});
