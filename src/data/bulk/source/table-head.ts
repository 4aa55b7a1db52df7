import type { ImportSource } from '#core/jobs/source.js';
import { type CellRange, columnLetters } from './cell-range.js';
import type { Projection, RawRow, RawTable } from './raw-table.js';
import { isBlank, isEmpty, nameOfTable } from './source-table.js';
import { unreadableFile } from './unreadable-file.js';

/** The header of a table, and the rows that were read with it. */
export interface Head {
  /** Cells before columns are left out; those of several rows joined. */
  readonly header: RawRow;
  /** The last line of the header; without a header, the line above the first row. */
  readonly after: number;
  /** Rows of the same batch below the header. */
  readonly rest: readonly RawRow[];
}

interface HeadInput {
  readonly raw: RawTable;
  readonly source: ImportSource;
  readonly range: CellRange;
  readonly project: () => Projection;
  /** Merged ranges of the sheet; a text file has none, and its headers extend to the right. */
  readonly merged: readonly CellRange[];
}

/** Finds the first rows that are not blank, from `headerRow` or the range on. Throws FILE_UNREADABLE without any. */
export async function findHead(input: HeadInput): Promise<Head> {
  const { raw, source, range } = input;
  const { header = { rows: 1 }, headerRow } = source;
  if (header === 'none' && headerRow !== undefined) throw headless(source.file);
  const rows = await firstRows(input, header === 'none' ? 1 : header.rows);
  const [first] = rows.head;
  const bottom = headerRow === undefined ? range.bottom : Number.POSITIVE_INFINITY;
  if (first === undefined || first.row > bottom) throw noHeader(nameOfTable(raw), headerRow ?? range.top);
  if (header === 'none') {
    const rest = [first, ...rows.rest];
    return { header: lettersFor(rest), after: first.row - 1, rest };
  }
  const last = rows.head.at(-1) ?? first;
  const after = last.end ?? last.row;
  if (header.rows === 1) return { header: first, after, rest: rows.rest };
  return { header: { ...first, cells: joinHeaders(rows.head, raw.form, input.merged) }, after, rest: rows.rest };
}

async function firstRows(
  { raw, source, range, project }: HeadInput,
  count: number,
): Promise<{ head: RawRow[]; rest: readonly RawRow[] }> {
  const from = source.headerRow ?? range.top;
  const head: RawRow[] = [];
  for (;;) {
    const { value: batch, done } = await raw.batches.next();
    if (done) return { head, rest: [] };
    const cut = project();
    for (const [index, row] of batch.entries()) {
      const isLeftOut = row.row < from || (row.hidden && source.hidden === 'skip') || isComment(row, source);
      if (!isLeftOut && !isBlank(cut(row).cells)) head.push(row);
      if (head.length === count) return { head, rest: batch.slice(index + 1) };
    }
  }
}

/** Whether `comment` leaves a row out. */
export function isComment({ cells }: RawRow, { comment }: ImportSource): boolean {
  if (comment === undefined) return false;
  const first = cells.find((cell) => !isEmpty(cell));
  return first?.trimStart().startsWith(comment) === true;
}

/** One letter for each column of the widest row. */
function lettersFor(rows: readonly RawRow[]): RawRow {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  return { row: rows[0]?.row ?? 1, cells: Array.from({ length: width }, (_, column) => columnLetters(column)) };
}

/** Joins the texts of each column from top to bottom, each once: "Size" above "Length" is "Size Length". */
function joinHeaders(rows: readonly RawRow[], form: RawTable['form'], merged: readonly CellRange[]): string[] {
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const last = rows.length - 1;
  const texts = rows.map(({ row, cells }, index) => {
    if (index === last) return cells;
    return form === 'text' ? spreadToRight(cells, width) : spreadMerged(row, cells, merged);
  });
  return Array.from({ length: width }, (_, column) => {
    const found = texts.map((cells) => (cells[column] ?? '').replaceAll(/\s+/g, ' ').trim());
    return [...new Set(found)].filter((text) => text !== '').join(' ');
  });
}

function spreadToRight(cells: readonly string[], width: number): string[] {
  let left = '';
  return Array.from({ length: width }, (_, column) => {
    const cell = cells[column] ?? '';
    if (!isEmpty(cell)) left = cell;
    return left;
  });
}

function spreadMerged(row: number, given: readonly string[], merged: readonly CellRange[]): string[] {
  const cells = [...given];
  for (const { top, bottom, left, right } of merged) {
    if (row < top || row > bottom) continue;
    for (let column = left + 1; column <= right; column += 1) {
      while (cells.length <= column) cells.push('');
      cells[column] = given[left] ?? '';
    }
  }
  return cells;
}

const headless = (file: string) =>
  unreadableFile(
    `The source of ${file} has \`headerRow\` and \`header: none\`, which exclude each other.`,
    'Remove one of them; `range` says where a table without headers begins.',
  );

const noHeader = (table: string, headerRow: number) =>
  headerRow === 1
    ? unreadableFile(`${table} has no row with a value.`, 'Export it again, with its headers in the first row.')
    : unreadableFile(
        `${table} has no header row: row ${headerRow} is after its last row.`,
        'Set `headerRow` to the row of the headers.',
      );
