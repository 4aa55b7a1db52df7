import type { ImportSource } from '#core/jobs/source.js';
import { columnNamed } from './headers.js';
import { plainNumber } from './plain-number.js';
import { isEmpty, type SourceTable } from './source-table.js';

type Named = Pick<SourceTable, 'file' | 'worksheet' | 'headers' | 'headerRow'>;
type Conversion = (cell: string) => string;

/** Converts the cells of a row by `numbers`, then by `values`; undefined if a source has neither. */
export function cellConverter(
  table: Named,
  { numbers = {}, values = {} }: ImportSource,
): ((cells: readonly string[]) => readonly string[]) | undefined {
  const conversions: (readonly [column: number, convert: Conversion])[] = [
    ...each(
      table,
      'numbers',
      numbers,
      (format) => (cell) => (isEmpty(cell) ? cell : (plainNumber(cell, format) ?? cell)),
    ),
    ...each(table, 'values', values, replacement),
  ];
  if (conversions.length === 0) return undefined;
  return (cells) => {
    const converted = [...cells];
    for (const [column, convert] of conversions) converted[column] = convert(converted[column] ?? '');
    return converted;
  };
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
