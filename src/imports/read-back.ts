import { relative } from 'node:path';
import { readJoinedErrors } from '../bulk/errors/joined-file.js';
import { type BeforeImage, writeBeforeImage } from '../bulk/read-back/before-image.js';
import { verifyRows } from '../bulk/read-back/verify.js';
import { makeFolder } from '../files/make-folder.js';
import type { Host } from '../host.js';
import type { JobRun } from '../model/job-state.js';
import type { Reader } from '../service/client.js';
import { openItemReads } from '../service/item-reads.js';
import type { ImportOutcome, RunCounts } from '../stream/import-outcome.js';
import { definitionOf, type Job, specOf } from './job.js';
import { reportFolder } from './report-folder.js';
import { errorsPath } from './run/run-errors.js';

/** What the touched records hold now, where that is asked for; nothing is committed unless it was written. */
export async function imageBefore(
  job: Job,
  runs: readonly JobRun[],
  reader: Reader,
  host: Host,
): Promise<Pick<ImportOutcome, 'before'>> {
  if (specOf(job).beforeImage !== true) return {};
  const { facts, prepared, accounting } = job;
  const folder = reportFolder(accounting, facts.address, runs);
  await makeFolder(folder, 0o700);
  const before = await writeBeforeImage({
    ...{ prepared, definition: definitionOf(job), reads: openItemReads(reader), folder, signal: host.signal },
    onRow: tell('before image', job, host),
  });
  return before === undefined ? {} : { before: fromHere(before, host.cwd) };
}

const fromHere = ({ before, absent }: BeforeImage, cwd: string): BeforeImage => ({
  before: { ...before, path: relative(cwd, before.path) },
  absent: { ...absent, path: relative(cwd, absent.path) },
});

/** The outcome with what reading its rows back found, where that is asked for. */
export async function verifyOutcome(
  job: Job,
  outcome: ImportOutcome,
  reader: Reader,
  host: Host,
): Promise<ImportOutcome> {
  const { verify = 'none' } = specOf(job);
  if (verify === 'none' || outcome.outcome !== 'committed') return outcome;
  const { checked, findings } = await verifyRows({
    ...{ prepared: job.prepared, definition: definitionOf(job), reads: openItemReads(reader), how: verify },
    failed: await failedRows(outcome.counts, job),
    signal: host.signal,
    onRow: tell('verify', job, host),
  });
  const different = new Set(findings.map(({ row }) => row)).size;
  return { ...outcome, verified: { checked, different }, findings: [...outcome.findings, ...findings] };
}

async function failedRows(counts: readonly RunCounts[], { prepared }: Job): Promise<ReadonlySet<number>> {
  const rows = new Set<number>();
  for (const part of counts) {
    if (part.failed === 0) continue;
    for await (const { dataRow, orDataRow } of readJoinedErrors(errorsPath(prepared, part))) {
      for (const row of [dataRow, orDataRow]) if (row !== undefined) rows.add(row);
    }
  }
  return rows;
}

const tell =
  (what: 'before image' | 'verify', { facts: { address } }: Job, host: Host) =>
  (done: number, of: number): void =>
    host.emit({ type: 'import', address, event: { type: 'reading-back', what, done, of } });
