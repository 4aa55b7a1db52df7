import { dirname, join, relative } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { omitUndefined } from '#base/omit-undefined.js';
import type { Address } from '#core/model/address.js';
import type { JobRun } from '#core/model/job-state.js';
import type { BeforeImage, ImportOutcome, RunCounts } from '#core/stream/import-outcome.js';
import type { Host } from '#project/host.js';
import type { Reader } from '#service/client.js';
import type { Identities } from '#service/identities.js';
import { readJoinedErrors } from '../bulk/errors/joined-file.js';
import type { PreparedImport } from '../bulk/prepare.js';
import { writeBeforeImage } from '../bulk/read-back/before-image.js';
import { chooseRows, verifyRows } from '../bulk/read-back/verify.js';
import { captureRelated, lostByRemoval } from './capture-related.js';
import { existingShared } from './existing-shared.js';
import { type Job, jobDefinition, jobSpec } from './job.js';
import { readAllRecords } from './preview/read-records.js';
import { importFolder } from './report-folder.js';
import { errorsPath } from './run/run-errors.js';

/** What reading the records of an import needs. */
interface Reading {
  readonly reader: Reader;
  readonly identities: Identities;
  readonly host: Host;
}

/**
 * Writes what the touched records contain now, if requested, reading them in the cheapest way; nothing is committed
 * before it is written. Throws RUN_FAILED if they cannot be read.
 */
export async function captureBeforeImage(
  job: Job,
  runs: readonly JobRun[],
  { reader, identities, host }: Reading,
): Promise<Pick<ImportOutcome, 'before'>> {
  if (jobSpec(job).beforeImage !== true) return {};
  const { facts, prepared } = job;
  const definition = jobDefinition(job);
  const lost = await lostByRemoval(job, reader, identities);
  const columns = [...prepared.columns, ...lost];
  const records = join(dirname(prepared.path), 'before');
  await makeFolder(records, 0o700);
  const onRow = tell('before image', job, host);
  const read = await readAllRecords({
    ...{ prepared: { ...prepared, columns }, definition, folder: records, reader, identities, signal: host.signal },
    onRead: (_, count) => onRow(Math.min(count, prepared.rows), prepared.rows),
  });
  if ('why' in read) throw noImage(facts.address, read.why);
  try {
    const folder = importFolder(job, facts.address, runs);
    await makeFolder(folder, 0o700);
    const { signal } = host;
    const shared = await existingShared({ prepared, definition, records: read.records, reader, signal });
    const why = await captureRelated(job, { reader, identities, signal, image: folder });
    if (why !== undefined) throw noImage(facts.address, why);
    const image = { prepared, definition, lost, records: read.records, folder, signal, onRow };
    const before = await writeBeforeImage({ ...image, ...omitUndefined({ shared }) });
    return { before: fromHere(before, host.cwd) };
  } finally {
    read.records.close();
  }
}

const noImage = (address: Address, why: string): DexsyncError =>
  new DexsyncError(
    'RUN_FAILED',
    `${address} was validated and not committed, since its before image cannot be written: ${why}.`,
    {
      hint: 'Repeat the command; without `beforeImage` the import is committed and cannot be undone.',
    },
  );

const fromHere = ({ before, absent }: BeforeImage, cwd: string): BeforeImage => ({
  before: { ...before, path: relative(cwd, before.path) },
  absent: { ...absent, path: relative(cwd, absent.path) },
});

/** Adds the findings of reading the rows back to the outcome, if requested. */
export async function verifyOutcome(
  job: Job,
  outcome: ImportOutcome,
  { reader, identities, host }: Reading,
): Promise<ImportOutcome> {
  const { verify = 'none' } = jobSpec(job);
  if (verify === 'none' || outcome.outcome !== 'committed') return outcome;
  const definition = jobDefinition(job);
  const folder = join(dirname(job.prepared.path), 'verify');
  await makeFolder(folder, 0o700);
  const { rows: failed } = await failedRows(outcome.counts, job.prepared);
  const prepared = await chooseRows({ prepared: job.prepared, definition, how: verify, failed, folder });
  const onRow = tell('verify', job, host);
  const read = await readAllRecords({
    ...{ prepared, definition, folder, reader, identities, signal: host.signal },
    onRead: (_, count) => onRow(Math.min(count, prepared.rows), prepared.rows),
  });
  if ('why' in read) return { ...outcome, findings: [...outcome.findings, notVerified(job, read.why)] };
  try {
    const { records } = read;
    const rows = { prepared, whole: job.prepared, definition, records, folder, signal: host.signal };
    const { checked, missing, findings } = await verifyRows(rows);
    const different = new Set(findings.map(({ row }) => row)).size;
    return { ...outcome, verified: { checked, different, missing }, findings: [...outcome.findings, ...findings] };
  } finally {
    read.records.close();
  }
}

const notVerified = ({ prepared }: Job, why: string): ImportOutcome['findings'][number] => ({
  ...{ severity: 'warning', code: 'not-verified', file: prepared.file },
  message: `The rows were committed and not read back: ${why}.`,
  hint: 'Compare them with `dexsync drift --data full`.',
});

/** Data rows that the service refused, according to its error reports. */
export async function failedRows(
  counts: readonly Pick<RunCounts, 'first' | 'failed'>[],
  prepared: Pick<PreparedImport, 'path'>,
): Promise<FailedRows> {
  const rows = new Set<number>();
  let unplaced = 0;
  for (const part of counts) {
    if (part.failed === 0) continue;
    let lines = 0;
    for await (const { dataRow, orDataRow } of readJoinedErrors(errorsPath(prepared, part))) {
      lines += 1;
      if (dataRow === undefined) unplaced += 1;
      for (const row of [dataRow, orDataRow]) if (row !== undefined) rows.add(row);
    }
    unplaced += Math.max(0, part.failed - lines);
  }
  return { rows, unplaced };
}

/** The data rows that reports identify, and the number of failed rows that they do not. */
export interface FailedRows {
  readonly rows: ReadonlySet<number>;
  readonly unplaced: number;
}

const tell =
  (what: 'before image' | 'verify', { facts: { address } }: Job, host: Host) =>
  (done: number, of: number): void =>
    host.emit({ type: 'import', address, event: { type: 'reading-back', what, done, of } });
