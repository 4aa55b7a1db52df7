import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { bareRepository, git } from '../harness/git.js';
import { environment } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const SOURCE = resolve('examples/pipelines');
const run = promisify(execFile);

/** A fresh clone of a runner: the project with the scripts, and dexsync as `npm ci` installs it. */
async function clone(remote: string, branch: string): Promise<string> {
  const folder = join(await mkdtemp(join(tmpdir(), 'runner-')), 'project');
  onTestFinished(() => rm(resolve(folder, '..'), { recursive: true, force: true, maxRetries: 5 }));
  await git(tmpdir(), 'clone', '--quiet', '--depth=1', '--branch', branch, `file://${remote}`, folder);
  await symlink(await installed(), join(folder, 'node_modules'));
  return folder;
}

async function installed(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'modules-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await mkdir(join(folder, '.bin'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${resolve('bundle/cli.js')}" "$@"\n`;
  await writeFile(join(folder, '.bin', 'dexsync'), program, { mode: 0o755 });
  return folder;
}

/** A repository on a forge with the files of the guide, its prod a service of the test. */
async function forge() {
  const workspace = await testWorkspace();
  const remote = await bareRepository();
  const own = join(await mkdtemp(join(tmpdir(), 'author-')), 'project');
  onTestFinished(() => rm(resolve(own, '..'), { recursive: true, force: true, maxRetries: 5 }));
  await cp(SOURCE, own, { recursive: true, filter: (file) => !file.includes('.dexsync') });
  const config = await readFile(join(own, 'sync.config.yaml'), 'utf8');
  await writeFile(join(own, 'sync.config.yaml'), config.replace('workspace: embedded', 'url: "${env.TEST_URL}"'));
  await git(own, 'init', '--quiet', '--initial-branch=main');
  await writeFile(join(own, '.gitignore'), 'node_modules\n.dexsync\n*.md\n*.html\nplan.json\n');
  await git(own, 'remote', 'add', 'origin', remote);
  const commit = async (message: string, branch: string): Promise<void> => {
    await git(own, 'add', '-A');
    await git(own, 'commit', '--quiet', '-m', message);
    await git(own, 'push', '--quiet', 'origin', branch);
  };
  await commit('The project', 'main');
  const { TEST_URL = '', DEXSYNC_REMOTE_EMAIL = '', DEXSYNC_REMOTE_PASSWORD = '' } = workspace.variables;
  const variables = environment({
    ...{ TEST_URL, DEXSYNC_ENV: 'prod', CI: 'true', DEXSYNC_PLAN_KEY: 'secret', GIT_CONFIG_GLOBAL: '/dev/null' },
    ...{ DEXSYNC_PROD_EMAIL: DEXSYNC_REMOTE_EMAIL, DEXSYNC_PROD_PASSWORD: DEXSYNC_REMOTE_PASSWORD },
  });
  const script = async (folder: string, line: string) =>
    run('sh', ['-c', line], { cwd: folder, env: variables }).then(
      ({ stdout, stderr }) => ({ code: 0, text: stdout + stderr }),
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
    );
  return { workspace, remote, own, commit, script };
}

const edit = async (folder: string, text: string): Promise<void> => {
  const file = join(folder, 'manifests/groups.yaml');
  const before = await readFile(file, 'utf8');
  await writeFile(file, before.replace(/description: .*/, `description: ${text}`));
};

describe('the scripts of examples/pipelines', () => {
  test('check, plan on a branch, apply after the merge, drift: each on a fresh clone', async () => {
    const { workspace, remote, own, commit, script } = await forge();
    await git(own, 'checkout', '--quiet', '-b', 'change');
    await edit(own, 'Approves changes');
    await commit('A change', 'change');
    const branch = await clone(remote, 'change');
    expect(await script(branch, 'ci/check.sh --output junit=check.xml')).toMatchObject({ code: 0 });
    const planned = await script(branch, 'ci/plan.sh || test $? -eq 2');
    expect([planned.code, planned.text]).toEqual([0, expect.stringContaining('Plan: 1 to create.')]);
    expect(await readFile(join(branch, 'plan.md'), 'utf8')).toContain('<!-- dexsync plan prod -->');

    await git(own, 'checkout', '--quiet', 'main');
    await git(own, 'merge', '--quiet', '--no-ff', '-m', 'Merge', 'change');
    await git(own, 'push', '--quiet', 'origin', 'main');
    const merged = await clone(remote, 'main');
    await cp(join(branch, 'plan.json'), join(merged, 'plan.json'));
    const applied = await script(merged, 'ci/apply.sh');
    expect([applied.code, applied.text]).toEqual([0, expect.stringContaining('Result: 1 done.')]);
    expect(await readFile(join(merged, 'apply.md'), 'utf8')).toContain('1 done');

    const late = await clone(remote, 'main');
    await cp(join(branch, 'plan.json'), join(late, 'plan.json'));
    expect(await script(late, 'ci/apply.sh')).toMatchObject({ code: 5 });

    const night = await clone(remote, 'main');
    expect(await script(night, 'ci/drift.sh')).toMatchObject({ code: 0 });
    const { body } = await workspace.call('GET', '/settings/usergroups?name=Quality');
    const { status } = await workspace.call('PUT', `/settings/usergroups/${body.results[0].guid}`, {
      name: 'Quality',
      description: 'by hand',
      assignability: ['CHANGES'],
    });
    expect(status).toBe(200);
    const drifted = await script(night, 'ci/drift.sh');
    expect([drifted.code, drifted.text]).toEqual([2, expect.stringContaining('UserGroup/Quality')]);
  });

  test('what was merged meanwhile makes the reviewed plan stale', async () => {
    const { remote, own, commit, script } = await forge();
    const branch = await clone(remote, 'main');
    expect((await script(branch, 'ci/plan.sh || test $? -eq 2')).code).toBe(0);
    await edit(own, 'Somebody else was quicker');
    await commit('Another change', 'main');
    const merged = await clone(remote, 'main');
    await cp(join(branch, 'plan.json'), join(merged, 'plan.json'));
    const { code, text } = await script(merged, 'ci/apply.sh');
    expect([code, text]).toEqual([
      5,
      expect.stringContaining('would be changed in another way than the reviewed plan'),
    ]);
  });

  test('what is not formatted, or not valid, fails the check with its place', async () => {
    const { own, remote, commit, script } = await forge();
    await edit(own, 'x\n  descripton: y');
    await commit('A mistake', 'main');
    const { code, text } = await script(await clone(remote, 'main'), 'ci/check.sh --output github=-');
    expect(code).toBe(3);
    expect(text).toContain('::error file=manifests/groups.yaml,line=6,col=3');
  });
});

test('the pipelines run these scripts, with secrets for branches of the repository only', async () => {
  const github = parse(await readFile(join(SOURCE, 'github.yml'), 'utf8'));
  const gitlab = parse(await readFile(join(SOURCE, 'gitlab.yml'), 'utf8'));
  const steps = (job: string): string[] =>
    github.jobs[job].steps.map(({ run: line }: { run?: string }) => line ?? '').join('\n');
  for (const job of ['check', 'plan', 'apply', 'drift']) {
    expect(steps(job)).toContain(`ci/${job}.sh`);
    expect(gitlab[job].script.join('\n')).toContain(`ci/${job}.sh`);
  }
  expect(JSON.stringify(github.jobs.check)).not.toContain('secrets.');
  expect(github.jobs.plan.if).toContain('head.repo.full_name == github.repository');
  expect(github.jobs.plan.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' });
  expect(github.permissions).toEqual({ contents: 'read' });
});
