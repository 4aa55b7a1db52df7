import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { git } from '../harness/git.js';
import { programs } from '../harness/pipelines/runner.js';
import { IS_WHOLE } from '../harness/sample.js';

/** A machine that has Node and npm, and knows nothing else. */
async function machine(path = process.env.PATH) {
  const root = await mkdtemp(join(tmpdir(), 'machine-'));
  onTestFinished(() => rm(root, { recursive: true, force: true, maxRetries: 5 }));
  const env = {
    ...{ PATH: path, HOME: root, CI: 'true', NO_COLOR: '1' },
    // What `npm ci` of this repository has fetched before is not fetched again.
    ...{ npm_config_cache: process.env.npm_config_cache ?? join(homedir(), '.npm'), npm_config_prefer_offline: 'true' },
    ...{ npm_config_audit: 'false', npm_config_fund: 'false', npm_config_update_notifier: 'false' },
  };
  const sh = async (cwd: string, line: string): Promise<string> => {
    const { stdout } = await promisify(execFile)('sh', ['-ec', line], { cwd, env, maxBuffer: 1 << 26 });
    return stdout;
  };
  return { root, sh };
}

/** A repository as `init --pipeline` makes it and a person commits it, cloned by a runner. */
async function clonedRepository() {
  const { root, sh } = await machine();
  const [desk, clone] = [join(root, 'desk'), join(root, 'clone')];
  await mkdir(desk);
  await sh(desk, `"${process.execPath}" "${resolve('bundle/cli.js')}" init --pipeline github .`);
  // As `npm install`, which installs here, too.
  await sh(desk, 'npm install --package-lock-only');
  await git(desk, 'init', '--quiet');
  await git(desk, 'add', '--all');
  await git(desk, 'commit', '--quiet', '-m', 'The project');
  await git(root, 'clone', '--quiet', '--depth=1', `file://${desk}`, clone);
  return { root, clone, sh };
}

test.runIf(IS_WHOLE)(
  'a repository of `init --pipeline` is complete for a fresh runner: npm ci installs dexsync, and the check passes',
  async () => {
    const { clone, sh } = await clonedRepository();
    await sh(clone, 'npm ci');
    expect(await sh(clone, 'sh ci/check.sh')).toBe('Valid: 1 manifest in 1 file.\n');
    expect(await sh(clone, 'node_modules/.bin/dexsync plan --env local')).toContain('Plan: 1 to create.');
    expect(await git(clone, 'status', '--porcelain')).toBe('');
    // What is installed makes the next repository, with the same package.
    await sh(clone, 'node_modules/.bin/dexsync init --pipeline gitlab ../next');
    const [own, next] = await Promise.all([clone, join(clone, '../next')].map((at) => sh(at, 'tar -tzf vendor/*.tgz')));
    expect(next).toBe(own);
  },
);

/**
 * No container engine runs in the tests. The steps of the file run in a folder that stands for the image: they have
 * only the files that it copies.
 */
test.runIf(IS_WHOLE)('the steps of the Dockerfile install dexsync from the files that they copy', async () => {
  const { root, clone, sh } = await clonedRepository();
  const image = join(root, 'image');
  const steps = (await readFile(join(clone, 'Dockerfile'), 'utf8')).split('\n').map((line) => line.split(' '));
  const does = (step: string): string[] =>
    steps.flatMap(([name, ...words]) => (name === step ? [words.join(' ')] : []));
  // Each step is in the folder of the last WORKDIR before it; packages of the system and its settings are not this machine's.
  let folder = image;
  for (const [step, ...words] of steps) {
    if (step === 'WORKDIR') folder = join(image, words[0] ?? '');
    await mkdir(folder, { recursive: true });
    if (step === 'COPY') await copyInto(clone, folder, words);
    if (step === 'RUN' && words[0] === 'npm') await sh(folder, words.join(' '));
  }
  expect(does('ENV')).toEqual(['PATH=/opt/dexsync/node_modules/.bin:$PATH']);
  expect(does('ENTRYPOINT')).toEqual(['["dexsync"]']);
  expect(await sh(clone, `"${image}/opt/dexsync/node_modules/.bin/dexsync" validate`)).toContain('Valid: 1 manifest');
});

/** Files go into a folder by their names; a folder takes the name of the target. */
async function copyInto(from: string, to: string, words: readonly string[]): Promise<void> {
  const target = words.at(-1) ?? '';
  for (const file of words.slice(0, -1)) {
    await cp(join(from, file), join(to, target.endsWith('/') ? join(target, file) : target), { recursive: true });
  }
}

test('existing files stay: init adds only to the ignored and the installed ones', async () => {
  const { root, sh } = await machine(await programs({ npm: 'echo \'[{"filename":"dexsync.tgz"}]\'' }));
  const init = (): Promise<string> =>
    sh(root, `"${process.execPath}" "${resolve('bundle/cli.js')}" init --pipeline gitlab .`);
  await writeFile(join(root, '.gitlab-ci.yml'), 'mine: {}\n');
  await writeFile(join(root, '.gitignore'), 'secret\nnode_modules');
  await writeFile(join(root, 'package.json'), '{ "name": "mine", "dependencies": { "left-pad": "1.3.0" } }');
  expect(await init()).toContain('Left .gitlab-ci.yml as it is\n');
  expect(await readFile(join(root, '.gitlab-ci.yml'), 'utf8')).toBe('mine: {}\n');
  const ignored = await readFile(join(root, '.gitignore'), 'utf8');
  expect(ignored).toMatch(/^secret\nnode_modules\n\.dexsync\/\n\/plan\.\*\n/);
  expect(ignored.match(/node_modules/g)).toHaveLength(1);
  expect(JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))).toEqual({
    name: 'mine',
    dependencies: { 'left-pad': '1.3.0', dexsync: 'file:vendor/dexsync.tgz' },
  });
  const again = await init();
  expect(again.split('\n').filter((line) => !/^(Left|Next)/.test(line))).toEqual(['Created vendor/dexsync.tgz', '']);
  await writeFile(join(root, 'package.json'), '{');
  await expect(init()).rejects.toThrow('Mend the file, and run this command again.');
});
