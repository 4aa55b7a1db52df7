import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasMode } from '#core/kinds/import-definition.js';
import type { RowsPreview } from '#core/model/rows-preview.js';
import { compareRows } from '../../bulk/compare/compare-rows.js';
import { type GoneInput, goneRows } from '../../bulk/compare/gone-rows.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { differingRows } from '../../bulk/compare/rows-to-send.js';
import type { RowRanges } from '../../bulk/rows/row-ranges.js';
import { allRowsOf, type Job, jobDefinition, jobSpec } from '../job.js';
import { type ChangesFile, openChanges } from './changes-file.js';
import { type LastReading, type LastRows, readLastRows } from './read-last-rows.js';
import { readRecords } from './read-records.js';
import type { KnownItem, RecordReading } from './records/fill-context.js';
import { type Unread, unreadBecause } from './unread.js';

/** What comparing the rows of one import needs. */
export interface PreviewContext
  extends Pick<RecordReading, 'reader' | 'identities' | 'budget' | 'signal' | 'onRead' | 'exporting' | 'covering'>,
    Pick<LastReading, 'last' | 'definitionWith'> {
  /** A folder of this import alone; created if missing. */
  readonly folder: string;
  /** How many changes are kept in the preview itself. */
  readonly keep: number;
}

/** The changes that a comparison found. */
export interface PreviewedRows {
  readonly preview: RowsPreview;
  /** A file with all changes, one JSON text per line; absent if nothing was compared. */
  readonly changes?: string;
  /** The rows that differ from the workspace; absent if they were not compared with it. */
  readonly differing?: RowRanges;
  /** How many rows are refused since they lack what a new record must have. */
  readonly incomplete?: number;
  /** Numbers of the items that the rows name and that are released, if they were read one by one. */
  readonly released?: ReadonlySet<string>;
}

/**
 * Compares the rows of an import with the workspace, or, if that takes too many requests, with those that were
 * committed last. What cannot be read is not compared, and the preview says why.
 */
export async function previewRows(job: Job, previewing: PreviewContext): Promise<PreviewedRows> {
  const { budget, folder } = previewing;
  const before = budget.spent();
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const definition = jobDefinition(job);
  const last = await readLastRows(job, previewing).catch(unreadBecause);
  const known = last !== undefined && 'records' in last ? { before: last.records } : {};
  const items = new Map<string, KnownItem>();
  const reading = { ...previewing, prepared: job.prepared, ...known, known: items, definition };
  const live = await readRecords(reading).catch(unreadBecause);
  const opened = [live, last].flatMap((one) => (one !== undefined && 'records' in one ? [one.records] : []));
  try {
    const found = await compareWith({ live, last }, job, previewing);
    const released = new Set([...items.values()].flatMap(({ number, isReleased }) => (isReleased ? number : [])));
    return { ...found, released, preview: { ...found.preview, requests: budget.spent() - before } };
  } finally {
    for (const records of opened) records.close();
  }
}

type Records<More> = More & { readonly records: KeyedRows };
type Read<More> = Records<More> | Unread;

interface LiveRows {
  readonly by: string;
  /** Ids of the records that the file covers. */
  readonly covered?: RowRanges;
}

interface Sides {
  readonly live: Read<LiveRows>;
  /** Absent if nothing was committed before, or if it is not needed. */
  readonly last: LastRows | Unread | undefined;
}

function compareWith({ live, last }: Sides, job: Job, previewing: PreviewContext): Promise<PreviewedRows> {
  if ('records' in live) return compareWithLive(live, last, job, previewing);
  const { why } = live;
  if (last === undefined || 'why' in last || last.is === 'rows' || !isRepeatable(job)) {
    return Promise.resolve({ preview: { with: 'nothing', requests: 0, why } });
  }
  const { records, since } = last;
  return compareInto({ with: 'last import', requests: 0, since, why }, records, { last: records }, job, previewing);
}

function compareWithLive(
  { by, covered, records }: Records<LiveRows>,
  last: Sides['last'],
  job: Job,
  previewing: PreviewContext,
): Promise<PreviewedRows> {
  const head: RowsPreview = { with: 'workspace', by, requests: 0 };
  const before = last !== undefined && 'records' in last ? { last: last.records } : {};
  // A file that covers a whole set is compared with all of it, regardless of earlier imports.
  if (covered !== undefined) {
    const { what: covers } = previewing.covering ?? {};
    return compareInto(
      covers === undefined ? head : { ...head, covers },
      records,
      { ...before, covered },
      job,
      previewing,
    );
  }
  const doubt = last === undefined ? undefined : 'why' in last ? last.why : last.goneWhy;
  const unread = doubt === undefined ? {} : { goneWhy: doubt };
  return compareInto({ ...head, ...unread }, records, before, job, previewing);
}

/** Compares the rows of an import with records that were already read and are not marked. */
export const compareWithRecords = (
  job: Job,
  { records, by }: { readonly records: KeyedRows; readonly by: string },
  comparing: Comparing,
): Promise<PreviewedRows> => compareInto({ with: 'workspace', by, requests: 0 }, records, {}, job, comparing);

type Comparing = Pick<PreviewContext, 'folder' | 'keep' | 'signal'>;

/** Whether committed rows can be sent again without changing anything: those that create or delete are refused then. */
const isRepeatable = (job: Job): boolean => hasMode(jobDefinition(job), 'EDIT', 'OVERWRITE', 'REPLACE');

async function compareInto(
  head: RowsPreview,
  records: KeyedRows,
  whole: Pick<GoneInput, 'last' | 'covered'>,
  job: Job,
  { folder, keep, signal }: Comparing,
): Promise<PreviewedRows> {
  const { prepared } = job;
  const definition = jobDefinition(job);
  const changes = await openChanges(join(folder, 'changes.ndjson'), keep);
  try {
    const differing = differingRows(prepared, definition, jobSpec(job).send);
    const { onVerdict } = differing;
    const isLive = head.with === 'workspace';
    const { counts, columnsNotCompared, incomplete } = await compareRows(
      { prepared, definition, records, signal, onVerdict, ...(isLive ? { incomplete: 'refused' } : {}) },
      (change) => {
        differing.onChange(change);
        return changes.add(change);
      },
    );
    const digest = changes.digest();
    const still = isLive ? { records } : {};
    const isAsked = whole.last !== undefined || whole.covered !== undefined;
    const gone = isAsked
      ? { gone: await addGone({ prepared: allRowsOf(job), definition, ...whole, ...still }, changes) }
      : {};
    const preview: RowsPreview = {
      ...head,
      counts: { ...counts, ...gone },
      ...(columnsNotCompared.length === 0 ? {} : { columnsNotCompared }),
      digest,
      rows: changes.first,
    };
    const sending = isLive ? { differing: await differing.rows() } : {};
    return { preview, changes: await changes.finish(), incomplete, ...sending };
  } catch (error) {
    await changes.abandon();
    throw error;
  }
}

async function addGone(input: GoneInput, changes: ChangesFile): Promise<number> {
  if (hasMode(input.definition, 'DELETE')) return 0;
  let count = 0;
  for await (const change of goneRows(input)) {
    await changes.add(change);
    count += 1;
  }
  return count;
}
