import { excerpt } from '#base/printable.js';
import type { ImportSource } from '#core/jobs/source.js';
import { columnNamed } from './headers.js';
import { plainDate } from './plain-date.js';
import { plainNumber } from './plain-number.js';
import { type CellFault, isEmpty, type SourceTable } from './source-table.js';

type Named = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>;
type Conversion = (cell: string) => string;

/**
 * Converts the cells of a row by `numbers` and `dates`, then by `values`, in the columns that are meant; undefined if a
 * source converts none of them.
 */
export function cellConverter(
  table: Named,
  { numbers = {}, dates = {}, values = {} }: ImportSource,
  isMeant: (column: number) => boolean,
): ((cells: readonly string[]) => readonly string[]) | undefined {
  const all: (readonly [column: number, convert: Conversion])[] = [
    ...each(
      table,
      'numbers',
      numbers,
      (format) => (cell) => (isEmpty(cell) ? cell : (plainNumber(cell, format) ?? cell)),
    ),
    ...each(table, 'dates', dates, (order) => (cell) => plainDate(cell, order) ?? cell),
    ...each(table, 'values', values, replacement),
  ];
  const conversions = all.filter(([column]) => isMeant(column));
  if (conversions.length === 0) return undefined;
  return (cells) => {
    const converted = [...cells];
    for (const [column, convert] of conversions) converted[column] = convert(converted[column] ?? '');
    return converted;
  };
}

/** Finds the cells of `dates` that are no dates in the order of their column; undefined if a source has no such columns. */
export function dateFaults(
  table: Named,
  { dates = {}, values = {} }: ImportSource,
): ((cells: readonly string[]) => CellFault[]) | undefined {
  const columns = Object.entries(dates).map(([column, order]) => {
    const replaced = new Set(Object.keys(values[column] ?? {}).map((value) => value.trim()));
    return { index: columnNamed(table, column, 'dates'), order, replaced };
  });
  if (columns.length === 0) return undefined;
  return (cells) =>
    columns.flatMap(({ index, order, replaced }): CellFault[] => {
      const cell = cells[index] ?? '';
      if (isEmpty(cell) || replaced.has(cell.trim()) || plainDate(cell, order) !== undefined) return [];
      return [{ index, code: 'date-unreadable', says: `is not a date in the order ${order} ("${excerpt(cell)}")` }];
    });
}

const each = <T>(
  table: Named,
  option: string,
  given: Readonly<Record<string, T>>,
  conversionOf: (rule: T) => Conversion,
): (readonly [number, Conversion])[] =>
  Object.entries(given).map(([column, rule]) => [columnNamed(table, column, option), conversionOf(rule)]);

function replacement(given: NonNullable<ImportSource['values']>[string]): Conversion {
  const known = new Map(Object.entries(given).map(([from, to]) => [from.trim(), String(to)]));
  return (cell) => known.get(cell.trim()) ?? cell;
}
