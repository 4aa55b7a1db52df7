import type { Plan } from '../model/plan.js';
import type { LedgerState } from './fold.js';
import type { JournalRecord } from './record.js';

/** Where a workspace's ledger is kept. One ledger per workspace identity. */
export interface Ledger {
  state(): Promise<LedgerState>;
  /** Starts the journal of one apply. When it returns, the plan is durable. */
  begin(plan: Plan, at: string): Promise<Journal>;
}

/** The append-only record of one apply. When `append` returns, the record is durable. */
export interface Journal {
  append(record: JournalRecord): Promise<void>;
  close(): Promise<void>;
}
