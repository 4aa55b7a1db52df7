import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const resource = 'ITEM_SPECS';
const PARTS = manifest('ImportDefinition', 'Parts', {
  ...{ resource, mode: 'OVERWRITE' },
  options: {
    mapping: [
      { resource, apiName: 'number', sourceName: 'Number' },
      { resource, apiName: 'name', sourceName: 'Name' },
      { resource, attribute: 'Value', sourceName: 'Value' },
    ],
  },
});
const LOAD = manifest('Import', 'Load', { definition: 'Parts', source: { file: '../parts.csv' } });

// One dialect maps attributes by GUID, so that the definition is replaced as well; the other one by name.
test.each(['reference', 'arena'])(
  'an import is planned again once an attribute that it filled was deleted and created again (%s)',
  async (dialect) => {
    const workspace = await testWorkspace([], dialect);
    const files = { 'manifests/all.yaml': PARTS + LOAD, 'parts.csv': 'Number,Name,Value\nP-1,one,10k\nP-2,two,\n' };
    const project = await testProject(files);
    const run = (...args: string[]) => project.run(args, workspace.variables);
    const value = async (): Promise<unknown> => {
      const { body } = await workspace.call('GET', '/items?number=P-1&responseview=full');
      return body.results[0].additionalAttributes.find(({ name }: { name: string }) => name === 'Value')?.value ?? null;
    };
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);

    const { results } = (await workspace.call('GET', '/settings/items/attributes')).body;
    const { guid, fieldType } = results.find(({ name }: { name: string }) => name === 'Value');
    await workspace.administer('DELETE', `/embedded/attributes/${guid}`);
    await workspace.administer('POST', '/embedded/attributes', { world: 'ITEMS', name: 'Value', fieldType });
    expect(await value()).toBeNull();
    const planned = await run('plan');
    expect(planned.out).toContain(
      'The attribute "Value" was deleted and created again since the last commit, so the values are gone. 2 rows of parts.csv',
    );
    expect(planned.out).toContain('~ P-1 (row 2): Value (empty) -> "10k"');
    const applied = await run('apply', '--yes');
    expect(applied.code, applied.out + applied.err).toBe(0);
    expect(await value()).toBe('10k');
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  },
);
