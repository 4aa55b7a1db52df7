import type { JobState } from '../model/job-state.js';
import type { JobRecord } from './record.js';

/** What dexsync knows of a workspace beyond its live state. */
export interface LedgerState {
  /** By the key of their content. */
  readonly jobs: ReadonlyMap<string, JobState>;
}

/** The records of a workspace's journals, oldest first, as the state that they add up to. */
export function fold(journals: Iterable<readonly JobRecord[]>): LedgerState {
  const jobs = new Map<string, JobState>();
  for (const records of journals) for (const { key, job } of records) jobs.set(key, job);
  return { jobs };
}
