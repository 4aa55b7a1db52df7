import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openSecrets } from '#base/secrets.js';
import type { Host } from '#project/host.js';
import { openProtectedBranch } from '#project/reviews/protected-branch.js';
import { bareRepository, git } from '../../harness/git.js';
import { testProject } from '../../harness/test-project.js';

test('what a plan calls a commit is never an option of git', async () => {
  const { folder } = await testProject();
  const remote = await bareRepository();
  await git(folder, 'init', '--quiet', '-b', 'main');
  await git(folder, 'add', '--all');
  await git(folder, 'commit', '--quiet', '--message', 'first');
  await git(folder, 'commit', '--quiet', '--allow-empty', '--message', 'second');
  await git(folder, 'remote', 'add', 'origin', remote);
  await git(folder, 'push', '--quiet', 'origin', 'main');
  const tip = (await git(folder, 'rev-parse', 'HEAD')).trim();
  const host = { cwd: folder, variables: process.env, secrets: openSecrets() } as unknown as Host;
  const branch = await openProtectedBranch({ path: join(folder, 'sync.config.yaml') }, host);
  expect(branch).toMatchObject({ name: 'the default branch of origin', tip, ref: 'main' });
  const run = `touch ${join(folder, 'pwned')}`;
  expect(await branch.authorsOf(`--upload-pack=${run}`, tip)).toEqual(['ann@example.com']);
  expect(await branch.authorsOf('0'.repeat(40), tip)).toEqual(['ann@example.com']);
  expect(await branch.commitAt('2040-01-01T00:00:00Z', `--exec=${run}`)).toBe(tip);
  expect(await readdir(folder)).not.toContain('pwned');
});
