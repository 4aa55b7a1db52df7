import type { Address } from '#core/model/address.js';
import type { ApplyFacts } from '#core/model/apply-facts.js';
import type { Plan, Step } from '#core/model/plan.js';
import type { Actor } from '#core/model/provenance.js';
import type { LedgerState } from './fold.js';
import type { JournalRecord, StateRecord } from './journal-record.js';
import type { Durable } from './journal-store.js';

/** Where a workspace's ledger is kept. One ledger per workspace identity. */
export interface Ledger {
  state(): Promise<LedgerState>;
  /** The newest step of an object whose writes were all done; undefined where there is none. */
  lastApplied(address: Address): Promise<AppliedStep | undefined>;
  /** The journals, the oldest first. None is read before it is asked for. */
  journals(): Promise<readonly StoredJournal[]>;
  /** Whether a plan of that nonce was applied here, wholly or in part. */
  applyOf(nonce: string): Promise<AppliedPlan | undefined>;
  /** Starts the journal of one apply. When it returns, the plan is durable, and so are the records that go with it. */
  begin(plan: Plan, at: string, apply?: ApplyFacts, records?: readonly StateRecord[]): Promise<Journal>;
}

/** A journal as it is kept, read when its text is asked for. */
export interface StoredJournal {
  readonly name: string;
  /** When it was begun, by its name: ISO 8601 in UTC. */
  readonly begun?: string;
  text(): Promise<string>;
}

/** A journal with the number that it has for good: 1 is the oldest of its workspace. */
export interface NumberedJournal extends StoredJournal {
  readonly number: number;
}

/** What is known of the apply of a plan. */
export interface AppliedPlan {
  /** When it began, ISO 8601 in UTC. */
  readonly at: string;
  /** Who was logged in. */
  readonly by?: string;
  readonly ended: 'yes' | 'no';
}

/** What an apply did to one object. */
export interface AppliedStep extends Pick<Step, 'action' | 'reason' | 'message' | 'fields'> {
  /** When its last write was answered, ISO 8601 in UTC. */
  readonly at: string;
  readonly environment: string;
  /** Which apply it was, as the history counts them, and who did it; old journals do not tell. */
  readonly number: number;
  readonly actor?: Actor;
}

/** The append-only record of one apply. Records of `append` are durable when it returns, unless `soon` is enough for them. */
export interface Journal {
  append(record: JournalRecord, when?: Durable): Promise<void>;
  close(): Promise<void>;
}
