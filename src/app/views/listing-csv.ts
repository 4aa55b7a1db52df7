import type { Json } from '#core/model/json.js';
import type { Listing } from '#project/live/listing.js';
import { csvText } from './csv-text.js';

/** One line for each object; lists are joined by semicolons. */
export function listingCsv({ columns, objects }: Listing): string {
  const rows = objects.map(({ name, guid, number, spec, outputs }) => ({
    name,
    guid,
    number: number ?? '',
    ...Object.fromEntries(columns.map((column) => [column, csvCell(spec[column] ?? outputs?.[column])])),
  }));
  return csvText(rows, ['name', 'guid', 'number', ...columns.filter((one) => one !== 'name')]);
}

function csvCell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(csvCell).join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
