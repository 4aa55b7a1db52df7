import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXTRA_COLUMNS } from '#data/bulk/report/extra-columns.js';
import { readRunReport } from '#data/bulk/report/read-run-report.js';
import { temporaryFolder } from '../support.js';

const REASON = { code: 3003, message: 'It is not a number.', cause: 'It is not a number.', certainty: 'certain' };

/** A report of rows of which every second one has another cause, with what follows the rows in their file. */
async function reportOf(count: number, after = ''): Promise<string> {
  const folder = await temporaryFolder();
  const other = { ...REASON, code: 3001, message: 'It is empty.', cause: 'It is empty.' };
  const errors = Array.from({ length: Math.min(count, 10_000) }, (_, at) => ({
    ...(at % 2 === 0 ? REASON : other),
    ...{ row: at + 2, key: `X-${at}`, column: 'Cost', value: 'x' },
  }));
  const causes = [REASON, other].map(({ code, message }) => ({ code, message, count: count / 2, samples: [] }));
  const report = { version: 1, counts: { failed: count }, causes, errors, errorsInAll: count };
  await writeFile(join(folder, 'report.json'), JSON.stringify(report));
  const lines = Array.from({ length: count }, (_, at) => `X-${at},x,${at + 2},It is wrong.,certain\n`);
  await writeFile(join(folder, 'failed.csv'), `Part,Cost,${EXTRA_COLUMNS.join(',')}\n${lines.join('')}${after}`);
  return folder;
}

describe('a report that is read in parts', () => {
  test('is read no further than the rows that are asked for', async () => {
    const folder = await reportOf(20_000, '"a quote that is never closed\n');
    const first = await readRunReport(folder, { count: 50 });
    expect([first?.rows.length, first?.rows[49]?.row, first?.rowsInAll]).toEqual([50, '51', 20_000]);
    const cause = await readRunReport(folder, { count: 50, from: 4990, cause: 1 });
    expect([cause?.rows.map(({ row }) => row), cause?.rowsInAll]).toEqual([
      Array.from({ length: 10 }, (_, at) => String(9983 + 2 * at)),
      5000,
    ]);
    expect((await readRunReport(folder, { count: 0 }))?.rows).toEqual([]);
    await expect(readRunReport(folder, { from: 19_990 })).rejects.toThrow('quote');
  });

  test('has its last rows, and none behind them', async () => {
    const folder = await reportOf(120);
    expect((await readRunReport(folder, { from: 100, count: 50 }))?.rows.map(({ row }) => row)).toHaveLength(20);
    expect((await readRunReport(folder, { from: 5000 }))?.rows).toEqual([]);
    expect((await readRunReport(folder, { cause: 7 }))?.rows).toEqual([]);
  });
});
