import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { git } from '../harness/git.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';

const JOB = manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../data/parts.csv' } });
const rows = (name: string): string => `Part,Remark,Name\nQ-1,r,${name} 1\nQ-2,r,${name} 2\n`;

/** A project in git with two releases of dev: the second one has other rows in the same file. */
async function twoReleases(settings = '') {
  const pair = await pairProject({
    files: {
      'manifests/d.yaml': itemsDefinition('Specs') + JOB,
      'data/parts.csv': rows('old'),
      '.gitignore': '.dexsync\n',
    },
  });
  const { project, run, prod } = pair;
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', `${settings}${config}`);
  const commit = async (message: string) => {
    await git(project.folder, 'add', '--all');
    await git(project.folder, 'commit', '--quiet', '-m', message);
  };
  const must = async (...args: string[]) => {
    const ended = await run(...args);
    expect(ended.code, `${args.join(' ')}\n${ended.out}${ended.err}`).toBe(0);
    return ended;
  };
  await git(project.folder, 'init', '--quiet', '-b', 'main');
  for (const name of ['old', 'new']) {
    await project.write('data/parts.csv', rows(name));
    await commit(name);
    await must('apply', '--env', 'dev', '--yes');
    await must('release', 'create', 'dev');
  }
  const names = async () =>
    (await prod.pages('/items'))
      .map(({ number, name }) => `${number} ${name}`)
      .filter((text) => text.startsWith('Q-'))
      .sort();
  return { ...pair, must, commit, names };
}

test('a promotion takes the very rows of its release, from its commit if the project has others', async () => {
  const { project, run, must, names } = await twoReleases();
  const without = await must('promote', '--release', 'dev/r1', '--to', 'prod', '--out', 'objects.json');
  expect(without.out).toContain('Imports that are due here, with rows that only --with-data brings: Import/Parts.');
  await must('apply', 'objects.json', '--yes');
  expect(await names()).toEqual([]);

  await must('promote', '--release', 'dev/r1', '--to', 'prod', '--with-data', '--out', 'plan.json');
  // A fresh runner has the plan and the history of git, and nothing else.
  await rm(join(project.folder, '.dexsync', 'files'), { recursive: true });
  await must('apply', 'plan.json', '--yes');
  expect(await names()).toEqual(['Q-1 old 1', 'Q-2 old 2']);
  // What was taken out of a commit goes by its path in the project.
  await must('release', 'create', 'prod');
  await must('release', 'export', 'prod/r1', '--out', 'prod.json');
  expect(JSON.parse(await project.read('prod.json')).content.imports).toMatchObject([
    { address: 'Import/Parts', file: { path: 'data/parts.csv' } },
  ]);
  const again = await must('promote', '--release', 'dev/r1', '--to', 'prod', '--with-data');
  expect(again.out).toContain('No changes');
  expect((await must('promote', '--release', 'dev/r1', '--to', 'prod')).out).not.toContain('due here');

  await must('promote', '--release', 'dev/r2', '--to', 'prod', '--with-data', '--out', 'next.json');
  await must('apply', 'next.json', '--yes');
  expect(await names()).toEqual(['Q-1 new 1', 'Q-2 new 2']);
  // Rows do not go back with a release; the plan says which, and how.
  const back = await must('promote', '--release', 'dev/r1', '--to', 'prod');
  expect(back.out).toMatch(/Rows that do not go back:\n {2}Import\/Parts: 2 rows, committed /);
  expect(back.out).toContain('`dexsync import undo Import/Parts --env prod`');
  const noRelease = await run('promote', 'dev', 'prod', '--with-data');
  expect([noRelease.code, noRelease.err]).toEqual([3, expect.stringContaining('`--with-data` needs a release')]);
});

test('rows that nothing has are an error before anything is sent; the store has them by their content', async () => {
  const { project, run, must, names } = await twoReleases();
  await rm(join(project.folder, '.git'), { recursive: true });
  const lost = await run('promote', '--release', 'r1', '--to', 'prod', '--with-data', '--out', 'plan.json');
  expect([lost.code, lost.out]).toEqual([
    3,
    expect.stringContaining('Import/Parts of release dev/r1 read "data/parts.csv" with other content'),
  ]);
  expect(lost.out).toContain('--exclude Import/Parts');
  await must('promote', '--release', 'dev/r1', '--to', 'prod', '--with-data', '--exclude', 'Import/Parts');

  const store = await mkdtemp(join(tmpdir(), 'dexsync-store-'));
  const stored = await twoReleases(`fileStore: ${store}\n`);
  await rm(join(stored.project.folder, '.git'), { recursive: true });
  await stored.must('promote', '--release', 'dev/r1', '--to', 'prod', '--with-data', '--out', 'plan.json');
  await stored.must('apply', 'plan.json', '--yes');
  expect(await stored.names()).toEqual(['Q-1 old 1', 'Q-2 old 2']);
  expect(await names()).toEqual([]);
  await rm(store, { recursive: true });
});
