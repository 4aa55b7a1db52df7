import type { Column } from '../preflight/columns.js';
import { knownCause } from './causes.js';
import { type Identity, placeOf } from './identity.js';
import { NAMING, type Quoted, quotedIn } from './quoted.js';
import type { ReportedError } from './report.js';

/** Letters and digits alone: a message may say "Item Number" of what is mapped as `item.number`. */
const squeezed = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

const folded = (text: string): string => text.trim().toLowerCase();

/** The columns by what messages may call them. */
export interface ColumnNames {
  /** Position of the column with this header or field; -1 where there is none. */
  at(text: string): number;
}

/** The fields of a column without a mapping are its header. */
export function columnNames(columns: readonly Column[]): ColumnNames {
  const [exact, loose] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, { header, fields }] of columns.entries()) {
    for (const name of [header, ...fields]) {
      if (!exact.has(folded(name))) exact.set(folded(name), index);
      if (squeezed(name) !== '' && !loose.has(squeezed(name))) loose.set(squeezed(name), index);
    }
  }
  return { at: (text) => exact.get(folded(text)) ?? loose.get(squeezed(text)) ?? -1 };
}

/**
 * The column to show for an error, or -1. Only points at a cell for a reader: the column that the message names, else the
 * one that its code is about, else the one whose value it quotes, else the cell that tells the row from others.
 */
export function namedColumn(
  { code, message }: ReportedError,
  columns: readonly Column[],
  names: ColumnNames,
  identity: Identity,
  cells: readonly string[] | undefined,
): number {
  const quotes = quotedIn(message);
  const found = [
    () => byName(quotes, names, cells),
    () => byCode(code, columns, identity),
    () => byValue(quotes, identity, cells),
  ];
  for (const find of found) {
    const at = find();
    if (at !== -1) return at;
  }
  return identity.shown;
}

/** A value may be spelled like a column: a quote after `attribute` comes first, then one whose cell is quoted as well. */
function byName(quotes: readonly Quoted[], names: ColumnNames, cells: readonly string[] = []): number {
  const named = quotes.flatMap(({ text, after }) => {
    const at = names.at(text);
    return at === -1 ? [] : [{ at, told: NAMING.has(after) }];
  });
  const quoted = new Set(quotes.map(({ text }) => folded(text)));
  const best =
    named.find(({ told }) => told) ?? named.find(({ at }) => quoted.has(folded(cells[at] ?? ''))) ?? named[0];
  return best?.at ?? -1;
}

/** A code about "the number" is about the record's, which in a BOM is the line's part where the message does not say. */
function byCode(code: number | undefined, columns: readonly Column[], identity: Identity): number {
  const about = knownCause(code)?.about;
  if (about === undefined || about === 'number') return -1;
  return about === 'item.number' ? identity.shown : placeOf([about], columns);
}

function byValue(
  quotes: readonly Quoted[],
  { shown, reported, other }: Identity,
  cells: readonly string[] = [],
): number {
  const quoted = new Set(quotes.map(({ text }) => folded(text)).filter((text) => text !== ''));
  const isQuoted = (at: number): boolean => at !== -1 && quoted.has(folded(cells[at] ?? ''));
  return [shown, other, reported].find(isQuoted) ?? cells.findIndex((_, at) => isQuoted(at));
}
