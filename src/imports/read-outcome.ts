import { DexsyncError } from '../errors.js';
import type { Host } from '../host.js';
import type { JobRun } from '../model/job-state.js';
import type { Reader } from '../service/client.js';
import { openImportRunReads } from '../service/import-runs.js';
import type { ImportOutcome } from '../stream/import-outcome.js';
import type { Job } from './job.js';
import type { FoundImport } from './known-imports.js';
import { failedRows } from './read-back.js';
import { decide } from './run/decide.js';
import { readErrors } from './run/run-errors.js';
import type { SentRun } from './run/run-input.js';
import { settledOf } from './run/settled.js';

/**
 * What the runs of an import came to, read again from the service: two requests for a run with failed rows, one
 * otherwise.
 */
export async function outcomeOf(
  found: FoundImport,
  { prepared, rule }: Job,
  client: Reader,
  host: Host,
): Promise<ImportOutcome> {
  const readsOf = (job: JobRun) => openImportRunReads(client, definitionOf(job, found));
  const sent: SentRun[] = [];
  for (const [index, job] of found.job.runs.entries()) {
    const part = prepared.parts[index];
    const run = await readsOf(job).read(job.run);
    if (part === undefined || run.status !== 'COMPLETE') throw underWay(found, run.status);
    sent.push({ job, part, run });
  }
  const { signal } = host;
  const emit = (): void => undefined;
  const phase = sent.some(({ run }) => run.commit) ? 'committing' : 'validating';
  const errors = await readErrors(sent, phase, { prepared, signal, emit, readsOf });
  const settled = settledOf(sent, errors, prepared);
  if (phase === 'committing') return { ...settled, outcome: 'committed' };
  const decision = decide(rule, errors.count, prepared.rows);
  if (decision.decision !== 'reject') return { ...settled, outcome: 'validated' };
  return { ...settled, outcome: 'rejected', limit: decision.limit, reason: decision.reason };
}

/** The data rows of a committed import that failed; nothing is read where none did. */
export async function rowsWithoutEffect(
  found: FoundImport,
  job: Job,
  client: Reader,
  host: Host,
): Promise<ReadonlySet<number>> {
  if ((found.failed ?? 0) === 0) return new Set();
  return failedRows((await outcomeOf(found, job, client, host)).counts, job);
}

/** Old journals do not tell to which definition a run belongs. */
function definitionOf({ definition }: JobRun, { address }: FoundImport): string {
  if (definition !== undefined) return definition;
  throw new DexsyncError('RUN_GONE', `The import definition of the run of ${address} is not recorded.`, {
    hint: 'Check the run in the service.',
  });
}

const underWay = ({ address, runs }: FoundImport, status: string): DexsyncError =>
  new DexsyncError('RUN_FAILED', `A run of ${address} is ${status}: it has no report yet.`, {
    hint: `Use \`dexsync import resume ${runs[0] ?? address}\` to wait for it.`,
  });
