import { createHash } from 'node:crypto';
import { mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Compared, compareRows } from '../../bulk/compare/compare-rows.js';
import type { KeyedRows } from '../../bulk/compare/keyed-rows.js';
import { DexsyncError } from '../../errors.js';
import type { RowChange, RowsPreview } from '../../model/rows-preview.js';
import { definitionOf, type Job } from '../job.js';
import { type RecordReading, readRecords } from './records.js';

/** What comparing the rows of one import takes. */
export interface Previewing extends Pick<RecordReading, 'reader' | 'identities' | 'budget' | 'signal' | 'onRead'> {
  /** A folder of this import alone; it is made. */
  readonly folder: string;
  /** How many changes are kept in the preview itself. */
  readonly keep: number;
}

/** Which changes a comparison found, all of them. */
export interface PreviewedRows {
  readonly preview: RowsPreview;
  /** All changes, a JSON text in each line; absent where nothing was compared. */
  readonly changes?: string;
}

/** Compares the rows of an import with the workspace; what cannot be read is not compared, and the preview says why. */
export async function previewRows(job: Job, previewing: Previewing): Promise<PreviewedRows> {
  const { budget, folder } = previewing;
  const before = budget.spent();
  const spent = (): number => budget.spent() - before;
  const definition = definitionOf(job);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const read = await readRecords({ ...previewing, prepared: job.prepared, definition }).catch(asReason);
  if ('why' in read) return { preview: { with: 'nothing', why: read.why, requests: spent() } };
  try {
    const { compared, digest, rows, changes } = await compareInto(job, read.records, previewing);
    const preview: RowsPreview = {
      with: 'workspace',
      by: read.by,
      requests: spent(),
      counts: { ...compared.counts, gone: 0 },
      ...(compared.columnsNotCompared.length === 0 ? {} : { columnsNotCompared: compared.columnsNotCompared }),
      digest,
      rows,
    };
    return { preview, changes };
  } finally {
    read.records.close();
  }
}

interface Changes {
  readonly compared: Compared;
  readonly digest: string;
  readonly rows: readonly RowChange[];
  readonly changes: string;
}

/** In characters. */
const BATCH = 64 * 1024;

async function compareInto(job: Job, records: KeyedRows, { folder, keep, signal }: Previewing): Promise<Changes> {
  const path = join(folder, 'changes.ndjson');
  const file = await open(path, 'w', 0o600);
  const digest = createHash('sha256');
  const rows: RowChange[] = [];
  let batch = '';
  const flush = async (): Promise<void> => {
    await file.writeFile(batch);
    batch = '';
  };
  try {
    const compared = await compareRows(
      { prepared: job.prepared, definition: definitionOf(job), records, signal },
      (change) => {
        if (rows.length < keep) rows.push(change);
        digest.update(lineOf({ ...change, row: undefined }));
        batch += lineOf(change);
        return batch.length >= BATCH ? flush() : undefined;
      },
    );
    await flush();
    return { compared, digest: digest.digest('hex'), rows, changes: path };
  } finally {
    await file.close();
  }
}

const lineOf = (change: object): string => `${JSON.stringify(change)}\n`;

/** A plan does not fail because its rows could not be compared; that the session ended, or somebody interrupts, still counts. */
function asReason(error: unknown): { readonly why: string } {
  if (!(error instanceof DexsyncError) || !UNREAD.has(error.code)) throw error;
  return { why: `reading the workspace failed: ${error.message.replace(/\.$/, '')}` };
}

const UNREAD: ReadonlySet<string> = new Set(['SERVICE_ERROR', 'ANSWER_UNEXPECTED', 'NETWORK']);
