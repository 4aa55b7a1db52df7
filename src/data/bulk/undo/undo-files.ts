import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Column, FREE_TEXT } from '../preflight/columns.js';
import type { LostColumn } from '../read-back/lost-columns.js';
import { type CsvFileWriter, openCsvFile } from '../rows/csv-file.js';
import { type LeftRow, ROW_KINDS, type RowKind, type UndoContext, type UndoKind } from './undo-context.js';
import type { UndoSink } from './undo-rows.js';

/** The files of an undo: rows to send by kind, and rows that stay as they are. */
export interface UndoFiles {
  readonly rows: ReadonlyMap<UndoKind, { readonly path: string; readonly rows: number }>;
  readonly left: { readonly path: string; readonly count: number; readonly first: readonly LeftRow[] };
  /** The columns that the import does not have; none if no row fills one. */
  readonly lost: readonly LostColumn[];
}

/** Path of the file of a kind. */
export const undoFile = (folder: string, kind: UndoKind): string => join(folder, `${kind}.csv`);

/** File of the rows that an undo leaves as they are, for spreadsheets. */
const LEFT_FILE = 'not-undone.csv';
const LEFT_HEADER = ['Row', 'Key', 'Column', 'Now', 'Before', 'Why'];
const KEEP = 200;

/** Digest that is the same for the same rows in any folder. */
export async function digestOfFiles({ rows, left }: UndoFiles): Promise<string> {
  const digest = createHash('sha256');
  const all = [...[...rows].map(([, { path }]) => path), ...(left.count === 0 ? [] : [left.path])];
  for (const path of all) {
    digest.update(`${basename(path)}\n`);
    for await (const chunk of createReadStream(path)) digest.update(chunk as Buffer);
  }
  return digest.digest('hex');
}

/** Writer of the files of an undo. */
export interface UndoFilesWriter extends UndoSink {
  /** Moves all files to their places, and removes those that an earlier undo left there. */
  finish(): Promise<UndoFiles>;
  abandon(): Promise<void>;
}

/** Opens the files of an undo in an existing folder. */
export async function openUndoFiles(
  folder: string,
  { sent: { columns }, lost }: Pick<UndoContext, 'sent' | 'lost'>,
): Promise<UndoFilesWriter> {
  const all = [...columns, ...lost];
  const writers = new Map<RowKind, CsvFileWriter>();
  for (const kind of ROW_KINDS) writers.set(kind, await openCsvFile(undoFile(folder, kind), headerOf(all)));
  const leftPath = join(folder, LEFT_FILE);
  const leftRows = await openCsvFile(leftPath, LEFT_HEADER);
  const first: LeftRow[] = [];
  let count = 0;
  let isLostFilled = false;
  return {
    async row({ kind, cells }) {
      if (all.some(({ fields }, column) => column >= columns.length && isSaying(cells[column] ?? '', fields)))
        isLostFilled = true;
      await writers.get(kind)?.add(all.flatMap((column, index) => (isFreeText(column) ? [] : [cells[index] ?? ''])));
    },
    async left(row) {
      count += 1;
      if (first.length < KEEP) first.push(row);
      for (const cells of leftLines(row)) await leftRows.add(cells);
    },
    async finish() {
      const rows = new Map<UndoKind, { path: string; rows: number }>();
      for (const [kind, writer] of writers) {
        await writer.finish();
        const path = undoFile(folder, kind);
        if (writer.rows === 0) await rm(path, { force: true });
        else rows.set(kind, { path, rows: writer.rows });
      }
      await leftRows.finish();
      if (count === 0) await rm(leftPath, { force: true });
      return { rows, left: { path: leftPath, count, first }, lost: isLostFilled ? lost : [] };
    },
    async abandon() {
      for (const writer of [...writers.values(), leftRows]) await writer.abandon().catch(() => undefined);
    },
  };
}

const isFreeText = ({ fields }: Column): boolean => fields.includes(FREE_TEXT);

const headerOf = (columns: readonly Column[]): string[] =>
  columns.flatMap((column) => (isFreeText(column) ? [] : [column.header]));

/** Values that a record has by default. */
const USUAL: Readonly<Record<string, (cell: string) => boolean>> = {
  quantity: (cell) => Number(cell) === 1,
  primary: (cell) => cell === 'false',
};

const isSaying = (cell: string, fields: readonly string[]): boolean =>
  cell !== '' && !fields.some((field) => USUAL[field]?.(cell) === true);

const leftLines = ({ row, key, cells = [], why }: LeftRow): string[][] => {
  const start = [row === undefined ? '' : String(row), key.join(' / ')];
  if (cells.length === 0) return [[...start, '', '', '', why]];
  return cells.map(({ column, before, after }) => [...start, column, before, after, why]);
};
