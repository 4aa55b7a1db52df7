import { DexsyncError } from '#base/errors.js';
import type { Address } from '#core/model/address.js';
import type { JobRun, JobState } from '#core/model/job-state.js';
import type { ImportOutcome } from '#core/stream/import-outcome.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import { openImportRunReads } from '#service/import-runs.js';
import type { PreparedImport } from '../bulk/prepare.js';
import { commitRule, type Job } from './job.js';
import type { FoundImport } from './known-imports.js';
import { type FailedRows, failedRows } from './read-back.js';
import { decide } from './run/decide-commit.js';
import { type CompleteRun, failedIn, readErrors } from './run/run-errors.js';
import type { SentRun } from './run/run-input.js';
import { sumRuns } from './run/sum-runs.js';

/**
 * Reads the outcome of an import's runs again from the service: two requests for a run with failed rows, one otherwise.
 */
export async function readOutcome(found: FoundImport, job: Job, client: Reader, host: Host): Promise<ImportOutcome> {
  const { prepared } = job;
  const readsOf = readsOfRuns(client);
  const complete = await readComplete(found.address, found.job.runs, readsOf);
  const sent = complete.map(({ job, run }, index): SentRun => {
    const part = prepared.parts[index];
    if (part === undefined) throw runNotCompleteError(found.address, job, run.status);
    return { job, part, run };
  });
  const { signal } = host;
  const emit = (): void => undefined;
  const phase = sent.some(({ run }) => run.commit) ? 'committing' : 'validating';
  const errors = await readErrors(sent, phase, { prepared, signal, emit, readsOf });
  const settled = sumRuns(sent, errors, prepared);
  if (phase === 'committing') return { ...settled, outcome: 'committed' };
  const decision = decide(commitRule(job), errors.count, prepared.rows);
  if (decision.decision !== 'reject') return { ...settled, outcome: 'validated' };
  return { ...settled, outcome: 'rejected', limit: decision.limit, reason: decision.reason };
}

/**
 * The data rows of the runs of a commit that failed: two requests for a run with failed rows, one otherwise. Nothing is
 * read if none did.
 */
export async function rowsWithoutEffect(
  {
    address,
    job: { runs },
    failed = 0,
  }: Pick<FoundImport, 'address' | 'failed'> & { readonly job: Pick<JobState, 'runs'> },
  prepared: PreparedImport,
  { reader, signal }: { readonly reader: Reader; readonly signal: AbortSignal },
): Promise<FailedRows> {
  if (failed === 0) return { rows: new Set(), unplaced: 0 };
  const readsOf = readsOfRuns(reader);
  const sent = await readComplete(address, runs, readsOf);
  await readErrors(sent, 'committing', { prepared, signal, emit: () => undefined, readsOf });
  const counts = sent.map(({ run, part: { first } }) => ({ first, failed: failedIn(run) }));
  return failedRows(counts, prepared);
}

/** Reads runs with one request each; throws RUN_FAILED for one that is not complete. */
async function readComplete(
  address: Address,
  runs: readonly JobRun[],
  readsOf: ReturnType<typeof readsOfRuns>,
): Promise<CompleteRun[]> {
  const complete: CompleteRun[] = [];
  for (const job of runs) {
    const run = await readsOf(job).read(job.run);
    if (run.status !== 'COMPLETE') throw runNotCompleteError(address, job, run.status);
    complete.push({ job, part: job, run });
  }
  return complete;
}

/** Opens the reads of a run; old journals do not record to which definition it belongs. */
const readsOfRuns =
  (reader: Reader) =>
  ({ definition }: JobRun) => {
    if (definition !== undefined) return openImportRunReads(reader, definition);
    throw new DexsyncError('RUN_GONE', 'The import definition of a run is not recorded.', {
      hint: 'Check the run in the service.',
    });
  };

const runNotCompleteError = (address: Address, { number }: JobRun, status: string): DexsyncError =>
  new DexsyncError('RUN_FAILED', `A run of ${address} is ${status}: it has no report yet.`, {
    hint: `Use \`dexsync import resume ${number ?? address}\` to wait for it.`,
  });
