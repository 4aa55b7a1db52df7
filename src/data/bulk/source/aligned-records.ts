import type { RawRow } from './raw-table.js';

/** In place of a delimiter: columns of a text that spaces align. */
export const ALIGNED = 'aligned';

/** The columns of such a text: where each begins, and the line of their header. */
export interface AlignedColumns {
  readonly starts: readonly number[];
  /** From 1. */
  readonly header: number;
}

const LOOKED_AT = 200;
const LEAST_COLUMNS = 3;
const LEAST_LINES = 2;
/** A word begins a column if two spaces or more are before it. */
const WORD = /(?<=^| {2})\S+(?: \S+)*/g;
const DELIMITERS = /[,;\t|]/;

/** Finds a line of words below whose beginnings nearly all lines have none that goes across; undefined if there is none. */
export function alignedColumns(text: string): AlignedColumns | undefined {
  const lines = text.split(/\r\n|\n|\r/).slice(0, LOOKED_AT);
  for (const [index, line] of lines.entries()) {
    const starts = [...line.matchAll(WORD)].map(({ index: at }) => at);
    if (starts.length < LEAST_COLUMNS || DELIMITERS.test(line) || /\d/.test(line)) continue;
    const below = lines.slice(index + 1).filter((one) => one.trim() !== '');
    const aligned = below.filter((one) => starts.slice(1).every((at) => isBetween(one, at)));
    const isMost = aligned.length * 10 >= below.length * 8;
    if (below.length >= LEAST_LINES && isMost) return { starts, header: index + 1 };
  }
  return undefined;
}

/** Whether no word crosses a position. */
const isBetween = (line: string, at: number): boolean => at >= line.length || line[at - 1] === ' ' || line[at] === ' ';

/** Cuts lines at the beginnings of their columns; those above the header are a cell each. */
export async function* alignedRecords(
  blocks: AsyncIterable<Buffer>,
  { starts, header }: AlignedColumns,
): AsyncGenerator<readonly RawRow[]> {
  const decoder = new TextDecoder();
  let row = 0;
  let rest = '';
  const rowsOf = (lines: readonly string[]): RawRow[] =>
    lines.flatMap((line): RawRow[] => {
      row += 1;
      if (line.trim() === '') return [];
      return [{ row, cells: row < header ? [line.trim()] : cellsAt(line, starts) }];
    });
  for await (const block of blocks) {
    const lines = `${rest}${decoder.decode(block, { stream: true })}`.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield rowsOf(lines);
  }
  yield rowsOf([rest]);
}

function cellsAt(line: string, starts: readonly number[]): string[] {
  let from = 0;
  const cells = starts.slice(1).map((start) => {
    const to = Math.max(from, cutAt(line, from, start));
    const cell = line.slice(from, to).trim();
    from = to;
    return cell;
  });
  return [...cells, line.slice(from).trim()];
}

/** Where a cell ends: a word that crosses the beginning of the next column belongs to the cell that it is alone in. */
function cutAt(line: string, from: number, start: number): number {
  if (isBetween(line, start)) return start;
  const begin = line.lastIndexOf(' ', start - 1) + 1;
  const end = line.indexOf(' ', start);
  const isAlone = line.slice(from, begin).trim() === '';
  return isAlone ? (end === -1 ? line.length : end) : begin;
}
