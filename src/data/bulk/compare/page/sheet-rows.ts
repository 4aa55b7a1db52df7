import { omitUndefined } from '#base/omit-undefined.js';
import type { SheetRow } from '#base/pages/browser/sheet-changes.js';
import { excerpts } from '#base/printable.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { type Column, normaliseRow } from '../../preflight/columns.js';
import { createRowFields } from '../../preflight/row-fields.js';
import type { RowRanges } from '../../rows/row-ranges.js';
import { type RowPlace, rowLabel, rowPlace } from '../../source/row-place.js';
import type { SourceTable } from '../../source/source-table.js';
import type { SheetColumns } from './sheet-columns.js';

/** The rows of a file, and the changes that comparing them found. */
export interface SheetInput {
  readonly table: Pick<SourceTable, 'rows' | 'worksheets'>;
  readonly sheet: SheetColumns;
  readonly columns: readonly Column[];
  readonly definition: ImportDefinitionSpec;
  /** The data rows that were compared; all if absent. */
  readonly only?: RowRanges;
  /** In the order of the rows; records that are not in the file come last. */
  readonly changes: AsyncIterable<RowChange>;
  readonly unchanged: 'shown' | 'left out';
}

/** The longest value that a cell of the page shows. */
const LONGEST = 1000;

/** Yields the rows of a sheet in order, each with its changes, then the rows that are not in the file. */
export async function* sheetRows(input: SheetInput): AsyncGenerator<SheetRow> {
  const { table, sheet, columns, definition, only, unchanged } = input;
  const fields = createRowFields(columns, definition);
  const { keys } = resourceNamed(definition.resource);
  const changes = input.changes[Symbol.asyncIterator]();
  const constants = columns.flatMap(({ from }) => (from.type === 'constant' ? [from.value] : []));
  try {
    let next = await changes.next();
    let n = 0;
    for await (const { row, cells } of table.rows) {
      n += 1;
      if (only?.has(n) === false) continue;
      const shown = [...cells.slice(0, sheet.all.length - constants.length), ...constants];
      const place = rowPlace(table, row);
      if (next.done !== true && isAt(next.value, place)) {
        yield changedRow(next.value, shown, sheet);
        next = await changes.next();
      } else if (unchanged === 'shown') {
        const own = normaliseRow(columns, cells);
        const key = keys.map((name) => fields.text(own, name));
        yield { row: shownRow(place), kind: 'unchanged', key, cells: shown, changes: [], why: '' };
      }
    }
    for (; next.done !== true; next = await changes.next())
      yield changedRow(next.value, absent(next.value, sheet), sheet);
  } finally {
    await changes.return?.();
  }
}

const isAt = ({ row, worksheet }: RowPlace, place: RowPlace): boolean =>
  row === place.row && worksheet === place.worksheet;

const shownRow = (place: RowPlace): SheetRow['row'] =>
  place.worksheet === undefined ? (place.row ?? null) : rowLabel(place);

function changedRow(
  { change, row, worksheet, key, cells = [], why = '' }: RowChange,
  shown: readonly string[],
  { placeOf }: SheetColumns,
): SheetRow {
  // Every cell of a new row is new.
  const changes = change === 'new' ? [] : cells;
  return {
    row: shownRow({ ...omitUndefined({ row, worksheet }) }),
    kind: change,
    key,
    cells: shown,
    changes: changes.flatMap(({ column, before, after }) => {
      const place = placeOf(column);
      return place === undefined ? [] : [[place, ...excerpts(before, after, LONGEST)] as const];
    }),
    why,
  };
}

/** Cells of a row that is not in the file: those that identify it. */
function absent({ key }: RowChange, { all, keys }: SheetColumns): string[] {
  const shown = all.map(() => '');
  for (const [index, place] of keys.entries()) if (place !== undefined) shown[place] = key[index] ?? '';
  return shown;
}
