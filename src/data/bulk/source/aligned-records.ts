import { omitUndefined } from '#base/omit-undefined.js';
import type { RawRow } from './raw-table.js';

/** In place of a delimiter: columns of a text that spaces or runs of tabs align. */
export const ALIGNED = 'aligned';

/** The columns of such a text: where each begins, and the line of their header. */
export interface AlignedColumns {
  readonly starts: readonly number[];
  /** From 1. */
  readonly header: number;
  /** Number of places from one stop of a tab to the next. */
  readonly tab?: number;
}

const LOOKED_AT = 200;
const TABS = [8, 4];
const LEAST_COLUMNS = 3;
const LEAST_LINES = 2;
const MOST_SHIFT = 3;
/** A word begins a column if two spaces or more are before it; else only if those below it do. */
const WORD = /(?<=^| {2})\S+(?: \S+)*/g;
const DELIMITERS = /[,;\t|]/;

/** Finds a line of words below whose beginnings nearly all lines have none that goes across; undefined if there is none. */
export function alignedColumns(text: string): AlignedColumns | undefined {
  const lines = text.split(/\r\n|\n|\r/).slice(0, LOOKED_AT);
  const tabs = /\t{2}/.test(text) ? TABS : [];
  const found = [undefined, ...tabs].map((tab) => columnsBelow(lines, tab));
  return found.find((one) => one !== undefined);
}

function columnsBelow(given: readonly string[], tab: number | undefined): AlignedColumns | undefined {
  const lines = given.map((line) => withSpaces(line, tab));
  for (const [index, line] of lines.entries()) {
    const named = tab === undefined ? wordStarts(line) : tabStarts(given[index] ?? '', tab);
    if (named.length < LEAST_COLUMNS || DELIMITERS.test(line) || /\d/.test(line)) continue;
    const below = lines.slice(index + 1).filter((one) => /[^\s-]/.test(one));
    const starts = named.map((at) => placeBefore(line, at, below));
    const aligned = below.filter((one) => starts.slice(1).every((at) => isBetween(one, at)));
    const isMost = aligned.length * 10 >= below.length * 8;
    if (below.length < LEAST_LINES || !isMost) continue;
    const all = [...new Set([...starts, ...startsBehindSpace(line, below)])].sort((one, other) => one - other);
    return { starts: all, header: index + 1, ...omitUndefined({ tab }) };
  }
  return undefined;
}

/** Where a column begins whose cells stick out to the left of its header, as amounts do. */
function placeBefore(header: string, at: number, below: readonly string[]): number {
  const room = header.slice(0, at).length - header.slice(0, at).trimEnd().length;
  const places = Array.from({ length: Math.min(room, MOST_SHIFT + 1) }, (_, index) => at - index);
  return places.find((place) => below.filter((one) => isBetween(one, place)).length * 10 >= below.length * 9) ?? at;
}

const wordStarts = (line: string): number[] => [...line.matchAll(WORD)].map(({ index }) => index);

/**
 * Where words of a header begin that have one space before them, if words of nearly all lines below begin there, too, or
 * if most of those lines leave room there that no other text of theirs has.
 */
function startsBehindSpace(header: string, below: readonly string[]): number[] {
  const places = [...header.matchAll(/(?<=\S )\S/g)].map(({ index }) => index);
  const isStart = (line: string, at: number): boolean => /^\S$/.test(line[at] ?? '') && line[at - 1] === ' ';
  const count = (isMeant: (line: string) => boolean): number => below.filter(isMeant).length;
  return places.filter((at) => {
    const starts = count((line) => isStart(line, at));
    const isRoomy = (line: string): boolean => line.slice(at - 2, at) === '  ' && /\S/.test(line.slice(0, at));
    return (
      starts * 10 >= below.length * 9 ||
      (starts * 4 >= below.length &&
        count(isRoomy) * 10 >= below.length * 8 &&
        below.every((one) => isBetween(one, at)))
    );
  });
}

/** Where the cells of a header begin whose columns runs of tabs align; none if one tab is between most of them. */
function tabStarts(line: string, tab: number): number[] {
  const cells = [...line.matchAll(/[^\t]+/g)].filter(([text]) => text.trim() !== '');
  const runs = line.trim().match(/\t{2,}/g) ?? [];
  return runs.length * 2 < cells.length ? [] : cells.map(({ index }) => withSpaces(line.slice(0, index), tab).length);
}

/** Writes a line with spaces in place of its tabs. */
function withSpaces(line: string, tab: number | undefined): string {
  if (tab === undefined || !line.includes('\t')) return line;
  const [first = '', ...cells] = line.split('\t');
  return cells.reduce((before, cell) => before.padEnd(before.length + tab - (before.length % tab)) + cell, first);
}

/** Whether no word crosses a position. */
const isBetween = (line: string, at: number): boolean => at >= line.length || line[at - 1] === ' ' || line[at] === ' ';

/**
 * Whether the words of a line are those of a sentence: one space divides them all, and one of them goes across the
 * beginning of a column.
 */
const isSentence = (line: string, starts: readonly number[]): boolean =>
  /^\S+(?: \S+){2,}$/.test(line.trim()) && starts.some((at) => at > 0 && !isBetween(line, at));

/** Cuts lines at the beginnings of their columns; those above the header and sentences are a cell each. */
export async function* alignedRecords(
  blocks: AsyncIterable<Buffer>,
  { starts, header, tab }: AlignedColumns,
): AsyncGenerator<readonly RawRow[]> {
  const decoder = new TextDecoder();
  let row = 0;
  let rest = '';
  const rowsOf = (lines: readonly string[]): RawRow[] =>
    lines.flatMap((text): RawRow[] => {
      const line = withSpaces(text, tab);
      row += 1;
      if (line.trim() === '') return [];
      const isWhole = row < header || isSentence(line, starts);
      return [{ row, cells: isWhole ? [line.trim()] : cellsAt(line, starts) }];
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
