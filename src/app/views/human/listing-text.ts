import type { Json } from '#core/model/json.js';
import type { ListedObject, Listing } from '#project/live/listing.js';
import type { Palette } from './palette.js';
import { cellText, tableText } from './table.js';

/** Objects as a table without empty columns. */
export function listingText({ type, columns, objects }: Listing, width: number | undefined): string {
  if (objects.length === 0) return `No ${type} objects in the workspace.\n`;
  const numbered = objects.some(({ number }) => number !== undefined);
  const used = columns.filter((column) => objects.some((object) => cellText(fieldValue(object, column)) !== ''));
  const head = ['NAME', ...(numbered ? ['#'] : []), ...used.map(columnTitle)];
  const rows = objects.map((object) => [
    object.name,
    ...(numbered ? [cellText(object.number)] : []),
    ...used.map((column) => cellText(fieldValue(object, column))),
  ]);
  return tableText(head, rows, width);
}

/** A table for each kind that has objects. */
export function listingsText(listings: readonly Listing[], palette: Palette, width: number | undefined): string {
  const filled = listings.filter(({ objects }) => objects.length > 0);
  if (filled.length === 0) return 'No objects in the workspace.\n';
  return filled
    .map((one) => `${palette.bold(`${one.type} (${one.objects.length})`)}\n${listingText(one, width)}`)
    .join('\n');
}

const columnTitle = (field: string): string => field.replaceAll(/(?=[A-Z])/g, ' ').toUpperCase();

const fieldValue = ({ spec, outputs }: ListedObject, field: string): Json | undefined =>
  spec[field] ?? outputs?.[field];
