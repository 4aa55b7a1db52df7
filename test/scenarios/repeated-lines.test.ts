import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, fields: Readonly<Record<string, string>>): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode: 'OVERWRITE',
    options: { mapping: Object.entries(fields).map(([apiName, sourceName]) => ({ resource, apiName, sourceName })) },
  });

const DEFINITIONS =
  definition('Specs', 'ITEM_SPECS', { number: 'Part', name: 'Name' }) +
  definition('Lines', 'ITEM_BOM', { number: 'Parent', 'item.number': 'Part', quantity: 'Qty', refDes: 'Refs' });
const job = (name: string, spec: object): string => manifest('Import', name, spec);

/** X-9 is in no list: its two rows fail together. */
const LINES = [
  'Parent,Part,Qty,Refs',
  'TOP,R,2,"R1,R2"',
  'TOP,X-9,1,Q1',
  'TOP,R,1,R7',
  'TOP,C,0.5,',
  'TOP,X-9,1,Q2',
  'TOP,R,6,',
  '',
];

test('repeated lines are added up, and an error of one leads to all rows behind it', async () => {
  const workspace = await testWorkspace();
  const lines = (spec: object): string => job('BOM', { definition: 'Lines', source: { file: '../bom.csv' }, ...spec });
  const project = await testProject({
    'manifests/all.yaml': DEFINITIONS,
    'parts.csv': 'Part,Name\nTOP,top\nR,resistor\nC,capacitor\n',
    'bom.csv': LINES.join('\n').replace('TOP,R,6,', 'TOP,R,6,"R8,R9,R10,R11,R12,R13"'),
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  await run('apply', '--yes');
  expect((await run('import', 'parts.csv', '--definition', 'Specs')).code).toBe(0);

  await project.write('manifests/all.yaml', DEFINITIONS + lines({ commit: 'always' }));
  const before = await run('plan');
  expect([before.code, before.out]).toEqual([4, expect.stringContaining('Add `repeated: sum` to the import')]);

  await project.write('manifests/all.yaml', DEFINITIONS + lines({ commit: 'always', repeated: 'sum' }));
  expect((await run('plan')).out).toContain(
    '3 rows of bom.csv through ImportDefinition/Lines. 3 more rows repeat lines',
  );
  const applied = await run('apply', '--yes', '--json');
  expect(applied.code).toBe(8);
  const rows = linesOf(applied.out).find(({ type }) => type === 'rows');
  expect(rows.outcome.errors.kept).toMatchObject([{ row: 3, alsoRows: [6], dataRow: 2, key: expect.any(String) }]);
  const read = async (name: string): Promise<string[]> =>
    Papa.parse<string[]>((await project.read(rows.files[name])).replace(/^\ufeff/, ''), { skipEmptyLines: true })
      .data.slice(1)
      .map(([parent, part, quantity, , row]) => [parent, part, quantity, row ?? ''].join(' '));
  expect(await read('failed')).toEqual(['TOP X-9 1 3', 'TOP X-9 1 6']);
  expect(await read('success')).toEqual(['TOP R 2 ', 'TOP R 1 ', 'TOP C 0.5 ', 'TOP R 6 ']);
  expect(rows.files.counts).toMatchObject({ rows: 6, success: 4, failed: 2, unprocessed: 0 });

  const items = (await workspace.call('GET', '/items?number=TOP')).body as { results: { guid: string }[] };
  const bom = (await workspace.call('GET', `/items/${items.results[0]?.guid}/bom`)).body as {
    results: { item: { number: string }; quantity: number; refDes: string | null }[];
  };
  expect(bom.results.map(({ item, quantity }) => [item.number, quantity])).toEqual([
    ['R', 9],
    ['C', 0.5],
  ]);

  // The failed line is sent again as one, with both of its rows, once the item is there.
  await project.write('more.csv', 'Part,Name\nX-9,late\n');
  expect((await run('import', 'more.csv', '--definition', 'Specs')).code).toBe(0);
  const failed = await project.read(rows.files.failed);
  await project.write('again.csv', failed.replaceAll('X-9', 'X-9 '));
  const retried = await run('import', 'retry', 'BOM', 'again.csv');
  expect([retried.code, retried.out]).toEqual([0, expect.stringContaining('1 committed, 0 failed')]);
  expect((await run('plan')).out).not.toContain('not in the workspace');

  const once = await run('import', 'bom.csv', '--definition', 'Lines', '--repeated', 'sum', '--json');
  expect(once.code).toBe(0);
  expect(linesOf(once.out).some(({ type }) => type === 'settled')).toBe(true);

  // Of changed lines all rows are sent, wherever they are in the file, and no other.
  const changed = (await project.read('bom.csv'))
    .replace('TOP,X-9,1,Q2', 'TOP,Y-9,1,\nTOP,X-9,2,"Q2,Q3"')
    .replace('TOP,C,0.5,', '\nTOP,C,0.75,');
  await project.write('bom.csv', `${changed}TOP,Y-9,2,\n`);
  await project.write(
    'manifests/all.yaml',
    DEFINITIONS + lines({ commit: 'always', repeated: 'sum', send: 'changed' }),
  );
  expect((await run('plan')).out).toContain(
    '3 of 4 rows of bom.csv (`send: changed`) through ImportDefinition/Lines. 2 more rows repeat lines',
  );
  const sent = await run('apply', '--yes', '--json');
  const report = linesOf(sent.out).find(({ type }) => type === 'rows');
  expect(report.outcome.errors.kept).toMatchObject([{ row: 7, alsoRows: [10] }]);
  const rowsIn = async (file: string): Promise<string[]> =>
    (await project.read(file))
      .trim()
      .split(/\r?\n/)
      .slice(1)
      .map((line) => line.split(',').slice(1, 3).join(' '));
  expect(await rowsIn(report.files.failed)).toEqual(['Y-9 1', 'Y-9 2']);
  expect(await rowsIn(report.files.success)).toEqual(['X-9 1', 'C 0.75', 'X-9 2']);
  const [number] = report.outcome.runs.map((one: { number: number }) => one.number);
  const again = await run('import', 'errors', String(number));
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('bom.csv:7')]);
  await project.write('y.csv', 'Part,Name\nY-9,last\n');
  expect((await run('import', 'y.csv', '--definition', 'Specs')).code).toBe(0);
  const next = await run('plan', '--reimport', 'BOM');
  expect(next.out).toContain('1 of 4 rows of bom.csv (`send: changed`)');
});
