import { mkdir, mkdtemp, readdir, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { removeOldReports } from '#data/imports/old-reports.js';
import type { ReportProject } from '#data/imports/report-folder.js';

const MEGABYTE = 1024 * 1024;

/** Writes a report of a megabyte that is that many minutes old. */
async function report(folder: string, minutes: number): Promise<void> {
  const at = new Date(Date.now() - minutes * 60_000);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'failed.csv'), Buffer.alloc(MEGABYTE));
  await writeFile(join(folder, 'report.json'), '{\n  "version": 1,\n  "address": "Import/a.csv"\n}\n');
  for (const name of ['failed.csv', 'report.json']) await utimes(join(folder, name), at, at);
}

async function reports(settings: NonNullable<ReportProject['imports']>['errorReports']) {
  const folder = await mkdtemp(join(tmpdir(), 'reports-'));
  const project = { folder, imports: { errorReports: { folder: 'kept', ...settings } } };
  const kept = join(folder, 'kept/W');
  for (const [name, minutes] of [
    ['a', 40],
    ['b', 30],
    ['c', 20],
    ['d', 10],
  ] as const)
    await report(join(kept, name), minutes);
  return { project, kept, left: async () => (await readdir(kept)).sort() };
}

test('reports are removed, the oldest first, until the others are not too large together', async () => {
  const { project, kept, left } = await reports({ megabytes: 3 });
  await removeOldReports(project, join(kept, 'd'));
  expect(await left()).toEqual(['c', 'd']);
});

test('a before image beside a report stays, and the newest report does however large it is', async () => {
  const { project, kept, left } = await reports({ megabytes: 1, keep: 1 });
  await writeFile(join(kept, 'a/before.csv'), 'x');
  await removeOldReports(project, join(kept, 'c'));
  expect(await left()).toEqual(['a', 'c']);
  expect(await readdir(join(kept, 'a'))).toEqual(['before.csv']);
});

test('without limits, everything stays', async () => {
  const { project, kept, left } = await reports({});
  await removeOldReports(project, join(kept, 'd'));
  expect(await left()).toEqual(['a', 'b', 'c', 'd']);
});
