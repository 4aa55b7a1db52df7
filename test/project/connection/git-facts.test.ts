import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { askGit } from '#project/connection/git-facts.js';
import { atEnd } from '../../harness/at-end.js';
import { git } from '../../harness/git.js';

test('the environments of a fleet share one answer of git, however many wait for it, without a warning of Node', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'dexsync-facts-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  await git(folder, 'init', '--quiet', '-b', 'main');
  await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'First');
  const warnings: Error[] = [];
  const hear = (warning: Error): void => void warnings.push(warning);
  process.on('warning', hear);
  const asked = askGit(folder, process.env);
  const answers = await Promise.all(Array.from({ length: 20 }, () => asked.answer()));
  await new Promise(setImmediate);
  process.off('warning', hear);
  expect(new Set(answers)).toEqual(new Set([expect.objectContaining({ branch: 'main', dirty: 'no' })]));
  expect(warnings).toEqual([]);
});
