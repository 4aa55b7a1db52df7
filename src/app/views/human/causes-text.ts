import { quoted } from '#base/printable.js';
import type { Event } from '#core/stream/event.js';
import type { Palette } from './palette.js';
import { rowPhrase } from './row-phrase.js';

type RowsEvent = Extract<Event, { type: 'rows' }>;
type RunErrors = RowsEvent['outcome']['errors'];
type ErrorGroup = RunErrors['groups'][number];
type RowError = RunErrors['kept'][number];

const MOST_CAUSES = 10;
/** Rows shown for the only cause, and for each of several. */
const MOST_ROWS = 20;
const MOST_ROWS_EACH = 5;

/** Describes why rows failed, most frequent first: explanation, advice, and the first rows of each cause. */
export function causesText({ groups, kept }: RunErrors, file: string, palette: Palette): string {
  const most = groups.length === 1 ? MOST_ROWS : MOST_ROWS_EACH;
  const causes = groups.slice(0, MOST_CAUSES).map((group) => {
    const rows = kept.filter(({ code, cause }) => code === group.code && cause === group.message);
    return causeText(group, rows.slice(0, most), file, palette);
  });
  const others = groups.slice(MOST_CAUSES);
  const rows = rowPhrase(others.reduce((sum, { count }) => sum + count, 0));
  return `${causes.join('\n')}${others.length === 0 ? '' : `\n  ... and ${others.length} more causes (${rows})\n`}`;
}

function causeText(group: ErrorGroup, rows: readonly RowError[], file: string, palette: Palette): string {
  const { code, message, count, explanation, advice } = group;
  const [only] = count === 1 ? rows : [];
  const number = code === undefined ? '' : ` ${palette.dim(`(${code})`)}`;
  const more = count - rows.length;
  const lines = [
    `${palette.bold(`${rowPhrase(count)}:`)} ${explanation === undefined ? '' : palette.bold(explanation)}`.trimEnd(),
    `  ${only?.message ?? message}${number}`,
    ...(advice === undefined ? [] : [`  ${advice}`]),
    ...rows.flatMap((error) => rowLines(error, group, file, palette)),
    ...(more > 0 && rows.length > 0 ? [`    ... and ${more} more`] : []),
  ];
  return lines.map((line) => `  ${line}\n`).join('');
}

/** `parts.xlsx (Parts):7  Quantity "5"`, and the row's own message if the cause does not contain it. */
function rowLines(error: RowError, group: ErrorGroup, file: string, palette: Palette): string[] {
  const { row, alsoRows = [], alsoIn, worksheet, key, column, value = key, message, doubt } = error;
  const place = `${file}${worksheet === undefined ? '' : ` (${worksheet})`}:${row === undefined ? 'row not found' : row}`;
  const cell = column === undefined ? quoted(key) : `${column} ${quoted(value)}`;
  const isSaid = group.count === 1 || message === group.message || (value !== '' && message.includes(value));
  const own = isSaid ? '' : `  ${message}`;
  return [
    `    ${palette.red(place)}  ${palette.bold(cell)}${own}`,
    ...(alsoRows.length === 0 ? [] : [`      added up with ${rowList(alsoRows, alsoIn)}`]),
    ...(doubt === undefined ? [] : [`      ${palette.yellow(doubt)}`]),
  ];
}

const MOST_LISTED = 10;

/** `row 9`, `rows 9, 12 and 3 more`. */
function rowList(rows: readonly number[], worksheets?: readonly string[]): string {
  const names = rows.map((row, index) => (worksheets === undefined ? String(row) : `${worksheets[index]}!${row}`));
  const more = rows.length - MOST_LISTED;
  return `${rows.length === 1 ? 'row' : 'rows'} ${names.slice(0, MOST_LISTED).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
