import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFINITION, MEGABYTE, writeCsv } from './csv-files.mjs';
import { floor, printed } from './processes.mjs';
import { writeWorkbook } from './workbook-file.mjs';

const FLOOR_NOTE =
  'of the same file, counting the rows and keeping nothing. dexsync finds and checks encoding, delimiter and header, keeps the line of each row, takes the mapped columns, looks for empty and repeated keys, writes and digests the rows as they will be sent. Both time themselves, without their start.';
/** @type {Readonly<Record<string, string>>} */
const NOTES = {
  papaparse:
    ' It is the fastest measured reader that tells of quotes without end, and takes mixed line breaks and a quote within a value for data.',
};
const READER_NOTE =
  'alone, up to the rows as the source options leave them: what is beyond 1.00 is for normalising, checking and writing.';

/** @type {import('./compare.mjs').Measurement} */
export const csv = {
  name: 'csv',
  isScaled: true,
  title: '200 MB of CSV, read, checked and spooled',
  runs: 5,
  aim: 0.7,
  gate: 1.2,
  prepare: (folder, { scale }) =>
    contest(folder, 'rows.csv', ['csv-parse', 'papaparse'], (path) => writeCsv(path, 200 * MEGABYTE * scale)),
};

/** @type {import('./compare.mjs').Measurement} */
export const xlsx = {
  name: 'xlsx',
  isScaled: true,
  title: '200,000 rows of a workbook, read, checked and spooled',
  runs: 3,
  gate: 1.2,
  prepare: (folder, { scale }) =>
    contest(folder, 'rows.xlsx', ['excelts'], (path) => writeWorkbook(path, Math.round(200_000 * scale))),
};

/**
 * @param {string} folder
 * @param {string} file
 * @param {readonly string[]} libraries
 * @param {(path: string) => Promise<{ path: string, rows: number }>} write
 */
async function contest(folder, file, libraries, write) {
  const given = await write(join(folder, file));
  return {
    subject: async () => (await prepared(folder, file, given)).milliseconds,
    floors: [
      ...libraries.map((library) => ({
        against: `bare ${library}`,
        note: `the streaming reader of ${library}, ${FLOOR_NOTE}${NOTES[library] ?? ''}`,
        run: async () => itself(await printed(floor(library, given), folder)),
      })),
      {
        against: 'its own reader',
        note: `the reader of dexsync ${READER_NOTE}`,
        run: async () => itself(await printed(floor('reader', { ...given, file }), folder)),
      },
    ],
    close: () => rm(given.path),
  };
}

/** @param {string} text */
const itself = (text) => Number(JSON.parse(text).milliseconds);

/**
 * Prepares a file in a process of its own.
 *
 * @param {string} folder
 * @param {string} file
 * @param {{ path: string, rows: number }} given
 * @returns {Promise<{ milliseconds: number, kilobytes: number }>}
 */
export async function prepared(folder, file, given) {
  const input = JSON.stringify({ ...given, file, definition: DEFINITION, folder: join(folder, 'prepared') });
  const script = fileURLToPath(new URL('prepare.mjs', import.meta.url));
  return JSON.parse(await printed([process.execPath, script, input], folder));
}
