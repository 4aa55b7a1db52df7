import type { ImportSource } from '#core/jobs/source.js';
import type { SourceTable } from '../source/source-table.js';
import type { ChosenTable } from './choose-table.js';
import type { Column } from './column.js';
import { LEFT_OUT } from './draft.js';
import type { FoundTable } from './find-tables.js';
import { placeNames } from './title-column.js';

/** A source without totals, and where and why the rows of the table end. */
export interface TableEnd {
  readonly source: ImportSource;
  readonly end: { readonly row: number; readonly why: string } | undefined;
  /** Number of rows below the table that nothing reads. */
  readonly unread: number;
  readonly remark?: string;
}

/** Maximum number of rows between a total that ends the table and the last row. */
const NEAR = 12;

/** Tells whether rows of the table follow a row. */
export type FindRowsAfter = (row: number, totals: ReadonlySet<number>) => Promise<boolean>;

/**
 * Leaves out rows with totals, which are not data: the last ones end the table unless rows like those above follow them,
 * others are excluded by value.
 */
export async function excludeTotals(
  { source, table, end, others }: ChosenTable,
  columns: readonly Column[],
  { file }: SourceTable,
  hasRowsAfter: FindRowsAfter,
): Promise<TableEnd> {
  if (table === undefined) return { source, end: undefined, unread: 0 };
  const below = others
    .filter(({ range }) => Number(/\d+/.exec(range)?.[0]) > table.bottom)
    .reduce((sum, { rows }) => sum + rows, 0);
  const parted =
    end === undefined
      ? undefined
      : {
          row: table.bottom,
          why: `${end === 'blank row' ? 'a blank row follows' : 'the range ends here'}; ${countText(below, 'filled row')} of ${file} below it ${below === 1 ? 'is' : 'are'} not read`,
        };
  const column = columns.find(
    ({ totals, name, filled, numbers }) =>
      name !== '' && totals.length > 0 && (totals.length < filled / 2 || numbers !== undefined),
  );
  const [first] = column?.totals ?? [];
  const unread = end === undefined ? 0 : below;
  if (column === undefined || first === undefined) return { source, end: parted, unread };
  const { name, totals } = column;
  const rows = new Set(totals.map(({ row }) => row));
  if (isEnd(first, source, table, end) && !(await hasRowsAfter(first.row, rows))) {
    const why = `"${first.value}" in column "${name}" ends the table`;
    return {
      source: { ...source, stopAt: { column: name, value: first.value } },
      end: { row: first.row - 1, why },
      unread: 0,
      ...leftBelow(first.row, table, why),
    };
  }
  const values = [...new Set(totals.map(({ value }) => value))];
  const [only, ...more] = values;
  const not = more.length === 0 ? (only ?? '') : values;
  return { source: { ...source, where: { ...source.where, [name]: { not } } }, end: parted, unread };
}

const leftBelow = (row: number, { bottom }: FoundTable, why: string): Pick<TableEnd, 'remark'> =>
  bottom > row ? { remark: `${LEFT_OUT}all rows from row ${row} on: ${why}.` } : {};

/** Whether a total ends the table; that of one of several blocks ends nothing. */
const isEnd = (
  { row }: Column['totals'][number],
  source: ImportSource,
  table: FoundTable,
  end: ChosenTable['end'],
): boolean =>
  placeNames(source).length === 0 && row > table.bottom - NEAR && (source.stopAt === undefined || end === 'blank row');

const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
