import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const COLUMNS = { Number: 'number', Name: 'name', Category: 'category.path' };

const DEFINITION = manifest('ImportDefinition', 'Parts', {
  ...{ resource: 'ITEM_SPECS', mode: 'OVERWRITE' },
  options: {
    useCategoryNumberFormat: 'next',
    mapping: Object.entries(COLUMNS).map(([sourceName, apiName]) => ({ resource: 'ITEM_SPECS', apiName, sourceName })),
  },
});

const LOAD = manifest('Import', 'Load', {
  ...{ definition: 'Parts', source: { file: '../parts.csv' } },
  ...{ beforeImage: true, verify: 'all' },
});

test('rows that ask for the next number are sent once, also if they are equal, and an undo names what it cannot find', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/parts.yaml': DEFINITION + LOAD,
    'parts.csv': 'Number,Name,Category\nnext,Same,Item\\Assembly\nnext,Same,Item\\Assembly\nX-1,Own,Item\\Assembly\n',
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const numbers = async () =>
    (await workspace.pages('/items')).map(({ number }) => number).filter((number) => /^(100-|X-)/.test(number));
  const applied = await run('apply', '--yes');
  expect([applied.code, applied.out]).toEqual([
    0,
    expect.stringMatching(/3 new.*\+ next number \(row 2\): Name "Same"/s),
  ]);
  expect((await numbers()).sort()).toEqual(['100-00001', '100-00002', 'X-1']);
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  const drift = await run('drift', '--data');
  expect([drift.code, drift.out]).toEqual([0, expect.stringContaining('Not compared: "Number" of Import/Load')]);
  const undone = await run('import', 'undo', 'Import/Load', '--yes');
  expect([undone.code, undone.out]).toEqual([
    4,
    expect.stringMatching(/2 rows of Import\/Load .* cannot be undone.*Delete it manually/s),
  ]);
  expect((await numbers()).sort()).toEqual(['100-00001', '100-00002']);
});
