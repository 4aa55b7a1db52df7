import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';

const names = ['Group 10', 'Group 9', 'Group 1', 'Group 11', 'Group 2'];
const ordered = ['Group 1', 'Group 2', 'Group 9', 'Group 10', 'Group 11'];

/** The groups that a text names, each where it comes first. */
const groupsIn = (text: string): string[] => [...new Set(text.match(/Group \d+/g))];

test('names are in natural order in every list, plan and table: 2 before 10', async () => {
  const files = Object.fromEntries(
    names.map((name, index) => [`manifests/${index}.yaml`, manifest('UserGroup', name, { description: name })]),
  );
  const { run, dev, project } = await pairProject({ files });
  const check = async (...args: string[]): Promise<void> => {
    const { out } = await run(...args);
    expect([args, groupsIn(out)]).toEqual([args, ordered]);
  };
  for (const args of [['plan'], ['plan', '--json'], ['render'], ['plan', '--output', 'html=-']]) {
    await check(...args, '--env', 'dev');
  }
  expect((await run('apply', 'dev', '--yes', '--quiet')).code).toBe(0);
  for (const { guid, name } of await dev.pages('/settings/usergroups')) {
    if (name !== 'Everyone') await dev.call('PUT', `/settings/usergroups/${guid}`, { name, description: 'by hand' });
  }
  for (const args of [
    ['drift'],
    ['get', 'groups'],
    ['get', 'groups', '-o', 'yaml'],
    ['get', 'all', '-o', 'name'],
    ['output'],
  ]) {
    await check(...args, '--env', 'dev');
  }
  await check('diff', 'dev', 'prod');
  await check('promote', 'dev', 'prod');
  expect((await run('apply', 'prod', '--yes', '--quiet')).code).toBe(0);
  await run('forget', ...names.map((name) => `UserGroup/${name}`), '--env', 'prod');
  for (const name of names) await project.write(`manifests/${names.indexOf(name)}.yaml`, '');
  await check('orphans', 'UserGroup', '--env', 'prod');
  await check('plan', 'dev', '--prune');
});

test('`get all` lists the objects of every kind, with one request for each list', async () => {
  const { run, dev } = await pairProject({
    files: {
      'manifests/a.yaml': manifest('UserGroup', 'Quality') + manifest('Policy', 'Release', { userGroups: ['Quality'] }),
    },
  });
  expect((await run('apply', 'dev', '--yes', '--quiet')).code).toBe(0);
  const before = (await dev.usage()).length;
  const table = await run('get', 'all', '--env', 'dev');
  expect([table.code, table.out]).toEqual([
    0,
    expect.stringMatching(/^UserGroup \(2\)\nNAME.*\nEveryone.*\nQuality.*\n\nPolicy \(1\)\nNAME.*\nRelease/),
  ]);
  const paths = (await dev.usage()).slice(before).map(({ path }) => path);
  expect(paths).toEqual([...new Set(paths)]);
  const { out } = await run('get', 'all', '--env', 'dev', '-o', 'name');
  expect(out).toBe('UserGroup/Everyone\nUserGroup/Quality\nPolicy/Release\n');
  const listings = JSON.parse((await run('get', 'all', '--env', 'dev', '--json')).out);
  expect(
    listings.map(({ type, objects }: { type: string; objects: unknown[] }) => [type, objects.length]),
  ).toContainEqual(['UserGroup', 2]);
  expect((await run('get', 'all', '--env', 'dev', '-o', 'yaml')).out.match(/^kind: \w+/gm)).toEqual([
    ...['kind: UserGroup', 'kind: UserGroup', 'kind: Policy'],
  ]);
  for (const args of [['Quality'], ['-o', 'csv'], ['--world', 'ITEMS']]) {
    expect((await run('get', 'all', ...args, '--env', 'dev')).code).toBe(3);
  }
});
