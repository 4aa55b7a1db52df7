import { stringify as csv } from 'csv-stringify/sync';
import { stringify as yaml } from 'yaml';
import { withoutReferences } from '../manifest/interpolate.js';
import type { Json } from '../model/json.js';
import type { Listing } from '../operations/get.js';

/** A listing as manifests, ready to be put into a file; a lookup's entries, which no manifest describes, as a list. */
export function listingYaml({ type, role, objects }: Listing): string {
  if (role === 'lookup') return yaml(objects.map(({ name, spec }) => ({ name, ...spec })));
  return objects
    .map(({ name, spec }) => ({ apiVersion: 'dexsync/v1', kind: type, metadata: { name }, spec }))
    .map((manifest) => yaml(withoutReferences(manifest), { lineWidth: 0 }))
    .join('---\n');
}

/** One line an object; lists are joined by semicolons. Cells that a spreadsheet would run as a formula are escaped. */
export function listingCsv({ columns, objects }: Listing): string {
  const rows = objects.map(({ name, guid, number, spec, outputs }) => ({
    name,
    guid,
    number: number ?? '',
    ...Object.fromEntries(columns.map((column) => [column, cell(spec[column] ?? outputs?.[column])])),
  }));
  return csv(rows, {
    header: true,
    columns: ['name', 'guid', 'number', ...columns.filter((one) => one !== 'name')],
    escape_formulas: true,
  });
}

function cell(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (Array.isArray(value)) return value.map(cell).join(';');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
