import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { floor, printed } from './processes.mjs';
import { itemRow } from './rows.mjs';

const ROWS = 100_000;
const NOTE =
  'daff 1.4.2, a keyed differ of tables, on the same two files, from their text to its table of differences. dexsync reads and checks both, keeps one side in a file, and writes every change of a row and cell to another. Both time themselves, without their start, and must count the same changes.';

/** A tenth of the rows is changed, new and gone each. @type {import('./compare.mjs').Measurement} */
export const differ = {
  name: 'differ',
  isScaled: true,
  title: '100,000 rows compared with 100,000',
  runs: 3,
  gate: 6,
  async prepare(folder, { scale }) {
    const rows = Math.round(ROWS * scale);
    const given = { ...(await writeTables(folder, rows)), expected: tenths(rows) };
    const script = fileURLToPath(new URL('compare-rows.mjs', import.meta.url));
    const subject = JSON.stringify({ ...given, folder: join(folder, 'compared') });
    return {
      subject: async () => Number(await printed([process.execPath, script, subject], folder)),
      floors: [{ against: 'daff', note: NOTE, run: async () => Number(await printed(floor('daff', given), folder)) }],
      close: () => Promise.all([rm(given.before), rm(given.after)]),
    };
  },
};

/** @param {number} rows */
const tenths = (rows) => ({ changed: rows / 10, new: rows / 10, gone: rows / 10 });

/**
 * @param {string} folder
 * @param {number} rows
 */
async function writeTables(folder, rows) {
  const [before, after] = [join(folder, 'before.csv'), join(folder, 'after.csv')];
  const head = 'number,name,description,uom,standardCost\r\n';
  const line = (/** @type {readonly (string | number)[]} */ cells) => `${cells.join(',')}\r\n`;
  const all = Array.from({ length: rows }, (_, n) => itemRow(n));
  const kept = all.slice(rows / 10).map(([number, name, ...others], n) => {
    return n % 9 === 0 ? [number, `${name} b`, ...others] : [number, name, ...others];
  });
  const added = Array.from({ length: rows / 10 }, (_, n) => itemRow(rows + n));
  await writeFile(before, head + all.map(line).join(''));
  await writeFile(after, head + [...kept, ...added].map(line).join(''));
  return { before, after };
}
