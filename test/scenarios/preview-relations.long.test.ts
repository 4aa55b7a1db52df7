import { expect, test } from 'vitest';
import { type Answer, alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, mode: string, columns: Readonly<Record<string, string>>): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: { mapping: Object.entries(columns).map(([sourceName, apiName]) => ({ resource, apiName, sourceName })) },
  });

const job = (name: string, definedBy: string, spec: object = {}): string =>
  manifest('Import', name, { definition: definedBy, source: { file: `../${name}.csv` }, ...spec });

/** A workspace behind a proxy, and a project of these manifests and tables, which are applied. */
async function applied(
  manifests: string,
  tables: Readonly<Record<string, string>>,
  alter: Parameters<typeof alteringProxy>[1],
) {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/m.yaml': itemsDefinition('Specs') + job('items', 'Specs') + manifests,
    'items.csv': 'Part,Name\nP-1,one\nP-2,two\n',
    ...tables,
  });
  const variables = { ...workspace.variables, TEST_URL: await alteringProxy(workspace.url, alter) };
  const run = (...args: string[]) => project.run(args, variables);
  const first = await run('apply', '--yes');
  expect([first.code, first.err]).toEqual([0, '']);
  const preview = async (name: string, ...args: string[]) => {
    const { out, err } = await run('plan', '--json', ...args);
    expect(err).toBe('');
    return JSON.parse(out).steps.find(({ address }: { address: string }) => address === `Import/${name}`)?.preview;
  };
  return { workspace, project, run, preview };
}

const SOURCES = 'Part,Supplier,Supplier Part,Rank,Remark,Name\n';

/** An answer as wire-facts 8.4 shows it: supplier items and suppliers by GUID alone. */
function asDocumented(path: string, { body }: Answer, is: 'direct' | 'indirect'): Partial<Answer> | undefined {
  if (!/\/sourcing$|^\/supplieritems\/\w+$/.test(path)) return undefined;
  const shown = JSON.parse(body.toString());
  if (/^\/items\/\w+\/sourcing/.test(path)) {
    const results = shown.results.map(({ supplierItem, item: _, ...relation }: Record<string, { guid: string }>) => {
      const vendorItem = { guid: supplierItem?.guid };
      return { ...relation, vendorItem, mfrItem: is === 'direct' ? vendorItem : { guid: 'ANOTHER' } };
    });
    return { body: Buffer.from(JSON.stringify({ ...shown, results })) };
  }
  return { body: Buffer.from(JSON.stringify({ ...shown, supplier: { guid: shown.supplier.guid } })) };
}

test('sourcing shows changed cells, new and former sources, in either form of the answer, at the announced price', async () => {
  let form: 'ours' | 'direct' | 'indirect' = 'ours';
  const paths: string[] = [];
  const { project, preview, run } = await applied(
    definition('Sources', 'ITEM_SOURCING', 'OVERWRITE', {
      ...{ Part: 'number', Supplier: 'supplier.name', 'Supplier Part': 'supplierItem.number' },
      ...{ Rank: 'priority', Remark: 'notes', Name: 'supplierItem.name' },
    }) + job('sources', 'Sources', { send: 'changed' }),
    { 'sources.csv': `${SOURCES}P-1,Acme,A-1,1,,Bolt\nP-1,Bolts,A-1,2,two,\nP-2,Acme,A-2,,,Nut\n` },
    ({ method, path }, answer) => {
      if (method !== 'GET') return undefined;
      paths.push(path);
      return form === 'ours' ? undefined : asDocumented(path.replace(/\?.*/, ''), answer, form);
    },
  );
  await project.write(
    'sources.csv',
    `${SOURCES}P-1,Acme,A-1,1.0,,bolt\nP-1,Bolts,A-1,2,[Remove Value],\nP-2,Bolts,A-2,,,\n`,
  );
  const cell = (column: string, before: string, after: string) => ({ column, before, after });
  const expected = {
    with: 'workspace',
    counts: { new: 1, changed: 2, cells: 2, unchanged: 0, gone: 1, notCompared: 0 },
    rows: [
      { change: 'changed', row: 2, key: ['P-1', 'Acme', 'A-1'], cells: [cell('Name', 'Bolt', 'bolt')] },
      { change: 'changed', row: 3, key: ['P-1', 'Bolts', 'A-1'], cells: [cell('Remark', 'two', '')] },
      { change: 'new', row: 4, key: ['P-2', 'Bolts', 'A-2'] },
      { change: 'gone', key: ['P-2', 'Acme', 'A-2'] },
    ],
  };
  // The rows that were sent last, a search for the items, and the sourcing of each.
  expect(await preview('sources')).toMatchObject({ ...expected, requests: 4 });
  form = 'direct';
  paths.length = 0;
  // Three supplier items and two suppliers besides.
  expect(await preview('sources')).toMatchObject({ ...expected, requests: 9 });
  expect(paths.filter((path) => path.startsWith('/suppliers/'))).toHaveLength(2);
  form = 'indirect';
  const unknown = 'item "P-1" has sourcing with two supplier items, and which of them rows mean is unknown';
  expect(await preview('sources')).toMatchObject({ with: 'last import', why: unknown });
  form = 'ours';
  const sent = await run('apply', '--yes');
  expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('3 committed, 0 failed')]);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('files of items without a name create one each time; OVERWRITE refuses a file that the item does not have', async () => {
  const files = 'File,Title,Edition\nF-1,one,\nF-2,two,\n';
  const head = 'Part,File,Primary,Title\n';
  const { project, preview, run } = await applied(
    definition('Files', 'FILE_SUMMARY', 'OVERWRITE', { File: 'number', Title: 'title', Edition: 'edition' }) +
      definition('Item files', 'ITEM_FILES', 'REPLACE', {
        ...{ Part: 'number', File: 'file.number', Primary: 'primary', Title: 'file.title' },
      }) +
      job('a', 'Files') +
      job('b', 'Item files'),
    { 'a.csv': files, 'b.csv': `${head}P-1,F-1,yes,not read\nP-1,F-2,,\nP-2,F-1,,\n` },
    // The documented list does not show all of a file (wire-facts 8.3).
    ({ method, path }, answer) => {
      if (method !== 'GET' || !path.startsWith('/files?')) return undefined;
      const { results, ...rest } = JSON.parse(answer.body.toString());
      const compact = results.map(({ guid, number, title }: Record<string, string>) => ({ guid, number, title }));
      return { body: Buffer.from(JSON.stringify({ ...rest, results: compact })) };
    },
  );
  await project.write('a.csv', `${files.replace('two', 'zwei')}F-3,three,\n`.replace('one,', 'one,2'));
  await project.write('b.csv', `${head}P-1,F-1,TRUE,\nP-1,,,new one\nP-1,,,new one\nP-2,F-2,,\n`);
  expect(await preview('a')).toMatchObject({
    with: 'workspace',
    counts: { new: 1, changed: 2, cells: 2, unchanged: 0 },
    rows: [
      { key: ['F-1'], cells: [{ column: 'Edition', before: '1', after: '2' }] },
      { key: ['F-2'], cells: [{ column: 'Title', before: 'two', after: 'zwei' }] },
      { change: 'new', key: ['F-3'] },
    ],
  });
  expect(await preview('b')).toMatchObject({
    counts: { new: 3, changed: 0, unchanged: 1, removed: 2 },
    rows: [
      { change: 'new', row: 3, key: ['P-1', ''], cells: [{ column: 'Title', before: '', after: 'new one' }] },
      { change: 'new', row: 4, key: ['P-1', ''] },
      { change: 'new', row: 5, key: ['P-2', 'F-2'], cells: [] },
      { change: 'removed', key: ['P-1', 'F-2'] },
      { change: 'removed', key: ['P-2', 'F-1'] },
    ],
  });
  const manifests = await project.read('manifests/m.yaml');
  await project.write('manifests/m.yaml', manifests.replaceAll('Item files', 'Others').replace('REPLACE', 'OVERWRITE'));
  expect(await preview('b')).toMatchObject({
    counts: { new: 2, changed: 0, unchanged: 1, refused: 1, gone: 2 },
    rows: [
      { row: 3 },
      { row: 4 },
      { change: 'refused', row: 5, why: 'The record is not in the workspace.' },
      { change: 'gone', key: ['P-1', 'F-2'] },
      { change: 'gone', key: ['P-2', 'F-1'] },
    ],
  });

  // The failed row alone would take the file of the good one away.
  await project.write('b.csv', `${head}P-1,F-1,,\nP-1,F-9,,\n`);
  await project.write('manifests/m.yaml', manifests.replace('"../b.csv"}', '"../b.csv"},"commit":"always"'));
  expect((await run('apply', '--yes', '--only', 'Import/b')).code).toBe(8);
  const retried = await run('import', 'retry', 'Import/b');
  expect([retried.code, retried.err]).toEqual([3, expect.stringContaining('replaces all that each parent has')]);
});

test('a line that moved to the file of another import is not deleted, nor one that this may have', async () => {
  const columns = { Parent: 'number', 'Parent GUID': 'guid', Part: 'item.number', Qty: 'quantity' };
  const deleting = { missing: 'delete', deleteDefinition: 'Removal' };
  const head = 'Parent,Parent GUID,Part,Qty\n';
  const { workspace, project, run } = await applied(
    definition('Lines', 'ITEM_BOM', 'OVERWRITE', columns) +
      definition('Removal', 'ITEM_BOM', 'DELETE', { Parent: 'number', Part: 'item.number' }) +
      job('a', 'Lines', deleting) +
      job('b', 'Lines', deleting),
    {
      'items.csv': 'Part,Name\nP-1,one\nP-2,two\nP-3,three\nP-4,four\n',
      'a.csv': `${head}P-1,,P-2,1\nP-1,,P-3,1\n`,
      'b.csv': `${head}P-1,,P-4,1\n`,
    },
    () => undefined,
  );
  const { guid } = (await workspace.pages('/items')).find(({ number }) => number === 'P-1') ?? {};
  await project.write('a.csv', `${head}P-1,,P-2,1\n`);
  const rows = {
    'P-1,,p-3,2': 'but Import/b has 1 of them, such as "P-1 / P-3".',
    [`,${guid},P-3,2`]: 'but Import/b may have them: row 3 has a GUID alone.',
  };
  for (const [row, message] of Object.entries(rows)) {
    await project.write('b.csv', `${head}P-1,,P-4,1\n${row}\n`);
    const { code, out, err } = await run('apply', '--yes');
    expect([code, out + err]).toEqual([
      3,
      expect.stringContaining(`Import/a deletes the records that its file does not have, ${message}`),
    ]);
  }
  const alone = await run('plan', '--only', 'Import/a');
  expect(alone.out + alone.err).toContain('because this plan leaves out Import/b, whose file may have it');

  await project.write('b.csv', `${head},${guid},P-4,2\n`);
  const done = await run('apply', '--yes');
  expect(done.code, done.out + done.err).toBe(0);
  const lines = await workspace.call('GET', `/items/${guid}/bom`);
  const parts = lines.body.results.map(({ item }: { item: { number: string } }) => item.number);
  // Two imports that run side by side add their lines in any order.
  expect(parts.sort()).toEqual(['P-2', 'P-4']);
});
