import type { SheetColumn } from '#base/pages/browser/sheet-changes.js';
import type { Column } from '../../preflight/columns.js';
import type { SourceTable } from '../../source/source-table.js';

/** The columns of a file, and the positions of its normalised rows' columns among them. */
export interface SheetColumns {
  /** Columns of the file in their order, then constants. */
  readonly all: readonly SheetColumn[];
  /** Positions of the keys of the resource, in their order. */
  readonly keys: readonly (number | undefined)[];
  /** Position of the column with this header of the mapping. */
  placeOf(header: string): number | undefined;
}

/** Lists the columns of a sheet. */
export function sheetColumns(
  { headers, letters = [] }: Pick<SourceTable, 'headers' | 'letters'>,
  columns: readonly Column[],
  keys: readonly string[],
): SheetColumns {
  const constants = columns.filter(({ from }) => from.type === 'constant');
  const places = columns.map((column) =>
    column.from.type === 'cell' ? column.from.index : headers.length + constants.indexOf(column),
  );
  const useOf = (column: Column | undefined): SheetColumn['use'] => {
    if (column === undefined) return 'unused';
    return column.fields.some((field) => keys.some((key) => key.toLowerCase() === field)) ? 'key' : 'imported';
  };
  const ofFile = headers.map((header, index): SheetColumn => {
    const letter = letters[index] ?? '';
    const name = header.trim() === '' ? `(column ${letter === '' ? index + 1 : letter})` : header;
    return { name, letter, use: useOf(columns.find((_, at) => places[at] === index)) };
  });
  const added = constants.map(({ header }): SheetColumn => ({ name: header, letter: '', use: 'constant' }));
  const byHeader = new Map(columns.map(({ header }, at) => [header, places[at] ?? 0]));
  const placeOfKey = (key: string): number | undefined =>
    places[columns.findIndex(({ fields }) => fields.includes(key.toLowerCase()))];
  return { all: [...ofFile, ...added], keys: keys.map(placeOfKey), placeOf: (header) => byHeader.get(header) };
}
