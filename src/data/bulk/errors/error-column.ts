import type { Column } from '../preflight/columns.js';
import { foldName } from '../source/headers.js';
import { knownCause } from './causes.js';
import type { ReportedError } from './error-report.js';
import { NAMING_WORDS, type Quote, quotesIn } from './quotes.js';
import { columnWith, type RowIdentity } from './row-identity.js';

/** Keeps letters and digits only: a message may say "Item Number" for a mapping to `item.number`. */
const squeezeName = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Columns by the names that messages may use for them. */
export interface ColumnNames {
  /** Position of the column with this header or field; -1 if there is none. */
  at(text: string): number;
}

/** Indexes columns by header and fields. Without a mapping, the header of a column is its field. */
export function indexColumnNames(columns: readonly Column[]): ColumnNames {
  const [exact, loose] = [new Map<string, number>(), new Map<string, number>()];
  for (const [index, { header, fields }] of columns.entries()) {
    for (const name of [header, ...fields]) {
      if (!exact.has(foldName(name))) exact.set(foldName(name), index);
      if (squeezeName(name) !== '' && !loose.has(squeezeName(name))) loose.set(squeezeName(name), index);
    }
  }
  return { at: (text) => exact.get(foldName(text)) ?? loose.get(squeezeName(text)) ?? -1 };
}

/**
 * Finds the column to show for an error, or -1. It only points a reader to a cell: the column that the message names,
 * else the one that its code is about, else the one whose value it quotes, else the cell that identifies the row.
 */
export function columnOfError(
  { code, message }: ReportedError,
  columns: readonly Column[],
  names: ColumnNames,
  identity: RowIdentity,
  cells: readonly string[] | undefined,
): number {
  const quotes = quotesIn(message);
  const found = [
    () => columnByName(quotes, names, cells),
    () => columnByCode(code, columns, identity),
    () => columnByValue(quotes, identity, cells),
  ];
  for (const find of found) {
    const at = find();
    if (at !== -1) return at;
  }
  return identity.shown;
}

/** A value may look like a column name: prefers a quote after `attribute`, then one whose cell is quoted as well. */
function columnByName(quotes: readonly Quote[], names: ColumnNames, cells: readonly string[] = []): number {
  const named = quotes.flatMap(({ text, after }) => {
    const at = names.at(text);
    return at === -1 ? [] : [{ at, told: NAMING_WORDS.has(after) }];
  });
  const quoted = new Set(quotes.map(({ text }) => foldName(text)));
  const best =
    named.find(({ told }) => told) ?? named.find(({ at }) => quoted.has(foldName(cells[at] ?? ''))) ?? named[0];
  return best?.at ?? -1;
}

/** A code about "the number" means the record's: in a BOM the line's part, unless the message says otherwise. */
function columnByCode(code: number | undefined, columns: readonly Column[], identity: RowIdentity): number {
  const about = knownCause(code)?.about;
  if (about === undefined || about === 'number') return -1;
  return about === 'item.number' ? identity.shown : columnWith([about], columns);
}

function columnByValue(
  quotes: readonly Quote[],
  { shown, reported, other }: RowIdentity,
  cells: readonly string[] = [],
): number {
  const quoted = new Set(quotes.map(({ text }) => foldName(text)).filter((text) => text !== ''));
  const isQuoted = (at: number): boolean => at !== -1 && quoted.has(foldName(cells[at] ?? ''));
  return [shown, other, reported].find(isQuoted) ?? cells.findIndex((_, at) => isQuoted(at));
}
