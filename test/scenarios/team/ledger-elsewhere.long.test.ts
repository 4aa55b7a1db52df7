import { cp } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bareRepository, git } from '../../harness/git.js';
import { machine } from '../../harness/team-ledger.js';
import { type TestProject, testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { groups } from '../lease-project.js';

/** One apply to a ledger in files, or in the one that a line of the configuration names. */
async function applied(line = '') {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': groups(1) });
  const files = await project.read('sync.config.yaml');
  const configure = (text: string) => project.write('sync.config.yaml', `${files}${text}\n`);
  await configure(line);
  const variables = { ...workspace.variables, ...machine() };
  const run = (...args: string[]) => project.run(args, variables);
  return { workspace, project, configure, variables, run };
}

const inBranch = (remote: string): string => `ledger: { git: { remote: "${remote}" } }`;

/** Every command that relies on the ledger names the other one; gives the journal that begins the empty one all the same. */
async function expectRefused(run: (...args: string[]) => ReturnType<TestProject['run']>, place: string) {
  let journal = '';
  for (const args of [
    ['plan'],
    ['apply', '--yes'],
    ['destroy', '--yes', '--confirm', 'Embedded Workspace'],
    ['drift'],
  ]) {
    const { code, err } = await run(...args);
    expect([code, err], args.join(' ')).toEqual([1, expect.stringContaining('LEDGER_ELSEWHERE')]);
    expect(err).toContain(place);
    journal = /`dexsync ledger accept (\S+)`/.exec(err)?.[1] ?? '';
  }
  return journal;
}

test('the ledger in the project folder is named where the configuration leads to an empty one, and can be moved', async () => {
  const { workspace, configure, run } = await applied();
  expect((await run('apply', '--yes')).err).toBe('');
  const writes = (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
  await configure(inBranch(await bareRepository()));
  await expectRefused(run, '.dexsync/ledger');
  expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toHaveLength(writes);
  expect(await run('ledger', 'move', '--from', 'file')).toMatchObject({ code: 0, err: '' });
  expect(await run('plan', '--prune', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
});

test("the branch of the project's remote is named where the configuration leads to files, also on a fresh machine", async () => {
  const { workspace, project, configure, run } = await applied('ledger: { git: {} }');
  await git(project.folder, 'init', '--quiet');
  await git(project.folder, 'remote', 'add', 'origin', await bareRepository());
  expect((await run('apply', '--yes')).err).toBe('');
  await configure('');
  await expectRefused(run, 'branch dexsync-ledger of');
  const fresh = (...args: string[]) => project.run(args, { ...workspace.variables, ...machine() });
  await expectRefused(fresh, 'branch dexsync-ledger of');
  expect(await run('ledger', 'move', '--from', 'git')).toMatchObject({ code: 0, err: '' });
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
});

test('a ledger that this machine saw elsewhere is named; only the name of its journal allows to begin the empty one', async () => {
  const remote = await bareRepository();
  const { configure, run } = await applied(inBranch(remote));
  expect((await run('apply', '--yes')).err).toBe('');
  await configure('');
  const journal = await expectRefused(run, `branch dexsync-ledger of ${remote}`);
  expect(await run('ledger', 'accept', 'j00000009_x-y.jsonl')).toMatchObject({
    code: 3,
    err: expect.stringContaining(journal),
  });
  expect(await run('ledger', 'accept', journal)).toMatchObject({ code: 0, err: '' });
  expect((await run('plan')).err).toBe('');
  expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
  expect((await run('history')).out).toContain(`went on without ${journal}`);
});

test('a ledger in another folder is named where the configuration of its project forgets it', async () => {
  const { configure, run } = await applied('ledger: { file: { folder: led } }');
  expect((await run('apply', '--yes')).err).toBe('');
  await configure('');
  await expectRefused(run, 'led');
  await configure('ledger: { file: { folder: led } }');
  expect((await run('plan')).err).toBe('');
});

test('a ledger that was closed by a move does not count, nor does that of another clone in files', async () => {
  const { workspace, project, configure, variables, run } = await applied();
  expect((await run('apply', '--yes')).err).toBe('');
  await configure('ledger: { file: { folder: led } }');
  expect(await run('ledger', 'move', '--from', 'file')).toMatchObject({ code: 0 });
  const clone = await testProject({ 'manifests/all.yaml': groups(1) });
  expect((await clone.run(['plan'], variables)).err).toBe('');
  const runner = await testProject();
  await cp(project.folder, runner.folder, { recursive: true, filter: (path) => !path.endsWith('/led') });
  expect((await runner.run(['plan'], { ...workspace.variables, ...machine() })).err).toBe('');
});
