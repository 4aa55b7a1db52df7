import type { JobState } from '../model/job-state.js';
import type { JournalRecord } from './record.js';

/** What dexsync knows of a workspace beyond its live state. */
export interface LedgerState {
  /** By the key of their content. */
  readonly jobs: ReadonlyMap<string, JobState>;
  readonly nonces: ReadonlySet<string>;
}

/** The journals of a workspace, oldest first, as the state that they add up to. */
export function fold(journals: Iterable<readonly JournalRecord[]>): LedgerState {
  const jobs = new Map<string, JobState>();
  const nonces = new Set<string>();
  for (const records of journals) {
    for (const record of records) {
      if (record.type === 'plan') nonces.add(record.plan.nonce);
      else if (record.type === 'job') jobs.set(record.key, record.job);
    }
  }
  return { jobs, nonces };
}
