import type { Address } from '#core/model/address.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { Actor } from '#core/model/provenance.js';
import type { LedgerState } from './fold.js';
import type { JournalRecord, StateRecord } from './journal-record.js';
import type { Durable } from './journal-store.js';

/** The ledger of one workspace identity. */
export interface Ledger {
  state(): Promise<LedgerState>;
  /** The newest step of an object whose writes were all done; undefined if there is none. */
  lastApplied(address: Address): Promise<AppliedStep | undefined>;
  /** The journals, the oldest first. Each is read on demand. */
  journals(): Promise<readonly StoredJournal[]>;
  /** The apply of the plan with this nonce, also a partial one; undefined if there was none. */
  applyOf(nonce: string): Promise<AppliedPlan | undefined>;
  /** Starts the journal of one apply. When it returns, the plan and `records` are durable. */
  begin(plan: Plan, at: string, apply?: ApplyFacts, records?: readonly StateRecord[]): Promise<Journal>;
}

/** A stored journal, whose text is read on demand. */
export interface StoredJournal {
  readonly name: string;
  /** When it was begun, according to its name: ISO 8601 in UTC. */
  readonly begun?: string;
  text(): Promise<string>;
}

/** A journal with its permanent number; 1 is the oldest of its workspace. */
export interface NumberedJournal extends StoredJournal {
  readonly number: number;
}

/** What is known about the apply of a plan. */
export interface AppliedPlan {
  /** When it began, ISO 8601 in UTC. */
  readonly at: string;
  /** Who was logged in. */
  readonly by?: string;
  readonly isEnded: boolean;
}

/** What an apply did to one object. */
export interface AppliedStep extends Pick<Step, 'action' | 'reason' | 'message' | 'fields'> {
  /** When its last write was answered, ISO 8601 in UTC. */
  readonly at: string;
  readonly environment: string;
  /** The number of the apply in the history, and who ran it, which old journals do not record. */
  readonly number: number;
  readonly actor?: Actor;
}

/** The append-only record of one apply. Appended records are durable when `append` returns, unless `soon` is enough. */
export interface Journal {
  append(record: JournalRecord, when?: Durable): Promise<void>;
  close(): Promise<void>;
}
