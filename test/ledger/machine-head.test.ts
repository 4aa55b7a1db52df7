import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machineHeads } from '#ledger/machine-head.js';

test('a head that cannot be saved leaves no temporary file, and the user is warned', async () => {
  const data = await mkdtemp(join(tmpdir(), 'dexsync-head-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const warnings: string[] = [];
  const heads = machineHeads({ data, state: async () => join(data, 'state'), warn: (text) => warnings.push(text) });
  const note = hash('sha256', 'key').slice(0, 32);
  // A folder occupies the place of the file.
  await mkdir(join(data, 'heads', note), { recursive: true });
  await heads('.dexsync', 'key').write({ workspace: 'one', applies: 1, journal: '1', chain: 'c' });
  expect(await readdir(join(data, 'heads'))).toEqual([note]);
  expect(warnings).toEqual([expect.stringContaining('cannot be noted in the state folder')]);
});
