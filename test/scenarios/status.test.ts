import { expect, test } from 'vitest';
import type { Status } from '../../src/app/operations/status.js';
import { pairProject } from '../harness/environment-pair.js';
import { foreignNames } from '../harness/foreign-names.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';

const group = (name: string, description: string): string => manifest('UserGroup', name, { description });

async function pair() {
  const made = await pairProject();
  const { run, dev, prod } = made;
  const statusOf = async (environment: string) => {
    const { code, out } = await run('status', '--json');
    expect(code).toBe(0);
    return (JSON.parse(out) as Status).environments.find((one) => one.environment === environment);
  };
  const usage = async () => [(await dev.usage()).length, (await prod.usage()).length];
  return { ...made, statusOf, usage };
}

test('the table follows a release through hotfix and conflict, and sends no request', async () => {
  const { run, project, prod, statusOf, usage } = await pair();
  const released = async (description: string) => {
    await project.write('manifests/a.yaml', group('Quality', description) + group('Buyers', description));
    expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
    await run('release', 'create', '--from', 'dev');
  };
  const promoted = async (release: string) => {
    await run('promote', '--release', release, '--to', 'prod', '--out', 'plan.json');
    return (await run('apply', 'plan.json', '--yes')).code;
  };
  await released('One');
  expect(await promoted('r1')).toBe(0);
  expect(await statusOf('dev')).toMatchObject({ created: 'dev/r1', release: null });
  expect(await statusOf('prod')).toMatchObject({
    release: { name: 'dev/r1', objects: 2, open: 0, conflicts: 0, hotfixes: 0, behind: 0 },
    lastApply: { number: 1, state: 'ended', counts: { done: { create: 2 } } },
  });

  const [own] = (await prod.pages('/settings/usergroups')).filter(({ name }) => name === 'Quality');
  await prod.call('PUT', `/settings/usergroups/${own.guid}`, { name: 'Quality', description: 'Hotfix' });
  await released('Two');
  expect((await statusOf('prod'))?.release).toMatchObject({ name: 'dev/r1', behind: 1 });
  expect(await promoted('r2')).toBe(4);
  const before = await usage();
  expect((await statusOf('prod'))?.release).toEqual({
    ...{ name: 'dev/r2', objects: 2, open: 1, conflicts: 1, hotfixes: 0, behind: 0 },
  });
  const { out } = await run('status', 'prod');
  expect(out).toMatch(/^prod +dev\/r2 \(1 of 2\), 1 conflict +\d{4}/m);
  expect(out).not.toContain('\ndev ');
  expect(await usage()).toEqual(before);

  await released('Three');
  await run(
    'promote',
    '--release',
    'r2',
    '--to',
    'prod',
    '--take',
    'target',
    'UserGroup/Quality',
    '--out',
    'ledger:wait',
  );
  expect(await statusOf('prod')).toMatchObject({ release: { behind: 1 }, plans: { waiting: 1, approved: 0 } });
});

test('rows that are missing are shown until a person accepts that', async () => {
  const { run, project, statusOf } = await pair();
  await project.write(
    'manifests/a.yaml',
    itemsDefinition('Parts', { Part: 'number', Name: 'name', Phase: 'lifecyclePhase.name' }) +
      manifest('Import', 'Parts', { definition: 'Parts', source: { file: 'a.csv' }, commit: 'always' }),
  );
  await project.write('manifests/a.csv', 'Part,Name,Phase\nX-1,one,\nX-2,two,Nowhere\n');
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(8);
  expect(await statusOf('dev')).toMatchObject({ imports: { missing: 1, open: 0 } });
  expect((await run('status')).out).toMatch(/^dev .* 1 row missing$/m);
  expect((await run('import', 'acknowledge', 'Parts', '--env', 'dev', '--reason', 'known')).code).toBe(0);
  expect(await statusOf('dev')).toMatchObject({ imports: { missing: 0, open: 0 } });
});

test('an environment whose workspace is not known, and one whose ledger cannot be read, are named beside the others', async () => {
  const { run, project, statusOf } = await pair();
  const config = await project.read('sync.config.yaml');
  const others = `  elsewhere: { url: "http://127.0.0.1:1" }
  broken: { url: "http://127.0.0.1:1", ledger: { git: { remote: "file:///nowhere/at/all" } } }
`;
  await project.write('sync.config.yaml', config + others);
  const { code, out } = await run('status');
  expect([code, out]).toEqual([0, expect.stringContaining('`dexsync env check elsewhere` logs in once')]);
  expect(await statusOf('elsewhere')).toMatchObject({ known: false, release: null });
  expect(await statusOf('broken')).toMatchObject({ problem: { message: expect.stringMatching(/\S/) } });
  expect(await statusOf('dev')).toMatchObject({ known: true });
  const page = (await run('status', '--html')).out;
  expect(page).toMatch(/<th scope="row">dev<\/th>.*\n.*<th scope="row">prod<\/th>/);
  expect(page).toContain('`dexsync env check elsewhere` logs in once');
  expect([foreignNames(page), await run('status', '--html', '--md')]).toMatchObject([[], { code: 3 }]);
  expect((await run('status', 'nowhere')).err).toContain('The configuration has no environment "nowhere".');
});

test('--live looks for drift first, and an environment that does not answer hides none of the others', async () => {
  const { run, project, dev, prod, variables } = await pair();
  await project.write('manifests/a.yaml', group('Quality', 'One'));
  for (const environment of ['dev', 'prod'])
    expect((await run('apply', '--env', environment, '--yes')).code, environment).toBe(0);
  const [own] = (await dev.pages('/settings/usergroups')).filter(({ name }) => name === 'Quality');
  await dev.call('PUT', `/settings/usergroups/${own.guid}`, { name: 'Quality', description: 'by hand' });
  const unreachable = { ...variables, PROD_URL: 'http://127.0.0.1:1', DEXSYNC_PROD_WORKSPACE_ID: '1' };
  const [before, ofProd] = [await dev.usage(), await prod.usage()];
  const looked = await project.run(['status', '--live', '--exit-code', '--json', '--timeout', '3'], unreachable);
  const { environments, requests } = JSON.parse(looked.out) as Status;
  expect([looked.code, environments]).toMatchObject([
    2,
    [
      { environment: 'dev', seen: { drifted: 1 }, attention: true },
      { environment: 'prod', problem: { message: expect.stringContaining('127.0.0.1:1') }, attention: true },
    ],
  ]);
  expect([(await dev.usage()).length - before.length, await prod.usage()]).toEqual([requests, ofProd]);
  expect((await project.run(['status', '--live', 'dev'], variables)).out).toMatch(
    /1 drifted.*\n\nRequests: \d+ used\.$/m,
  );
});
