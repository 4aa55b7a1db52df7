import { cp, readdir, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pairProject } from '../../harness/environment-pair.js';
import { manifest } from '../../harness/manifest.js';
import { machine } from '../../harness/team-ledger.js';
import { finished, type TestProject, testProject, type Variables } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { group, groups, said } from '../lease-project.js';

const kept = manifest('UserGroup', 'Kept', { description: 'x' }, { protect: true });

/** Two applies: G0, then Kept, which the second one protects. */
async function appliedTwice() {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': groups(1) });
  const variables = { ...workspace.variables, ...machine() };
  const run = (...args: string[]) => project.run(args, variables);
  expect((await run('apply', '--yes')).err).toBe('');
  await project.write('manifests/kept.yaml', kept);
  expect((await run('apply', '--yes')).err).toBe('');
  return { workspace, project, variables, run };
}

async function folderOf(project: TestProject, at = '.dexsync/ledger'): Promise<string> {
  const root = join(project.folder, at);
  const [folder = ''] = await readdir(root);
  return join(root, folder);
}

const journalsOf = async (project: TestProject): Promise<string[]> => {
  const folder = await folderOf(project);
  return (await readdir(folder))
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .sort();
};

const headFiles = async ({ XDG_STATE_HOME = '' }: Variables): Promise<string[]> => {
  const folder = join(XDG_STATE_HOME, 'dexsync/heads');
  return (await readdir(folder).catch(() => [])).map((name) => join(folder, name));
};

/** What may happen to the end of a ledger, and how the message says it. */
const LOSSES: readonly [string, (project: TestProject) => Promise<void>, string][] = [
  ['the newest journal deleted', async (project) => rm((await journalsOf(project)).at(-1) ?? ''), 'is missing'],
  ['all journals deleted', async (project) => rm(await folderOf(project), { recursive: true }), 'is missing'],
  ['the data folder deleted', (project) => rm(join(project.folder, '.dexsync'), { recursive: true }), 'is missing'],
  [
    'the newest journal cut by its last line',
    async (project) => {
      const file = (await journalsOf(project)).at(-1) ?? '';
      const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
      await writeFile(file, `${lines.slice(0, -1).join('\n')}\n`);
    },
    'lost lines at its end',
  ],
  [
    'the newest journal emptied',
    async (project) => truncate((await journalsOf(project)).at(-1) ?? '', 0),
    'lost lines at its end',
  ],
];

describe('a file ledger that is older than this machine saw it', () => {
  test.each(LOSSES)(
    '%s: every command that relies on it ends with 1, and ledger check says why',
    async (_, lose, how) => {
      const { workspace, project, run } = await appliedTwice();
      const name = (await journalsOf(project)).at(-1)?.split('/').at(-1) ?? '';
      await lose(project);
      await rm(join(project.folder, 'manifests/kept.yaml'));
      for (const args of [['plan'], ['apply', '--yes', '--prune'], ['drift']]) {
        const { code, err } = await run(...args);
        expect([code, err], args.join(' ')).toEqual([1, expect.stringContaining(`${name}, ${how}`)]);
        expect(err).toContain(`\`dexsync ledger accept ${name}\``);
      }
      expect((await workspace.usage()).filter(({ method }) => method === 'DELETE')).toEqual([]);
      expect(await run('ledger', 'check')).toMatchObject({ code: 1, out: expect.stringContaining(`${name}, ${how}`) });
    },
  );

  test('can be accepted by the name of the loss, and by no other; then it continues, and its history says so', async () => {
    const { project, run } = await appliedTwice();
    const [first = '', last = ''] = (await journalsOf(project)).map((file) => file.split('/').at(-1) ?? '');
    expect(await run('ledger', 'accept', last)).toMatchObject({
      code: 3,
      err: expect.stringContaining('nothing to accept'),
    });
    await rm(join(await folderOf(project), last));
    expect(await run('ledger', 'accept', first)).toMatchObject({
      code: 3,
      err: expect.stringContaining(`\`dexsync ledger accept ${last}\``),
    });
    expect((await run('plan')).code).toBe(1);
    expect(await run('ledger', 'accept', last)).toMatchObject({
      code: 0,
      out: expect.stringContaining(`without ${last}`),
    });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: expect.any(Number), err: '' });
    expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
    expect((await run('history')).out).toContain(`went on without ${last}`);
  });

  test('can be rebuilt from the workspace instead', async () => {
    const { project, run } = await appliedTwice();
    await rm((await journalsOf(project)).at(-1) ?? '');
    const { code, out } = await run('ledger', 'rebuild', '--yes');
    expect([code, out]).toEqual([0, expect.stringContaining('1 to adopt')]);
    expect(await run('plan', '--prune', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
  });

  test('is refused as a restored backup, and so is moving it elsewhere; the newer one continues as before', async () => {
    const { project, run } = await appliedTwice();
    const data = join(project.folder, '.dexsync');
    await cp(data, `${data}.backup`, { recursive: true });
    await project.write('manifests/more.yaml', group('More'));
    expect((await run('apply', '--yes')).code).toBe(0);
    await rename(data, `${data}.newer`);
    await rename(`${data}.backup`, data);
    expect((await run('plan')).err).toContain('Apply 3, the journal');
    const config = await project.read('sync.config.yaml');
    await project.write('sync.config.yaml', `${config}ledger: { file: { folder: led } }\n`);
    expect(await run('ledger', 'move', '--from', 'file')).toMatchObject({ code: 1 });
    expect(await readdir(join(project.folder, 'led')).catch(() => [])).toEqual([]);
    await project.write('sync.config.yaml', config);
    await rm(data, { recursive: true });
    await rename(`${data}.newer`, data);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
  });
});

describe('a ledger without a loss', () => {
  test('has no head on a fresh runner, which says nothing; a machine whose head is gone says so once', async () => {
    const { project, variables, run } = await appliedTwice();
    const runner = await testProject();
    await cp(join(project.folder, '.dexsync/ledger'), join(runner.folder, '.dexsync/ledger'), { recursive: true });
    await cp(join(project.folder, 'manifests'), join(runner.folder, 'manifests'), { recursive: true });
    const plan = ['plan', '--detailed-exitcode'];
    expect(await runner.run(plan, { ...variables, ...machine() })).toMatchObject({ code: 0, err: '' });
    for (const file of await headFiles(variables)) await rm(file);
    const noticed = await run(...plan);
    expect([noticed.code, noticed.out + noticed.err]).toEqual([0, expect.stringContaining('there this machine noted')]);
    const again = await run(...plan);
    expect([again.code, again.out + again.err]).toEqual([0, expect.not.stringContaining('noted')]);
    // A cache of a pipeline brings the data of another machine along.
    const [note = ''] = await readdir(join(project.folder, '.dexsync/heads'));
    expect(await project.read(`.dexsync/heads/${note}`)).toBe(hostname());
    await project.write(`.dexsync/heads/${note}`, 'another-machine');
    for (const file of await headFiles(variables)) await rm(file);
    expect((await run(...plan)).out).not.toContain('noted');
  });

  test('locks nobody out after a crash that left behind or tore a head', async () => {
    const { project, variables, run } = await appliedTwice();
    const [head = ''] = await headFiles(variables);
    const older = await readFile(head, 'utf8');
    await project.write('manifests/more.yaml', group('More'));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect(await readFile(head, 'utf8')).not.toBe(older);
    await writeFile(head, older);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
    for (const torn of ['', '{"workspace":', '[]']) {
      await writeFile(head, torn);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    }
  });

  test('works with a state folder that cannot be written, which is reported', async () => {
    const project = await testProject({ 'manifests/all.yaml': groups(1), 'state/dexsync/heads': '' });
    const variables = { XDG_STATE_HOME: join(project.folder, 'state') };
    const { code, out, err } = await project.run(['apply', '--yes'], variables);
    expect([code, out + err]).toEqual([0, expect.stringContaining('journals that get lost will not be missed')]);
  });

  test('continues after an apply that was killed at any time, and misses a cut of its records', {
    timeout: 120_000,
  }, async () => {
    for (const after of [4]) {
      const project = await testProject({ 'manifests/groups.yaml': groups(20) });
      const variables = machine();
      const child = project.start(['apply', '--yes', '--json', '--parallelism', '1'], variables);
      const result = finished(child);
      await said(child, new RegExp(`(?:"status":\\{"is":"done"\\}[^]*){${after}}`));
      child.kill('SIGKILL');
      await result;
      expect(await project.run(['plan'], variables)).toMatchObject({ code: 0, err: '' });
      const [file = ''] = await journalsOf(project);
      const text = await readFile(file, 'utf8');
      await writeFile(file, text.slice(0, text.trimEnd().lastIndexOf('\n') + 1));
      expect(await project.run(['plan'], variables)).toMatchObject({ code: 1 });
      await writeFile(file, text);
      expect(await project.run(['apply', '--yes'], variables)).toMatchObject({ code: 0, err: '' });
    }
  });

  test('misses nothing for commands that read while others write', { timeout: 120_000 }, async () => {
    const { project, variables } = await appliedTwice();
    await project.write('manifests/all.yaml', groups(30));
    const args = [
      ['apply', '--yes', '--wait'],
      ['ledger', 'check'],
      ['plan', '--wait'],
      ['apply', '--yes', '--wait'],
      ['plan', '--wait'],
    ];
    const children = args.map((one) => finished(project.start(one, variables)));
    for (const { code, err } of await Promise.all(children)) expect([code, err]).toEqual([0, '']);
    expect((await project.run(['plan', '--detailed-exitcode'], variables)).code).toBe(0);
  });
});

describe('a ledger of another environment in the place of this one', () => {
  async function twoLedgers() {
    const { project, variables } = await pairProject({ files: { 'manifests/all.yaml': groups(1) } });
    const run = (environment: string, ...args: string[]) =>
      project.run([...args, '--env', environment], { ...variables, ...machine() });
    const root = join(project.folder, '.dexsync/ledger');
    const folders: string[] = [];
    for (const environment of ['dev', 'prod']) {
      expect((await run(environment, 'apply', '--yes')).err).toBe('');
      folders.push(...(await readdir(root)).map((name) => join(root, name)).filter((path) => !folders.includes(path)));
    }
    const [first = '', second = ''] = folders;
    return { run, one: first, two: second };
  }

  test.each(['on a fresh machine', 'swapped', 'merged'])('is refused: %s', async (how) => {
    const { run, one, two } = await twoLedgers();
    if (how === 'swapped') {
      await rename(one, `${one}.aside`);
      await rename(two, one);
      await rename(`${one}.aside`, two);
    } else {
      if (how !== 'merged') await rm(two, { recursive: true });
      await cp(one, two, { recursive: true });
    }
    for (const args of [['plan'], ['apply', '--yes'], ['ledger', 'rebuild', '--yes']]) {
      const { code, err } = await run('prod', ...args);
      expect([code, err], args.join(' ')).toEqual([
        1,
        expect.stringMatching(/^Error: The journal \S+ belongs to workspace \S+, not to \S+\.\n/),
      ]);
    }
    expect(await run('prod', 'ledger', 'check')).toMatchObject({
      code: 1,
      out: expect.stringContaining('belongs to workspace'),
    });
  });
});

test('an embedded workspace that was deleted with its ledger begins again: it is another one', async () => {
  const project = await testProject({ 'manifests/all.yaml': groups(1) });
  const run = (...args: string[]) => project.run(args, { DEXSYNC_ENV: 'local' });
  expect((await run('apply', '--yes')).code).toBe(0);
  await rm(join(project.folder, '.dexsync'), { recursive: true });
  const again = await run('apply', '--yes');
  expect([again.code, again.err, again.out]).toEqual([0, '', expect.stringContaining('1 to create')]);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});
