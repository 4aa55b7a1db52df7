import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const job = (name: string, more: object = {}): string =>
  manifest('Import', name, { definition: 'Specs', source: { file: `${name}.csv` }, ...more });

interface Planned {
  readonly steps: readonly { readonly address: string; readonly dependsOn: readonly string[] }[];
}

async function applied(second: object, first: object = {}) {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml':
      itemsDefinition('Specs', { Part: 'number', Name: 'name' }) + job('A', first) + job('B', second) + job('C'),
    'manifests/A.csv': 'Part,Name\nX-1,of A\nX-2,two\n',
    'manifests/B.csv': 'Part,Name\nX-3,three\nX-1,of B\n',
    'manifests/C.csv': 'Part,Name\nX-4,four\n',
  });
  const planned = await project.run(['plan', '--json'], workspace.variables);
  const { steps } = JSON.parse(planned.out) as Planned;
  const { code, err } = await project.run(['apply', '--yes'], workspace.variables);
  expect([code, err]).toEqual([0, '']);
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
  const items = (await workspace.pages('/items')) as unknown as { number: string; name: string }[];
  return {
    waits: Object.fromEntries(
      steps.flatMap(({ address, dependsOn }) =>
        address.startsWith('Import/') ? [[address, dependsOn.filter((one) => one.startsWith('Import/'))]] : [],
      ),
    ),
    name: items.find(({ number }) => number === 'X-1')?.name,
  };
}

test('of two lists with one item the later one has the last word, and lists with others go side by side', async () => {
  expect(await applied({})).toEqual({
    waits: { 'Import/A': [], 'Import/B': ['Import/A'], 'Import/C': [] },
    name: 'of B',
  });
});

test('lists that share items through others go one after the other', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': itemsDefinition('Specs', { Part: 'number', Name: 'name' }) + job('A') + job('B') + job('C'),
    'manifests/A.csv': 'Part,Name\nX-1,a\n',
    'manifests/B.csv': 'Part,Name\nX-2,b\n',
    'manifests/C.csv': 'Part,Name\nX-2,c\nX-1,c\n',
  });
  const { steps } = JSON.parse((await project.run(['plan', '--json'], workspace.variables)).out) as Planned;
  const waits = steps.filter(({ address }) => address.startsWith('Import/')).map(({ dependsOn }) => dependsOn);
  expect(waits.map((all) => all.filter((one) => one.startsWith('Import/')))).toEqual([[], ['Import/A'], ['Import/B']]);
});

test('`after` decides the order of two lists with one item', async () => {
  expect(await applied({}, { after: ['B'] })).toEqual({
    waits: { 'Import/A': ['Import/B'], 'Import/B': [], 'Import/C': [] },
    name: 'of A',
  });
});
