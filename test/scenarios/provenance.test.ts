import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../harness/git.js';
import { runInProcess } from '../harness/run-in-process.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { group } from './lease-project.js';

const SECRET = 'glpat-S3cret';
const REPOSITORY = 'https://forge.example.com/team/project.git';
const REMOTE = `https://ci:${SECRET}@forge.example.com/team/project.git?token=${SECRET}`;

const runOf = (id: string, by: string, branch: string) => ({
  ...{ GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://forge.example.com', GITHUB_REPOSITORY: 'team/project' },
  ...{ GITHUB_RUN_ID: id, GITHUB_ACTOR: by, GITHUB_HEAD_REF: branch, DEXSYNC_ENV: 'remote' },
});

/** A plan that ann's pipeline run made from one commit, and that bob's is to apply from the next one. */
async function plannedElsewhere() {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/a.yaml': group('A'), '.gitignore': '/plan.*\n/apply.*\n' });
  const { folder } = project;
  await git(folder, 'init', '--quiet', '-b', 'main');
  await git(folder, 'remote', 'add', 'origin', REMOTE);
  const commit = async (): Promise<string> => {
    await git(folder, 'add', '--all');
    await git(folder, 'commit', '--quiet', '--allow-empty', '-m', 'x');
    await git(folder, 'checkout', '--quiet', '--detach');
    return (await git(folder, 'rev-parse', 'HEAD')).trim();
  };
  const as =
    (run: Readonly<Record<string, string>>) =>
    async (...args: string[]) => {
      const { code, out, err } = await project.run(args, { ...workspace.variables, ...run });
      expect([code, err]).toEqual([0, '']);
      return out;
    };
  const [ann, bob] = [as(runOf('7', 'ann', 'topic')), as(runOf('8', 'bob', ''))];
  const planned = await commit();
  const file = (name: string) => readFile(join(folder, name), 'utf8');
  return { project, workspace, ann, bob, commit, planned, file };
}

/** Without what keeps Markdown from reading it as a link or a mention. */
const plain = (text: string): string =>
  text.replaceAll(/<span>&#(\d+);<\/span>/g, (_, code) => String.fromCodePoint(Number(code)));

const COMMANDS = {
  'a saved plan': ['apply', 'plan.json'],
  'a plan that is made again as reviewed': ['apply', '--as-reviewed', 'plan.json'],
};

test.each(Object.entries(COMMANDS))(
  '%s is recorded with its own commit, run and planner, and with those of its apply',
  async (_, apply) => {
    const { ann, bob, commit, planned, file } = await plannedElsewhere();
    await ann('plan', '--out', 'plan.json', '--output', 'md=plan.md', '--output', 'html=plan.html');
    const provenance = {
      actor: { login: 'admin@example.com' },
      git: { repository: REPOSITORY, commit: planned, branch: 'topic', dirty: 'no' },
      ci: { name: 'GitHub Actions', url: 'https://forge.example.com/team/project/actions/runs/7', by: 'ann' },
    };
    const saved = JSON.parse(await file('plan.json'));
    expect(saved.provenance).toMatchObject(provenance);
    const shown = await bob('show', 'plan.json');
    for (const text of [shown, await file('plan.md'), await file('plan.html')]) {
      expect(plain(text)).toContain(`${planned} of ${REPOSITORY} on topic`);
      expect(text).toContain('actions/runs/7');
    }
    const applied = await commit();
    const events = (await bob(...apply, '--yes', '--json', '--output', 'md=apply.md', '--output', 'html=apply.html'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    const told = { git: { commit: applied }, ci: { by: 'bob' }, planned: { at: saved.createdAt, provenance } };
    expect(events.find(({ type }) => type === 'plan').applier).toMatchObject(told);
    const history = await bob('history', 'show', '1');
    for (const text of [history, await file('apply.md'), await file('apply.html')]) {
      for (const one of [planned, applied, 'actions/runs/7', 'actions/runs/8', 'admin@example.com', '(ann)'])
        expect(plain(text)).toContain(one);
    }
    expect(await bob('history')).toContain('admin@example.com (bob), planned by admin@example.com (ann)');
    const { apply: facts } = JSON.parse(await bob('history', 'show', '1', '--json'));
    expect(facts).toMatchObject({ ...told, planned: { digest: saved.digest.replace('sha256:', '') } });
    const [head, row] = (await bob('history', '--csv')).split('\n').map((line) => line.split(','));
    const cell = (column: string) => row?.[head?.indexOf(column) ?? -1];
    expect(['commit', 'repository', 'plannedCommit', 'plannedBy', 'plannedBranch'].map(cell)).toEqual([
      ...[applied, REPOSITORY, planned, 'ann', 'topic'],
    ]);
  },
);

test('no secret of a remote is written anywhere', async () => {
  const { project, ann, bob } = await plannedElsewhere();
  await ann('plan', '--out', 'plan.json');
  await bob('apply', '--as-reviewed', 'plan.json', '--yes');
  const { out } = await runInProcess({
    args: ['history', 'show', '1', '--json'],
    folder: project.folder,
    variables: {},
  });
  expect(out).not.toContain(SECRET);
  // The ledger, and the saved plan.
  const found = await git(project.folder, 'grep', '--no-index', '-l', SECRET, '--', '.dexsync', 'plan.json').catch(
    () => '',
  );
  expect(found).toBe('');
});

test('a plan applied by the command that planned it is shown once, and a change of its provenance changes the plan', async () => {
  const { project, ann, bob, file } = await plannedElsewhere();
  await ann('apply', '--yes', '--output', 'md=apply.md');
  expect((await file('apply.md')).match(/Planned by|Applied by/g)).toEqual(['Planned by']);
  expect(await bob('history', 'show', '1')).not.toContain('Planned');
  await project.write('manifests/b.yaml', group('B'));
  await ann('plan', '--out', 'plan.json');
  await project.write('plan.json', (await file('plan.json')).replace('"by": "ann"', '"by": "eve"'));
  const { code, err } = await project.run(['show', 'plan.json']);
  expect([code, err]).toEqual([5, expect.stringContaining('PLAN_ALTERED')]);
});

test.each(['nested', 'linked'])(
  'a plan has its commit in a folder of a repository, also of a %s work tree',
  async (kind) => {
    const { project, workspace, planned } = await plannedElsewhere();
    const top = kind === 'nested' ? project.folder : join(project.folder, 'tree');
    if (kind === 'linked') await git(project.folder, 'worktree', 'add', '--quiet', '--detach', top);
    const folder = join(top, 'projects/deep');
    for (const name of ['sync.config.yaml', 'manifests'])
      await cp(join(project.folder, name), join(folder, name), { recursive: true });
    const args = ['plan', '--out', 'plan.json'];
    const { err } = await runInProcess({ args, folder, variables: { ...workspace.variables, DEXSYNC_ENV: 'remote' } });
    const saved = await readFile(join(folder, 'plan.json'), 'utf8').catch(() => '{}');
    expect([err, JSON.parse(saved).provenance?.git?.commit]).toEqual(['', planned]);
  },
);
