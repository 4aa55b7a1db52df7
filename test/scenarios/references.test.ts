import { expect, test } from 'vitest';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const manifest = (kind: string, metadata: object, spec: object): string =>
  `${JSON.stringify({ apiVersion: 'dexsync/v1', kind, metadata, spec })}\n---\n`;

const EDIT = { resource: 'ITEM', action: 'EDIT' };

async function applied(text: string) {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': text });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const apply = async (to: string) => {
    await project.write('manifests/all.yaml', to);
    const { code, err } = await run('apply', '--yes');
    expect([code, err]).toEqual([0, '']);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  };
  await apply(text);
  return { workspace, apply, run };
}

test('a further reservation with a manifest of its own is neither counted nor released with the first', async () => {
  const reservation = (name: string, quantity: number): string =>
    manifest('NumberReservation', { name }, { category: 'Item\\Mechanical', quantity });
  const { run, apply, workspace } = await applied(reservation('A', 3) + reservation('A #2', 2));
  await apply(reservation('A', 5) + reservation('A #2', 2));
  const released = await run('reservations', 'release', 'A', '--yes');
  expect([released.code, released.out]).toEqual([0, expect.stringContaining('5 numbers are released')]);
  const { body } = await workspace.call('GET', '/settings/items/numberreservations');
  expect(body.results.map(({ name }: { name: string }) => name)).toEqual(['A #2']);
});

test('several live objects of one name are distinguished, and a script gets none of them', async () => {
  const definition = manifest('ExportDefinition', { name: 'D' }, { options: { exportViews: ['SPECS'] } });
  const { run } = await applied(definition);
  await run('api', 'POST', '/exports', '-f', 'name=D', '-f', 'world=ITEMS');
  const { objects } = JSON.parse((await run('get', 'exportdefinitions', 'D', '--json')).out);
  expect([objects.length, new Set(objects.map(({ guid }: { guid: string }) => guid)).size]).toEqual([2, 2]);
  const { code, err } = await run('output', 'ExportDefinition/D');
  expect([code, err]).toEqual([
    3,
    expect.stringContaining('Environment "remote" has 2 objects named ExportDefinition/D (#1, #2).'),
  ]);
  expect((await run('describe', 'UserGroup')).err).toContain('"UserGroup" is not an address.');
});

test('a category is found by its name alone, and so is a trigger of another world than items', async () => {
  const { run } = await applied(
    manifest('Trigger', { name: 'None' }, { ...EDIT, category: '-uncategorized-' }) +
      manifest(
        'Trigger',
        { name: 'Deviations' },
        { resource: 'CHANGE', action: 'EDIT', category: 'Change\\Deviation' },
      ) +
      manifest(
        'ExportDefinition',
        { name: 'E' },
        {
          criteria: [[{ category: '-uncategorized-', operator: 'IS_EQUAL_TO' }]],
        },
      ),
  );
  const wrong = manifest('Trigger', { name: 'X' }, { resource: 'CHANGE', action: 'EDIT', category: 'Item\\Cable' });
  const project = await testProject({ 'manifests/x.yaml': wrong });
  expect((await project.run(['plan', '--env', 'local'])).out).toContain('Trigger/X refers to Category/Item\\Cable');
  expect((await run('plan')).code).toBe(0);
});
