import { stringify as csv } from 'csv-stringify/sync';
import type { Listing } from '../live/listing.js';
import type { Json } from '../model/json.js';

/** One line an object; lists are joined by semicolons. Cells that a spreadsheet would run as a formula are escaped. */
export function listingCsv({ columns, objects }: Listing): string {
  const rows = objects.map(({ name, guid, number, spec, outputs }) => ({
    name,
    guid,
    number: number ?? '',
    ...Object.fromEntries(columns.map((column) => [column, csvCell(spec[column] ?? outputs?.[column])])),
  }));
  return csv(rows, {
    header: true,
    columns: ['name', 'guid', 'number', ...columns.filter((one) => one !== 'name')],
    escape_formulas: true,
  });
}

function csvCell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(csvCell).join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
