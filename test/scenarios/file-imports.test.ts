import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, mode: string, fields: Readonly<Record<string, string>>): string => {
  const mapping = Object.entries(fields).map(([apiName, sourceName]) => ({ resource, apiName, sourceName }));
  return manifest('ImportDefinition', name, { resource, mode, options: { mapping } });
};

const job = (name: string, definedBy: string, source: object): string =>
  manifest('Import', name, { definition: definedBy, source });

const MANIFESTS =
  definition('Specs', 'ITEM_SPECS', 'OVERWRITE', { number: 'Part', name: 'Name' }) +
  definition('Files', 'FILE_SUMMARY', 'OVERWRITE', { number: 'File', title: 'Title', name: 'Path' }) +
  definition('Item files', 'ITEM_FILES', 'REPLACE', { number: 'Part', 'file.number': 'File', primary: 'Primary' }) +
  definition('Sources', 'ITEM_SOURCING', 'OVERWRITE', {
    number: 'Part',
    'supplier.name': 'Supplier',
    'supplierItem.number': 'Supplier Part',
    priority: 'Priority',
  }) +
  job('d sources', 'Sources', { file: '../data/sources.csv' }) +
  job('c item files', 'Item files', { file: '../data/item-files.csv' }) +
  job('b files', 'Files', { file: '../data/files.csv', files: '../drawings' }) +
  job('a specs', 'Specs', { file: '../data/specs.csv' });

const DATA = {
  'data/specs.csv': 'Part,Name\nP-1,One\nP-2,Two\n',
  'data/files.csv': 'File,Title,Path\nD-1,Drawing,p1.pdf\nD-2,Model,cad/p2.step\n',
  'data/item-files.csv': 'Part,File,Primary\nP-1,D-1,true\nP-2,D-1,\nP-2,D-2,yes\n',
  'data/sources.csv': 'Part,Supplier,Supplier Part,Priority\nP-1,Acme,AC-1,1\nP-1,Bolts,B-1,2\n',
  'drawings/p1.pdf': 'drawing of P-1',
  'drawings/cad/p2.step': 'model of P-2',
};

test('items, files with content, their associations and sources are applied in order and read back, and nothing is left to do', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': MANIFESTS, ...DATA });
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect([applied.code, applied.err]).toEqual([0, expect.any(String)]);
  expect(applied.out).toContain('9 committed, 0 failed');
  const get = async (path: string) => (await workspace.call('GET', path)).body;
  const guidOf = async (number: string) => (await get(`/items?number=${number}`)).results[0].guid;
  const first = await guidOf('P-1');
  const second = await guidOf('P-2');
  const { results } = await get(`/items/${second}/files`);
  expect(results).toMatchObject([
    { primary: false, file: { number: 'D-1', size: 14 } },
    { primary: true, file: { number: 'D-2', name: 'cad/p2.step', format: 'step' } },
  ]);
  expect(await get(`/items/${second}/files/${results[1].guid}/content`)).toBe('model of P-2');
  expect(await get(`/files/${results[0].file.guid}/content`)).toBe('drawing of P-1');
  expect((await get(`/items/${first}/sourcing`)).results).toMatchObject([
    { supplierItem: { number: 'AC-1', supplier: { name: 'Acme' } }, priority: 1 },
    { supplierItem: { number: 'B-1', supplier: { name: 'Bolts' } }, priority: 2 },
  ]);
  const again = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
  expect([again.code, again.err]).toEqual([0, expect.any(String)]);

  await project.write('drawings/p1.pdf', 'drawing of P-1, changed');
  const changed = await project.run(['plan', '--detailed-exitcode', '--json'], workspace.variables);
  const [{ preview }] = JSON.parse(changed.out).steps;
  expect([changed.code, preview]).toEqual([
    2,
    expect.objectContaining({
      // Whether the content is another, the workspace does not say.
      counts: expect.objectContaining({ notCompared: 2, unchanged: 0, changed: 0 }),
      columnsNotCompared: ['Path'],
    }),
  ]);
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  expect(await get(`/files/${results[0].file.guid}/content`)).toBe('drawing of P-1, changed');
});

test('a saved plan with files is applied as reviewed, and refused once one of them changed', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': MANIFESTS, ...DATA });
  expect((await project.run(['plan', '--out', 'p.json'], workspace.variables)).code).toBe(0);
  await project.write('drawings/p1.pdf', 'another drawing');
  const stale = await project.run(['apply', 'p.json', '--yes'], workspace.variables);
  expect([stale.code, stale.out + stale.err]).toEqual([5, expect.stringContaining('Import/b files')]);
  await project.write('drawings/p1.pdf', 'drawing of P-1');
  expect((await project.run(['apply', 'p.json', '--yes'], workspace.variables)).code).toBe(0);
});

test('a missing file stops the import before any request, and a folder outside the project is refused', async () => {
  const workspace = await testWorkspace();
  const rows = 'File,Title,Path\nD-1,Drawing,gone.pdf\n';
  const manifests =
    definition('Files', 'FILE_SUMMARY', 'OVERWRITE', { number: 'File', title: 'Title', name: 'Path' }) +
    job('files', 'Files', { file: 'rows.csv', files: 'drawings' });
  const project = await testProject({
    'manifests/all.yaml': manifests,
    'manifests/rows.csv': rows,
    'manifests/drawings/p1.pdf': 'x',
  });
  const { code, out } = await project.run(['plan'], workspace.variables);
  expect([code, out]).toEqual([
    expect.any(Number),
    expect.stringContaining('There is no file "gone.pdf" in "drawings".'),
  ]);
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect(applied.code).not.toBe(0);
  expect((await workspace.usage()).filter(({ path }) => path.endsWith('/runs'))).toEqual([]);
  await project.write('manifests/all.yaml', manifests.replace('"drawings"', '"../../elsewhere"'));
  const outside = await project.run(['plan'], workspace.variables);
  expect([outside.code, outside.out + outside.err]).toEqual([
    3,
    expect.stringContaining('is outside the project folder'),
  ]);
});

test('with fileEdition, changed content becomes the next edition, as the plan says, and editions before it stay', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml':
      definition('Files', 'FILE_SUMMARY', 'OVERWRITE', { number: 'File', title: 'Title', name: 'Path' }).replace(
        '"options":{',
        '"options":{"fileEdition":"CREATE_EDITION",',
      ) + job('files', 'Files', { file: '../data/files.csv', files: '../drawings' }),
    ...DATA,
  });
  const get = async (path: string) => (await workspace.call('GET', path)).body;
  const editions = async (): Promise<unknown[]> => {
    const [{ guid }] = (await get('/files?number=D-1')).results;
    const { results } = await get(`/files/${guid}/editions`);
    const read = async (one: { guid: string; edition: string }) => [
      one.edition,
      await get(`/files/${one.guid}/content`),
    ];
    return Promise.all(results.map(read));
  };
  const apply = async (): Promise<string> => {
    const { code, out, err } = await project.run(['apply', '--yes'], workspace.variables);
    expect(code, out + err).toBe(0);
    expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
    return out;
  };
  await apply();
  expect(await editions()).toEqual([['1', 'drawing of P-1']]);
  for (const [edition, content] of [
    ['2', 'second drawing'],
    ['3', 'third drawing'],
  ] as const) {
    const before = await editions();
    await project.write('drawings/p1.pdf', content);
    expect(await apply()).toContain('2 files come with them and become new editions, even with the same content.');
    expect(await editions()).toEqual([...before, [edition, content]]);
  }
});
