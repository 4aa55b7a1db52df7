import type { ImportSource } from '#core/jobs/source.js';
import type { AddedColumn, PlaceColumn } from '#core/jobs/source-cells.js';
import { findColumn } from './headers.js';
import { nameOfTable, type SourceRow, type TableHead } from './source-table.js';
import { unreadableFile } from './unreadable-file.js';

/** Whether a column has the place of a row instead of something from its cells. */
export const isPlaceColumn = (added: AddedColumn): added is PlaceColumn => typeof added === 'object' && 'is' in added;

/** Whether a source divides its rows into blocks with titles. */
export const hasTitles = ({ columns = {} }: ImportSource): boolean =>
  Object.values(columns).some((added) => isPlaceColumn(added) && added.is === 'title');

/** Adds the columns with the places of rows to those of the file, so that all later options find them there. */
export function withPlaceColumns(head: TableHead, { columns = {} }: ImportSource): TableHead {
  const places = Object.entries(columns).filter(([, added]) => isPlaceColumn(added));
  for (const [header, added] of places) refuseColumn(head, header, added as PlaceColumn);
  return places.length === 0 ? head : { ...head, headers: [...head.headers, ...places.map(([header]) => header)] };
}

/** Adds the cells of these columns to a row; undefined if there are none. `width`: number of columns of the file. */
export function placeFiller(
  { worksheet = '' }: TableHead,
  { columns = {} }: ImportSource,
  width: number,
  title: string,
): ((row: SourceRow) => SourceRow) | undefined {
  const cells = Object.values(columns)
    .filter(isPlaceColumn)
    .map(({ is }) => (is === 'title' ? title : worksheet));
  if (cells.length === 0) return undefined;
  return (row) => ({ ...row, cells: [...row.cells.slice(0, width), ...cells, ...row.cells.slice(width)] });
}

function refuseColumn(head: TableHead, header: string, { is }: PlaceColumn): void {
  if (findColumn(head.headers, header) !== undefined) throw alreadyThere(head, header);
  if (is === 'worksheet' && head.worksheet === undefined) {
    throw unreadableFile(
      `${head.file} is a text file, and \`${header}: { is: worksheet }\` applies only to workbooks.`,
      'Remove the column, or use a workbook.',
    );
  }
  if (is === 'title' && head.header === 'none') {
    throw unreadableFile(
      `\`${header}: { is: title }\` needs a header below each title, but the source of ${head.file} has \`header: none\`.`,
      'Remove one of them.',
    );
  }
}

/** The error for an added column with the name of another. */
export const alreadyThere = (table: TableHead, header: string) =>
  unreadableFile(
    `\`columns\` adds the column "${header}", which ${nameOfTable(table)} already has.`,
    'Give the added column another name.',
  );
