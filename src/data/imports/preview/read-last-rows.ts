import { join } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import { nameOfRuns, type SettledState } from '#core/model/job-state.js';
import type { RecordedCommit } from '#core/model/partial-imports.js';
import type { RowsPreview } from '#core/model/rows-preview.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { joinKey } from '../../bulk/rows/key-index.js';
import { parseCsvFile } from '../../bulk/rows/parse-csv-file.js';
import { fetchSubmitted } from '../fetch-submitted.js';
import { allRowsOf, type Job, jobDefinition, jobSpec } from '../job.js';
import { prepareSubmitted } from '../prepare-submitted.js';
import { rowsWithoutEffect } from '../read-outcome.js';
import { type EffectiveRows, hasOthers, type LastImport, refusedKeys, rowsAsRecords } from './last-import.js';
import type { RecordReading } from './records/fill-context.js';
import { type Unread, unreadBecause } from './unread.js';

/** The rows that an import sent before and that are in effect. */
export interface LastRows {
  /** Sealed, without marks. */
  readonly records: KeyedRows;
  /** `rows`: several commits sent some rows each, so that a row may be in several. */
  readonly is: 'a file' | 'rows';
  readonly since: NonNullable<RowsPreview['since']>;
  /** Why the import may have more records than these. */
  readonly goneWhy?: string;
}

/** What reading them needs. */
export interface LastReading extends Pick<RecordReading, 'budget' | 'folder' | 'reader' | 'signal'> {
  readonly last?: LastImport;
  /** Returns the live definition with a GUID; undefined if there is none. */
  readonly definitionWith?: (guid: string) => ImportDefinitionSpec | undefined;
}

/**
 * Reads commits back to a file of which all rows were sent. If the service refused rows of it that the file no longer
 * has, only earlier commits show whether their records are the import's; a commit that cannot be read shows nothing.
 * Undefined if the rows are not needed.
 */
export async function readLastRows(
  job: Job,
  { last, ...reading }: LastReading,
): Promise<LastRows | Unread | undefined> {
  if (last === undefined || jobSpec(job).missing === 'keep') return undefined;
  const folder = join(reading.folder, 'last');
  const definition = jobDefinition(job);
  const { read, doubt } = await readCommits(job, last, { ...reading, folder });
  const [oldest] = read;
  if (oldest === undefined) return doubt;
  const later = last.deletions.filter(({ job: { at } }) => at > oldest.at);
  const isAsked = later.length > 0 && (await hasOthers(read, allRowsOf(job), definition));
  const deletedAt = await readDeletions(job, isAsked ? later : [], { ...reading, folder });
  if ('why' in deletedAt) return deletedAt;
  const [{ job: newest }] = last.commits[0].sent;
  return {
    records: await rowsAsRecords(read, job.prepared, definition, folder, deletedAt),
    is: read.length === 1 ? 'a file' : 'rows',
    since: { runs: nameOfRuns(newest.runs) ?? 'a run', at: newest.at },
    ...(doubt === undefined ? {} : { goneWhy: doubt.why }),
  };
}

type Ports = Omit<LastReading, 'last'>;

async function readCommits(job: Job, { commits }: LastImport, { folder, ...ports }: Ports) {
  const read: EffectiveRows[] = [];
  let only: ReadonlySet<string> | undefined;
  for (const { sent, is } of commits) {
    const asked = { ...ports, folder: join(folder, `${read.length}`), ...omitUndefined({ only }) };
    const rows = await readCommit(sent, job, asked).catch(unreadBecause);
    if ('why' in rows) return { read: only === undefined ? [] : read, doubt: rows };
    read.unshift(...rows);
    if (is === 'settled') only = await refusedKeys(read, allRowsOf(job), jobDefinition(job));
    if (only?.size === 0) break;
  }
  return { read };
}

async function readCommit(
  sent: readonly RecordedCommit[],
  asking: Job,
  { budget, folder, reader, signal, definitionWith, ...only }: Ports & Pick<EffectiveRows, 'only'>,
): Promise<readonly EffectiveRows[] | Unread> {
  const commit: EffectiveRows[] = [];
  const whole = jobSpec(asking);
  const { upload: _, ...asCsv } = whole;
  for (const { address, job, facts } of sent) {
    const { runs, failed, at } = job;
    if (requestsFor(job) > budget.left()) return { why: budget.over };
    const own = join(folder, `${commit.length}`);
    // A retry is never sent as its original file.
    const [now, then] = [jobDefinition(asking), sentThrough(runs, definitionWith)];
    if (then !== undefined && areOther(then, now)) return { why: otherRecords(job, then) };
    const definition = withColumns(now, then);
    const asked = { spec: facts?.retries === undefined ? whole : asCsv, definition, folder: own };
    const prepared = await prepareSubmitted({ runs, ...asked, reader, signal });
    const { rows, unplaced } = await rowsWithoutEffect({ address, job, failed }, prepared, { reader, signal });
    // Rows without a value are skipped here, but were counted when they were sent.
    const isAligned = failed === 0 || runs.at(-1)?.last === prepared.rows;
    if (unplaced > 0 || !isAligned) return { why: refusedUnknown(job) };
    commit.push({ prepared, failed: rows, at, ...only });
  }
  return commit;
}

const sentThrough = (
  [run]: SettledState['runs'],
  definitionWith: LastReading['definitionWith'],
): ImportDefinitionSpec | undefined => (run?.definition === undefined ? undefined : definitionWith?.(run.definition));

/** Whether rows of `then` say nothing of the records that rows of `now` have: they are of another type, or deleted. */
const areOther = (then: ImportDefinitionSpec, now: ImportDefinitionSpec): boolean =>
  then.resource.toUpperCase() !== now.resource.toUpperCase() || (hasMode(then, 'DELETE') && !hasMode(now, 'DELETE'));

const otherRecords = ({ runs }: SettledState, { resource, mode }: ImportDefinitionSpec): string =>
  `${nameOfRuns(runs) ?? 'its last run'} was of mode ${mode} and resource ${resource}`;

/** The definition with the columns that rows were sent by: since then, other columns may have become the keys. */
function withColumns(definition: ImportDefinitionSpec, sent: ImportDefinitionSpec | undefined): ImportDefinitionSpec {
  const mapping = sent?.options?.mapping;
  return mapping === undefined ? definition : { ...definition, options: { ...definition.options, mapping } };
}

/** The keys that deletions were sent, in their first columns, and when. */
async function readDeletions(
  asking: Job,
  deletions: readonly RecordedCommit[],
  { budget, folder, reader }: Ports,
): Promise<ReadonlyMap<string, string> | Unread> {
  const { keys } = resourceNamed(jobDefinition(asking).resource);
  const deletedAt = new Map<string, string>();
  for (const [index, { job }] of deletions.toReversed().entries()) {
    if (job.runs.length > budget.left()) return { why: budget.over };
    const path = await fetchSubmitted(job.runs, join(folder, `deleted-${index}.csv`), reader);
    for await (const cells of parseCsvFile(path)) deletedAt.set(joinKey(cells.slice(0, keys.length)), job.at);
  }
  return deletedAt;
}

/** A run with failed rows takes two more requests: one for itself, and one for its report. */
const requestsFor = ({ runs, failed }: SettledState): number => runs.length * (failed === 0 ? 1 : 3);

const refusedUnknown = ({ runs }: SettledState): string =>
  `the error report of ${nameOfRuns(runs) ?? 'its last run'} does not say which of the rows the service refused`;
