import { join } from 'node:path';
import { nameOfRuns, type SettledState } from '../../../core/model/job-state.js';
import type { RecordedCommit } from '../../../core/model/partial-imports.js';
import type { RowsPreview } from '../../../core/model/rows-preview.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { allRowsOf, definitionOf, type Job, specOf } from '../job.js';
import { prepareSubmitted } from '../prepare-submitted.js';
import { rowsWithoutEffect } from '../read-outcome.js';
import { type EffectiveRows, type LastImport, refusedKeys, rowsAsRecords } from './last-import.js';
import type { RecordReading } from './records/filling.js';
import type { Unread } from './unread.js';

/** What an import has in effect of the rows that it sent before. */
export interface LastRows {
  /** Sealed, without marks. */
  readonly records: KeyedRows;
  /** `rows`: several commits sent some rows each, so that a row may be in several. */
  readonly is: 'a file' | 'rows';
  readonly since: NonNullable<RowsPreview['since']>;
}

/** What reading them takes. */
interface Reading extends Pick<RecordReading, 'budget' | 'folder' | 'reader' | 'signal'> {
  readonly last?: LastImport;
}

/**
 * Reads back to a file of which all rows were sent. Where the service refused rows of it that are no longer in the file, only what
 * was committed before says whether their records are the import's. Undefined where nobody asks for it.
 */
export async function readLastRows(job: Job, { last, ...reading }: Reading): Promise<LastRows | Unread | undefined> {
  if (last === undefined || specOf(job).missing === 'keep') return undefined;
  const folder = join(reading.folder, 'last');
  const definition = definitionOf(job);
  const read: EffectiveRows[] = [];
  let files = 0;
  let only: ReadonlySet<string> | undefined;
  for (const { sent, is } of last) {
    const asked = { ...reading, folder: join(folder, `${read.length}`), ...(only === undefined ? {} : { only }) };
    const rows = await readCommit(sent, job, asked);
    if ('why' in rows) return rows;
    read.unshift(...rows);
    if (only === undefined) files += 1;
    if (is === 'settled') only = await refusedKeys(rows, allRowsOf(job), definition);
    if (only?.size === 0) break;
  }
  const [{ job: newest }] = last[0].sent;
  return {
    records: await rowsAsRecords(read, job.prepared, definition, folder),
    is: files === 1 ? 'a file' : 'rows',
    since: { runs: nameOfRuns(newest.runs) ?? 'a run', at: newest.at },
  };
}

async function readCommit(
  sent: readonly RecordedCommit[],
  asking: Job,
  { budget, folder, reader, signal, ...only }: Omit<Reading, 'last'> & Pick<EffectiveRows, 'only'>,
): Promise<readonly EffectiveRows[] | Unread> {
  const commit: EffectiveRows[] = [];
  for (const { address, job } of sent) {
    const { runs, failed } = job;
    if (requestsFor(job) > budget.left()) return { why: budget.over };
    const own = join(folder, `${commit.length}`);
    const asked = { spec: specOf(asking), definition: definitionOf(asking) };
    const prepared = await prepareSubmitted({ runs, ...asked, folder: own, reader, signal });
    const { rows, unplaced } = await rowsWithoutEffect({ address, job, failed }, prepared, { reader, signal });
    if (unplaced > 0) return { why: refusedUnknown(job, unplaced) };
    commit.push({ prepared, failed: rows, ...only });
  }
  return commit;
}

/** A run with failed rows is read itself, then its report. */
const requestsFor = ({ runs, failed }: SettledState): number => runs.length * (failed === 0 ? 1 : 3);

const refusedUnknown = ({ runs }: SettledState, count: number): string =>
  `which rows the service refused is not known: ${count === 1 ? 'a line' : `${count} lines`} of the error report of ${nameOfRuns(runs) ?? 'its last run'} ${count === 1 ? 'names' : 'name'} none that was sent`;
