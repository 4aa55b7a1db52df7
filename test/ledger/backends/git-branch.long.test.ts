import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { plansShelf } from '#ledger/document-store.js';
import { gitBackend } from '#ledger/git/git-backend.js';
import { findRemote } from '#ledger/git/remote.js';
import { storedLedger } from '#ledger/stored-ledger.js';
import { bareRepository, git } from '../../harness/git.js';
import { IS_WHOLE, sample } from '../../harness/sample.js';
import { applyOn, expectApplied } from './apply-on.js';
import { emptyProject, newRemote } from './git-place.js';
import { timingOf } from './place.js';

test('the log of the branch shows who did what with a saved plan, and keeps it', async () => {
  const { remote, open } = await newRemote();
  const store = (await open()).documents(plansShelf('s', 'prod'));
  await store.add('p', 'text\n', 'saved by ann on laptop');
  await store.addNote('p', 'one\n', 'approved by bob on desk');
  await store.remove('p', 'applied by ci on runner');
  expect(await git(remote, 'log', '--reverse', '--format=%s', 'dexsync-ledger')).toBe(
    'prod: plan p of stack s saved by ann on laptop\nprod: plan p of stack s approved by bob on desk\nprod: plan p of stack s applied by ci on runner\n',
  );
  expect(await git(remote, 'show', 'dexsync-ledger~1:plans/s/prod/p/plan.json')).toBe('text\n');
  expect(await git(remote, 'ls-tree', '-r', 'dexsync-ledger')).toBe('');
});

/** Lets the server end the connection at its n-th push: before anything was taken, or when all of it was. */
async function cutAtPush(remote: string, push: number, when: 'before' | 'after'): Promise<void> {
  const counting = 'n=$(cat count 2>/dev/null || echo 0); n=$((n+1)); echo $n > count';
  const strike = when === 'before' ? 'exit 1' : 'kill -9 $PPID';
  const hook = join(remote, 'hooks', when === 'before' ? 'pre-receive' : 'post-receive');
  await mkdir(join(remote, 'hooks'), { recursive: true });
  await writeFile(hook, `#!/bin/sh\n${counting}\nif [ $n = ${push} ]; then ${strike}; fi\n`, { mode: 0o755 });
}

test('a push that is cut before or after its success loses nothing and doubles nothing', {
  timeout: 300_000,
}, async () => {
  const OBJECTS = ['A', 'B'];
  // Two locks, the journal with its plan, two objects, the end, and two locks again.
  for (const push of IS_WHOLE ? [1, 2, 3, 4, 5, 6, 7, 8] : [4]) {
    for (const when of ['before', 'after'] as const) {
      const { remote, open } = await newRemote();
      await cutAtPush(remote, push, when);
      await applyOn(await open(), OBJECTS);
      await rm(join(remote, 'hooks'), { recursive: true });
      await expectApplied(await open(), OBJECTS);
    }
  }
});

test('a server that refuses pushes says why', async () => {
  const { remote, open } = await newRemote();
  await mkdir(join(remote, 'hooks'), { recursive: true });
  await writeFile(join(remote, 'hooks', 'pre-receive'), '#!/bin/sh\necho "Branches are protected." >&2\nexit 1\n', {
    mode: 0o755,
  });
  await expect(applyOn(await open(), [])).rejects.toMatchObject({
    code: 'LEDGER_UNREACHABLE',
    message: expect.stringContaining('Branches are protected.'),
  });
});

test('the amount that is fetched does not grow with the history, and the history is complete', async () => {
  const { remote, open } = await newRemote();
  for (let apply = 0; apply < 4; apply += 1) {
    const backend = await open();
    await applyOn(backend, [`G${apply}`], `n${apply}`);
    const store = backend.journals('h/1', async () => undefined);
    await store.putAside((await store.recent()).slice(0, -1));
  }
  const tree = await git(remote, 'ls-tree', '-r', '--name-only', 'dexsync-ledger');
  expect(tree.split('\n').filter((path) => path.includes('/journals/')).length).toBeLessThan(5);
  const late = await open();
  const journals = await storedLedger(late.journals('h/1', async () => undefined)).journals();
  expect(journals).toHaveLength(4);
  for (const [index, journal] of journals.entries()) expect(await journal.text()).toContain(`"UserGroup/G${index}"`);
  expect([...(await storedLedger(late.journals('h/1', async () => undefined)).state()).objects.keys()]).toHaveLength(4);
});

const servers = [
  ['gives older commits by their names', '2'],
  ['gives no commit but the newest', '0'],
] as const;

test.each(sample(servers, 1))(
  'the names of older applies are fetched only when they are needed, from a server that %s',
  async (_, protocol) => {
    const { remote, open } = await newRemote();
    const store = (await open()).journals('h/1', async () => undefined);
    const names = Array.from(
      { length: 3600 },
      (_, index) => `j${String(index + 1).padStart(8, '0')}_x-n${index}.jsonl`,
    );
    for (let first = 0; first < names.length; first += 1200) {
      const some = names.slice(first, first + 1200);
      await store.putWhole(some.map((name) => ({ name, text: `${name}\n` })));
      await store.putAside(some);
    }
    const listed = await git(remote, 'grep', '-h', 'jsonl', 'dexsync-ledger', '--', '*/older/*');
    expect(listed.split('\n').length).toBeLessThanOrEqual(2000);
    vi.stubEnv('GIT_CONFIG_COUNT', '1');
    vi.stubEnv('GIT_CONFIG_KEY_0', 'protocol.version');
    vi.stubEnv('GIT_CONFIG_VALUE_0', protocol);
    onTestFinished(() => void vi.unstubAllEnvs());
    const late = (await open()).journals('h/1', async () => undefined);
    expect(await late.names()).toEqual(names);
    expect(await late.read(names[700] ?? '')).toBe(`${names[700]}\n`);
    expect(await late.recent()).toEqual([]);
  },
);

test('the copy on a machine is packed', async () => {
  const { remote } = await newRemote();
  const project = await emptyProject();
  const given = { remote, branch: 'dexsync-ledger', project, data: project, variables: process.env };
  const backend = await gitBackend({ ...given, ...timingOf() });
  const store = backend.journals('h/1', async () => undefined);
  // A commit with fewer files leaves each as a file of its own.
  for (let commit = 0; commit < 14; commit += 1) {
    const names = Array.from(
      { length: 40 },
      (_, index) => `j${String(commit * 40 + index + 1).padStart(8, '0')}_x-n.jsonl`,
    );
    await store.putWhole(names.map((name) => ({ name, text: `${name}\n` })));
  }
  await backend.close();
  const [folder = ''] = await readdir(join(project, 'git'));
  const counts = await git(join(project, 'git', folder), 'count-objects', '-v');
  expect(Number(/^count: (\d+)/m.exec(counts)?.[1])).toBeLessThan(500);
  const late = await gitBackend({ ...given, ...timingOf() });
  expect(await late.journals('h/1', async () => undefined).names()).toHaveLength(560);
});

test('records that may wait are sent with the next that may not, or at the end', async () => {
  const { remote, open } = await newRemote();
  const commits = async (): Promise<number> => Number(await git(remote, 'rev-list', '--count', 'dexsync-ledger'));
  const store = (await open()).journals('h/1', async () => undefined);
  const writer = await store.create('j00000001_x-a.jsonl', ['one\n']);
  const before = await commits();
  for (const line of ['two\n', 'three\n']) await writer.append(line, 'soon');
  expect(await commits()).toBe(before);
  await writer.append('four\n');
  expect(await commits()).toBe(before + 1);
  await writer.append('five\n', 'soon');
  await writer.close();
  const other = (await open()).journals('h/1', async () => undefined);
  expect(await other.read('j00000001_x-a.jsonl')).toBe('one\ntwo\nthree\nfour\nfive\n');
});

test("the credentials of the project's repository are used, and those of a hook's environment are not", async () => {
  const remote = await bareRepository();
  const project = await emptyProject();
  await git(project, 'init', '--quiet');
  await git(project, 'remote', 'add', 'origin', 'https://forge.example.com/team/plm.git');
  await git(project, 'config', 'url.file:///.insteadOf', 'https://forge.example.com/nowhere/');
  await git(project, 'config', 'http.https://forge.example.com/.extraheader', 'AUTHORIZATION: basic c2VjcmV0');
  const found = await findRemote('origin', project, { ...process.env, GIT_DIR: '/nonexistent' });
  expect(found.url).toBe('https://forge.example.com/team/plm.git');
  expect(found.settings).toContainEqual([
    'http.https://forge.example.com/.extraheader',
    'AUTHORIZATION: basic c2VjcmV0',
  ]);
  await expect(findRemote('upstream', project, process.env)).rejects.toMatchObject({
    code: 'LEDGER_UNREACHABLE',
    message: expect.stringContaining('has no git remote "upstream"'),
  });
  expect((await findRemote(remote, project, process.env)).url).toBe(remote);
});
