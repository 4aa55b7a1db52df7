import type { Address } from '#core/model/address.js';
import { type JobState, rowsInEffect } from '#core/model/job-state.js';
import type { JournalRecord } from '../journal-record.js';

/** The last known state of an import in an apply. */
export interface JobResult {
  readonly address: Address;
  readonly at: string;
  readonly state: JobState['state'];
  /** The service's number of the run. */
  readonly number?: number;
  /** Rows that were sent, took effect, and did not; only of settled runs. */
  readonly rows?: number;
  readonly committed?: number;
  readonly failed?: number;
}

/** The last state of each import in a journal. */
export function jobResults(records: readonly JournalRecord[]): JobResult[] {
  const jobs = new Map<Address, JobResult>();
  for (const record of records) {
    if (record.type !== 'job') continue;
    const { address, at, job } = record;
    const [number] = job.runs.map((run) => (run.number === undefined ? {} : { number: run.number }));
    jobs.set(address, { address, at, state: job.state, ...number, ...jobRows(job) });
  }
  return [...jobs.values()];
}

/** Counts the rows of an import; after a commit, rows that did not take effect count as failed. */
export function jobRows(job: JobState): Pick<JobResult, 'rows' | 'committed' | 'failed'> {
  if (!('rows' in job)) return {};
  const { state, rows, failed } = job;
  if (state !== 'committed') return { rows, committed: 0, failed };
  const committed = rowsInEffect(job);
  return { rows, committed, failed: rows - committed };
}
