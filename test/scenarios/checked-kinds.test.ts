import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const hazard = (maxLength: number): string =>
  manifest('ItemAttribute', 'Hazard', { fieldType: 'SINGLE_LINE_TEXT', maxLength });
const DEFINITION = itemsDefinition('Hazards', { Number: 'number', Hazard: '@Hazard' });

/** A project whose definition maps an attribute that a manifest describes and the workspace lacks. */
async function lacking(dialect: string) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/hazard.yaml': hazard(20), 'manifests/import.yaml': DEFINITION });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const steps = async (...args: string[]) =>
    JSON.parse((await run('plan', '--json', ...args)).out).steps.map(
      ({ address, action }: Record<string, string>) => `${address} ${action}`,
    );
  const administer = (maxLength: number) =>
    workspace.administer('POST', '/embedded/attributes', {
      ...{ world: 'ITEMS', name: 'Hazard', fieldType: 'SINGLE_LINE_TEXT', maxLength },
    });
  const writes = async () => (await workspace.usage()).filter(({ method }) => method !== 'GET');
  return { workspace, project, run, steps, administer, writes };
}

test.each(['arena', 'reference'])(
  '%s: a lacking attribute is a manual step that blocks what needs it, until an administrator creates it',
  async (dialect) => {
    const { run, steps, administer, writes, workspace } = await lacking(dialect);
    expect(await steps()).toEqual(['ItemAttribute/Hazard manual', 'ImportDefinition/Hazards blocked']);
    expect(await run('apply', '--yes')).toMatchObject({ code: 4 });
    expect(await run('drift')).toMatchObject({ code: 2, out: expect.stringContaining('ItemAttribute/Hazard  absent') });
    expect(await writes()).toEqual([]);
    expect((await administer(20)).status).toBe(201);
    const before = (await workspace.usage()).length;
    expect(await steps()).toEqual(['ImportDefinition/Hazards create']);
    const lists = (await workspace.usage()).slice(before).filter(({ path }) => path.startsWith('/settings/items/attr'));
    expect(lists).toHaveLength(1);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await run('drift')).toMatchObject({ code: 0 });
  },
);

test('a difference blocks nothing, is drift, and can be accepted until the manifest changes', async () => {
  const { project, run, steps, administer } = await lacking('arena');
  await administer(30);
  expect(await steps()).toEqual(['ItemAttribute/Hazard manual', 'ImportDefinition/Hazards create']);
  const applied = await run('apply', '--yes');
  expect([applied.code, applied.out]).toEqual([4, expect.stringMatching(/maxLength\s+30\s+20/)]);
  expect(await run('drift')).toMatchObject({ code: 2, out: expect.stringContaining('maxLength: 20 -> 30') });
  expect(await run('acknowledge', 'ItemAttribute/Hazard', '--reason', 'CHG-7')).toMatchObject({ code: 0 });
  const accepted = await run('plan', '--detailed-exitcode');
  expect([accepted.code, accepted.out]).toEqual([0, expect.stringContaining('not as its manifest says, which')]);
  expect(await run('drift')).toMatchObject({ code: 0 });
  await project.write('manifests/hazard.yaml', hazard(25));
  expect(await steps()).toEqual(['ItemAttribute/Hazard manual']);
});

test('what is lacking stays blocked though its manual step was accepted', async () => {
  const { run, steps } = await lacking('reference');
  expect(await run('acknowledge', 'ItemAttribute/Hazard', '--reason', 'later')).toMatchObject({ code: 0 });
  expect(await steps()).toEqual(['ImportDefinition/Hazards blocked']);
  expect(await run('apply', '--yes')).toMatchObject({ code: 4 });
});

test('pull writes what the workspace has, and the plan of it is empty; nothing owns it', async () => {
  const { project, run } = await lacking('arena');
  await project.write('manifests/hazard.yaml', '');
  await project.write('manifests/import.yaml', '');
  const kinds = ['ItemAttribute', 'ItemCategory', 'ChangeCategory', 'QualityTemplate', 'ItemLifecyclePhase'];
  const pulled = await run('pull', '--adopt', ...kinds.flatMap((kind) => ['--kind', kind]));
  expect([pulled.code, pulled.out]).toEqual([0, expect.stringContaining('item-categories.yaml')]);
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  expect(await run('adopt', 'ItemAttribute/Finish')).toMatchObject({ code: 3 });
  expect(await run('orphans', 'ItemAttribute')).toMatchObject({ code: 3 });
  await project.write('manifests/item-attributes.yaml', '');
  const pruned = await run('plan', '--prune', '--detailed-exitcode');
  expect([pruned.code, pruned.out]).toEqual([0, expect.stringContaining('No changes')]);
  expect(await run('history')).toMatchObject({ out: expect.not.stringContaining('ItemAttribute') });
});

test('a promotion compares the settings of both workspaces', async () => {
  const { project, workspace, administer } = await lacking('arena');
  const target = await testWorkspace([], 'arena');
  await project.write(
    'sync.config.yaml',
    'stack: test\nmanifests: [manifests]\nenvironments:\n  remote: { url: "${env.TEST_URL}" }\n  target: { url: "${env.TARGET}" }\n',
  );
  const others = Object.entries(target.variables).map(([key, value]) => [key.replace('REMOTE', 'TARGET'), value]);
  const { TEST_URL: _, DEXSYNC_ENV: __, ...own } = Object.fromEntries(others);
  const variables = { ...own, ...workspace.variables, TARGET: target.url };
  await administer(20);
  const run = (...args: string[]) => project.run(args, variables);
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  const promoted = await run('promote', 'remote', 'target', '--json');
  const { steps } = JSON.parse(promoted.out);
  expect(steps.map(({ address, action }: Record<string, string>) => `${address} ${action}`)).toEqual([
    'ItemAttribute/Hazard manual',
    'ImportDefinition/Hazards blocked',
  ]);
});
