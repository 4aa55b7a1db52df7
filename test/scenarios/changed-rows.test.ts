import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Plan } from '#core/model/plan.js';
import { foreignNames } from '../harness/foreign-names.js';
import { itemsDefinition, linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const COUNT = 260;

const rows = (name: (n: number) => string): string =>
  `Part,Remark,Name\n${Array.from({ length: COUNT }, (_, n) => `Q-${n},"remark, ${n}",${name(n)}\n`).join('')}`;

const job = (name: string): string => manifest('Import', name, { definition: 'Specs', source: { file: '../a.csv' } });

const changesIn = (document: string) =>
  (JSON.parse(document) as Plan).steps.map(({ preview }) =>
    (preview?.rows ?? []).map(({ row, key, cells = [] }) => [
      row,
      ...key,
      ...cells.map(({ before, after }) => `${before} ${after}`),
    ]),
  );

test('the document and the page of a plan have all changed rows, and the saved plan the first 200', async () => {
  const { variables, usage } = await testWorkspace();
  const project = await testProject({
    'manifests/d.yaml': itemsDefinition('Specs') + job('Parts/week'),
    'a.csv': rows((n) => `n${n}`),
  });
  const run = (...args: string[]) => project.run(args, variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  await project.write(
    'a.csv',
    rows((n) => (n % 13 === 0 ? `n${n}` : `m${n}`)),
  );
  const expected = Array.from({ length: COUNT }, (_, n) => n)
    .filter((n) => n % 13 !== 0)
    .map((n) => [n + 2, `Q-${n}`, `n${n} m${n}`]);

  const saved = await run('plan', '--json', '--output', 'json=plan.json', '--out', 'saved.json');
  expect([saved.code, changesIn(saved.out), changesIn(await project.read('plan.json'))]).toEqual([
    0,
    [expected],
    [expected],
  ]);
  expect(changesIn(await project.read('saved.json'))).toEqual([expected.slice(0, 200)]);

  const outputs = ['--output', 'md=plan.md', '--output', 'html=plan.html'];
  const planned = await run('plan', '--preview-pages', 'pages/of today', ...outputs);
  expect(planned.out).toContain('        and 230 more rows\n      Page: pages/of today/Parts-week.html\n');
  expect(await project.read('plan.md')).toContain(
    'Rows: 240 changed (240 cells), 20 unchanged (compared with the workspace by pages',
  );
  const page = await project.read('pages/of today/Parts-week.html');
  expect([page, await project.read('plan.html')].map(foreignNames)).toEqual([[], []]);
  const [, data = ''] = /id="data">(.*?)<\/script>/s.exec(page) ?? [];
  expect(JSON.parse(data).rows.slice(0, 2)).toEqual([
    { row: 2, kind: 'unchanged', key: ['Q-0'], cells: ['Q-0', 'remark, 0', 'n0'], changes: [], why: '' },
    { row: 3, kind: 'changed', key: ['Q-1'], cells: ['Q-1', 'remark, 1', 'm1'], changes: [[2, 'n1', 'm1']], why: '' },
  ]);
  expect(JSON.parse(data).rows).toHaveLength(COUNT);

  const before = (await usage()).length;
  for (const [given, code, says] of [
    [
      ['plan', '--preview-pages', 'a.csv'],
      1,
      'The folder of pages a.csv cannot be used: something else is in its place',
    ],
    [
      ['plan', '--preview', 'none', '--preview-pages', 'x'],
      3,
      '`--preview-pages` shows what `--preview none` does not compare.',
    ],
    [['apply', 'saved.json', '--preview-pages', 'x'], 3, '--preview-pages'],
  ] as const) {
    const refused = await run(...given);
    expect([refused.code, refused.err]).toEqual([code, expect.stringContaining(says)]);
  }
  expect((await usage()).length - before).toBeLessThanOrEqual(2);

  const applied = await run('apply', '--yes', '--json', '--preview-pages', 'pages');
  const [event] = linesOf(applied.out).filter(({ type }) => type === 'plan');
  expect([applied.code, event.pages, event.plan.steps[0].preview.rows.length]).toEqual([
    0,
    [{ address: 'Import/Parts/week', file: 'pages/Parts-week.html' }],
    200,
  ]);
  expect(await readdir(join(project.folder, '.dexsync', 'tmp')).catch(() => [])).toEqual([]);
});

test('an item of a list counts as listed, even if only other rows of its file were sent', async () => {
  const { variables } = await testWorkspace();
  const column = (sourceName: string, apiName: string) => ({ resource: 'ITEM_BOM', sourceName, apiName });
  const lines = {
    ...{ resource: 'ITEM_BOM', mode: 'OVERWRITE' },
    options: { mapping: [column('Parent', 'number'), column('Part', 'item.number'), column('Qty', 'quantity')] },
  };
  const items = manifest('Import', 'Parts', {
    ...{ definition: 'Specs', source: { file: '../a.csv' }, send: 'changed' },
  });
  const project = await testProject({
    'manifests/d.yaml': itemsDefinition('Specs') + items,
    'a.csv': 'Part,Name\nP-1,one\nP-2,two\n',
  });
  const run = (...args: string[]) => project.run(args, variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  await project.write('a.csv', 'Part,Name\nP-1,uno\nP-2,two\n');
  expect((await run('apply', '--yes')).code).toBe(0);
  await project.write('b.csv', 'Parent,Part,Qty\nP-1,P-2,1\n');
  const bom = manifest('Import', 'Lines', { definition: 'Lines', source: { file: '../b.csv' }, failOn: 'warning' });
  await project.write(
    'manifests/d.yaml',
    itemsDefinition('Specs') + items + manifest('ImportDefinition', 'Lines', lines) + bom,
  );
  const { code, out, err } = await run('plan');
  expect([code, out + err]).toEqual([0, expect.not.stringContaining('not-in-items')]);
});
