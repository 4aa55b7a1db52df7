import type { ImportSource } from '#core/jobs/source.js';
import { headerText } from './blocks.js';
import { type CellRange, columnLetters } from './cell-range.js';
import { LOOKED_AT } from './header-guess.js';
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
  /** The texts of its rows, as `headerText` gives them. */
  readonly headerTexts: readonly string[];
  /** The last rows above the header that have a value. */
  readonly above: readonly RawRow[];
}

interface HeadInput {
  readonly raw: RawTable;
  readonly source: ImportSource;
  readonly range: CellRange;
  readonly project: () => Projection;
  /** Merged ranges of the sheet; a text file has none, and its headers extend to the right. */
  readonly merged: readonly CellRange[];
  /** For a further worksheet: the texts of the header that it must have, in any row. */
  readonly expected?: readonly string[];
}

/**
 * Finds the first rows that are not blank, from `headerRow` or the range on, or the header that is expected. Throws
 * FILE_UNREADABLE without any; undefined for a further worksheet without a value.
 */
export async function findHead(input: HeadInput): Promise<Head | undefined> {
  const { raw, source, range, expected } = input;
  const { header = { rows: 1 }, headerRow } = source;
  if (header === 'none' && headerRow !== undefined) throw headless(source.file);
  const rows = await firstRows(input, header === 'none' ? 1 : header.rows);
  const [first] = rows.head;
  const { above, headerTexts } = rows;
  if (expected !== undefined && first === undefined && above.length === 0) return undefined;
  const isExpected = expected === undefined || header === 'none' || headerTexts.join('\n') === expected.join('\n');
  if (!isExpected) throw otherHeader(nameOfTable(raw), expected);
  const bottom = headerRow === undefined ? range.bottom : Number.POSITIVE_INFINITY;
  if (first === undefined || first.row > bottom) throw noHeader(nameOfTable(raw), headerRow ?? range.top);
  if (header === 'none') {
    const rest = [first, ...rows.rest];
    return { header: lettersFor(rest), after: first.row - 1, rest, headerTexts: [], above };
  }
  const last = rows.head.at(-1) ?? first;
  const after = last.end ?? last.row;
  const found = { after, rest: rows.rest, headerTexts, above };
  if (header.rows === 1) return { header: first, ...found };
  return { header: { ...first, cells: joinHeaders(rows.head, raw.form, input.merged) }, ...found };
}

interface FirstRows {
  readonly head: RawRow[];
  readonly headerTexts: string[];
  readonly above: RawRow[];
}

async function firstRows(input: HeadInput, count: number): Promise<FirstRows & Pick<Head, 'rest'>> {
  const found: FirstRows = { head: [], headerTexts: [], above: [] };
  for (;;) {
    const { value: batch, done } = await input.raw.batches.next();
    if (done) return { ...found, rest: [] };
    const last = takeHead(batch, found, input, count);
    if (last !== undefined) return { ...found, rest: batch.slice(last + 1) };
  }
}

/** Returns the index of the last row of the header once all of them are found. */
function takeHead(
  batch: readonly RawRow[],
  found: FirstRows,
  { source, range, project, expected }: HeadInput,
  count: number,
): number | undefined {
  const from = source.headerRow ?? range.top;
  const cut = project();
  const isByText = expected !== undefined && source.header !== 'none';
  for (const [index, row] of batch.entries()) {
    const { cells } = cut(row);
    if (isLeftOut(row, cells, source)) continue;
    const text = headerText(cells);
    const isAbove = found.head.length === 0 && !(isByText ? text === expected[0] : row.row >= from);
    if (isAbove) keepLast(found.above, row);
    else if (found.head.push(row) > 0) found.headerTexts.push(text);
    if (found.head.length === count) return index;
  }
  return undefined;
}

function keepLast(above: RawRow[], row: RawRow): void {
  above.push(row);
  if (above.length > LOOKED_AT) above.shift();
}

const isLeftOut = (row: RawRow, cells: readonly string[], source: ImportSource): boolean =>
  (row.hidden !== undefined && source.hidden === 'skip') || isComment(row, source) || isBlank(cells);

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

const otherHeader = (table: string, expected: readonly string[]) =>
  unreadableFile(
    `${table} has no row with the header of the first worksheet: ${expected.join(' / ')}.`,
    'Write the names of the worksheets to read in `worksheet`, or give this one the same columns in the same order.',
  );

const noHeader = (table: string, headerRow: number) =>
  headerRow === 1
    ? unreadableFile(`${table} has no row with a value.`, 'Export it again, with its headers in the first row.')
    : unreadableFile(
        `${table} has no header row: row ${headerRow} is after its last row.`,
        'Set `headerRow` to the row of the headers.',
      );
