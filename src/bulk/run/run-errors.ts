import type { ImportRun } from '../../service/import-runs.js';
import { joinErrors } from '../errors/join-errors.js';
import { type ErrorGroup, readReport } from '../errors/report.js';
import { interrupted, type Phase } from './await-run.js';
import type { RunErrors } from './import-outcome.js';
import { type RunInput, runsOfJob, type SentRun } from './run-input.js';

const KEEP = 1000;

/** `errorCount` may be absent until the run is complete (interface 2.2); then what did not succeed has failed. */
export const failedIn = ({ errorCount, totalCount, successCount }: ImportRun): number =>
  errorCount ?? Math.max(0, totalCount - successCount);

/** The failed rows of complete runs, joined to the source. A run without any costs no request. */
export async function readErrors(complete: readonly SentRun[], phase: Phase, input: RunInput): Promise<RunErrors> {
  const { emit, signal, prepared, keepErrors = KEEP } = input;
  const failing = complete.filter(({ run }) => failedIn(run) > 0);
  const all: RunErrors[] = [];
  for (const { job, run } of failing) {
    if (signal.aborted) throw interrupted(run, phase, prepared);
    const report = await readReport(await runsOfJob(job, input).errorContent(run.guid), keepErrors);
    all.push({
      count: Math.max(failedIn(run), report.total),
      kept: await joinErrors(report.errors, prepared),
      groups: report.groups,
    });
  }
  const count = all.reduce((sum, one) => sum + one.count, 0);
  if (count > 0) emit({ type: 'errors-found', phase, errors: count });
  return {
    count,
    kept: all.flatMap(({ kept }) => kept).slice(0, keepErrors),
    groups: together(all.flatMap(({ groups }) => groups)),
  };
}

function together(groups: readonly ErrorGroup[]): ErrorGroup[] {
  const byCause = new Map<string, ErrorGroup>();
  for (const group of groups) {
    const cause = JSON.stringify([group.code, group.message]);
    byCause.set(cause, { ...group, count: group.count + (byCause.get(cause)?.count ?? 0) });
  }
  return [...byCause.values()].sort((a, b) => b.count - a.count);
}
