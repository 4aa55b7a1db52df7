import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (change: object): string =>
  manifest('ImportDefinition', 'Parts', {
    ...{ resource: 'ITEM_SPECS', mode: 'OVERWRITE' },
    options: {
      mapping: ['number', 'name'].map((apiName) => ({ resource: 'ITEM_SPECS', apiName, sourceName: apiName })),
      ...change,
    },
  });

const LOAD = manifest('Import', 'Load', { definition: 'Parts', source: { file: '../parts.csv' } });

async function engineering(dialect: string) {
  const workspace = await testWorkspace([], dialect);
  const categories = (await workspace.administer('GET', '/settings/changes/categories')).body.results;
  const category = categories.at(-1);
  const newChange = {
    ...{
      category: category.path,
      effectivityType: 'PERMANENT_ON_APPROVAL',
      numberPrefix: 'ECO-',
      title: 'Weekly parts',
    },
    routings: ['Engineering'],
  };
  const project = async (change: object) => {
    const files = { 'manifests/parts.yaml': definition(change) + LOAD, 'parts.csv': 'number,name\nX-1,One\nX-2,Two\n' };
    const { write, read, run } = await testProject(files);
    return { write, read, run: (...args: string[]) => run(args, workspace.variables) };
  };
  const openChange = async (): Promise<{ guid: string; number: string }> => {
    const { numberPrefix, routings: _, ...rest } = newChange;
    const body = { ...rest, category: { guid: category.guid }, numberSequencePrefix: { value: numberPrefix } };
    return (await workspace.administer('POST', '/changes', body)).body;
  };
  const release = async (number: string) => {
    const { guid } = (await workspace.pages('/changes')).find((one: { number: string }) => one.number === number);
    for (const status of ['SUBMITTED', 'APPROVED'])
      await workspace.administer('POST', '/changes/statuschanges', { change: { guid }, status });
  };
  const itemsOf = async (number: string): Promise<string[]> => {
    const { guid } = (await workspace.pages('/changes')).find((one: { number: string }) => one.number === number);
    const { results } = (await workspace.administer('GET', `/changes/${guid}/items`)).body;
    return results.map((one: { newItemRevision: { number: string } }) => one.newItemRevision.number);
  };
  return { workspace, newChange, project, openChange, release, itemsOf };
}

test.each(['arena', 'reference'])(
  '%s: each commit of an import gets a change of its own, by names',
  async (dialect) => {
    const { workspace, newChange, project, release, itemsOf } = await engineering(dialect);
    const { run, write } = await project({ newChange });
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('added to the change ECO-000001')]);
    const lists = (await workspace.usage())
      .map(({ path }) => path)
      .filter((path) => path.startsWith('/settings/changes/'));
    expect(lists.sort()).toEqual(['/settings/changes/categories', '/settings/changes/routings']);
    expect(await itemsOf('ECO-000001')).toEqual(['X-1', 'X-2']);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    await release('ECO-000001');
    await write('parts.csv', 'number,name\nX-1,One\nX-2,Two of a kind\n');
    const { out } = await run('apply', '--yes', '--json');
    const rows = out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .find(({ type }) => type === 'rows');
    expect(rows.outcome).toMatchObject({ outcome: 'committed', changes: ['ECO-000002'] });
    expect(await itemsOf('ECO-000002')).toEqual(['X-1', 'X-2']);

    const colleague = await testProject({});
    expect(await colleague.run(['pull', '--kind', 'ImportDefinition'], workspace.variables)).toMatchObject({ code: 0 });
    const pulled = await colleague.read('manifests/import-definitions.yaml');
    expect(pulled).toContain('numberPrefix: ECO-');
    const plan = await colleague.run(['plan', '--json'], workspace.variables);
    expect(JSON.parse(plan.out).steps).toMatchObject([{ action: 'adopt', fields: [] }]);
  },
);

test.each(['arena', 'reference'])(
  '%s: a change that is released takes no more rows, and nothing is imported',
  async (dialect) => {
    const { workspace, project, openChange, release, itemsOf } = await engineering(dialect);
    const { number } = await openChange();
    const { run, write } = await project({ addToChange: number });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    await release(number);
    await write('parts.csv', 'number,name\nX-1,One\nX-3,Three\n');
    const refused = await run('apply', '--yes');
    expect([refused.code, refused.out + refused.err]).toEqual([
      4,
      expect.stringMatching(new RegExp(`${number} is not open[^]*or name another one by`)),
    ]);
    expect((await workspace.pages('/items')).map((one: { number: string }) => one.number)).not.toContain('X-3');
    const next = await openChange();
    await write('manifests/parts.yaml', definition({ addToChange: next.number }) + LOAD);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await itemsOf(next.number)).toEqual(['X-1', 'X-3']);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  },
);

test('a plan says which released assemblies a BOM changes without a change, and failOn: warning stops it', async () => {
  const { workspace, project, openChange, release, itemsOf } = await engineering('reference');
  const first = await openChange();
  const { run, write } = await project({ addToChange: first.number });
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  const bom = (options: object, more: object = {}): string => {
    const fields = { number: 'Parent', 'item.number': 'Part', quantity: 'Qty' };
    const mapping = Object.entries(fields).map(([apiName, sourceName]) => ({
      ...{ resource: 'ITEM_BOM', apiName, sourceName },
    }));
    const spec = { resource: 'ITEM_BOM', mode: 'OVERWRITE', options: { mapping, ...options } };
    const load = { definition: 'Lines', source: { file: '../bom.csv' }, ...more };
    return manifest('ImportDefinition', 'Lines', spec) + manifest('Import', 'BOM', load);
  };
  await write('manifests/parts.yaml', bom({}));
  await write('bom.csv', 'Parent,Part,Qty\nX-1,X-2,1\n');
  const unreleased = await run('apply', '--yes');
  expect([unreleased.code, unreleased.out]).toEqual([0, expect.not.stringContaining('change-missing')]);
  await release(first.number);

  await write('bom.csv', 'Parent,Part,Qty\nX-1,X-2,3\n');
  const planned = await run('plan');
  expect([planned.code, planned.out]).toEqual([
    0,
    expect.stringMatching(
      /change-missing\s+Import\/BOM changes the BOM of a released item without a change: "X-1"\.[\s\S]*`addToChange` in the options of ImportDefinition\/Lines/,
    ),
  ]);
  await write('manifests/parts.yaml', bom({}, { failOn: 'warning' }));
  const before = (await workspace.usage()).length;
  const stopped = await run('apply', '--yes');
  expect([stopped.code, stopped.out]).toEqual([4, expect.stringContaining('`failOn: warning` does not accept any')]);
  expect((await workspace.usage()).slice(before).filter(({ method }) => method === 'POST')).toEqual([]);

  const next = await openChange();
  await write('manifests/parts.yaml', bom({ addToChange: next.number }));
  const applied = await run('apply', '--yes');
  expect([applied.code, applied.out]).toEqual([0, expect.not.stringContaining('change-missing')]);
  expect(await itemsOf(next.number)).toEqual(['X-1']);
  await write('manifests/parts.yaml', bom({}));
  expect((await run('plan')).out).not.toContain('change-missing');
});
