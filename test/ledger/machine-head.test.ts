import { hash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { machineHeads, notedHeads } from '#ledger/machine-head.js';

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

test('many environments look for heads of their workspaces one after another: one that is noted meanwhile is found, at its newest end', async () => {
  const data = await mkdtemp(join(tmpdir(), 'dexsync-head-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const state = join(data, 'state');
  const heads = machineHeads({ data, state: async () => state, warn: (text) => expect.fail(text) });
  const head = { workspace: 'one', applies: 1, journal: '1', chain: 'c' };
  const known = new Map();
  const find = async (workspace: string) =>
    (await notedHeads(workspace, { state, data, known })).map(({ place, journal, isOurs }) => [place, journal, isOurs]);
  await heads('here', 'here').write(head);
  expect(await find('one')).toEqual([['here', '1', true]]);
  await heads('here', 'here').write({ ...head, applies: 2, journal: '2' });
  await heads('there', 'there').write({ ...head, workspace: 'other' });
  expect(await find('one')).toEqual([['here', '2', true]]);
  expect(await find('other')).toEqual([['there', '1', true]]);
});
