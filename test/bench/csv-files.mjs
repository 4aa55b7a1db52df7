import { open } from 'node:fs/promises';

const ROWS_A_BLOCK = 5000;

export const MEGABYTE = 1024 ** 2;

/** The columns of the file, by the field that each feeds. */
export const FIELDS = ['number', 'name', 'description', 'uom', 'standardCost', 'productionCost', 'notes'];

export const DEFINITION = {
  resource: 'ITEM_SPECS',
  mode: 'CREATE',
  options: {
    mapping: FIELDS.slice(0, -1).map((apiName) => ({ resource: 'ITEM_SPECS', apiName, sourceName: apiName })),
  },
};

/**
 * Writes items as CSV, RFC 4180, no number twice: of ten rows one has commas and quotes in a quoted cell, of fifty one
 * has line breaks.
 *
 * @param {string} path
 * @param {number} bytes The least size.
 */
export async function writeCsv(path, bytes) {
  const file = await open(path, 'w');
  await file.write(`${FIELDS.join(',')}\r\n`);
  let rows = 0;
  for (let written = 0; written < bytes; rows += ROWS_A_BLOCK) {
    const lines = Array.from({ length: ROWS_A_BLOCK }, (_, n) => line(rows + n));
    written += (await file.write(lines.join(''))).bytesWritten;
  }
  await file.close();
  return { path, rows };
}

/** @param {number} n */
const line = (n) => `${itemOf(n).map(cell).join(',')}\r\n`;

/** @param {string | number} value */
function cell(value) {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * @param {number} n
 * @returns {(string | number)[]}
 */
export function itemOf(n) {
  const description =
    n % 10 === 0 ? `Plate, 3/4" x ${n % 12}", grey, as in drawing ${n}` : `Plate of drawing ${n} in grey`;
  const notes = n % 50 === 0 ? `See sheet ${n % 7}\r\nand the "note" below` : 'Released with the board';
  return [`P-${String(n).padStart(9, '0')}`, `Part ${n}`, description, 'each', n % 97, (n % 89) / 4, notes];
}
