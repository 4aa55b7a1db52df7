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

const SPECS = definition('Specs', 'ITEM_SPECS', {
  ...{ number: 'Part', name: 'Name', uom: 'Unit', procurementType: 'Procurement', standardCost: 'Cost' },
  ...{ shared: 'Shared', 'lifecyclePhase.name': 'Phase', 'category.name': 'Category', description: 'Text' },
});
const FILES =
  definition('Documents', 'FILE_SUMMARY', { number: 'File', title: 'Title', 'category.name': 'Category' }) +
  definition('Files of parts', 'ITEM_FILES', {
    ...{ number: 'Part', 'file.title': 'Title', 'file.category.name': 'Category' },
  });
const LINES = definition('Lines', 'ITEM_BOM', {
  ...{ number: 'Parent', 'item.number': 'Part', quantity: 'Qty', lineNumber: 'Line', notes: 'Notes' },
});

/** One wrong cell a row, by its column; the last row has none. */
const WRONG: Readonly<Record<string, string>> = {
  ...{
    Unit: 'x'.repeat(60),
    Procurement: 'Buy',
    Cost: 'cheap',
    Shared: 'perhaps',
    Phase: 'Sketch',
    Category: 'Nowhere',
  },
  ...{ Text: 'y'.repeat(4001), Name: 'z'.repeat(1001) },
};
const RIGHT: Readonly<Record<string, string>> = {
  ...{ Name: 'n', Unit: 'each', Procurement: 'OTS', Cost: '1.5', Shared: 'true', Phase: 'In Design' },
  ...{ Category: 'Resistor', Text: 't' },
};
const COLUMNS = ['Part', ...Object.keys(RIGHT)];
const row = (part: string, cells: Readonly<Record<string, string>>): string =>
  COLUMNS.map((column) => (column === 'Part' ? part : ({ ...RIGHT, ...cells }[column] ?? ''))).join(',');
const ITEMS = [
  COLUMNS.join(','),
  ...Object.entries(WRONG).map(([column, value], index) => row(`X-${index}`, { [column]: value })),
  row('X-right', {}),
  '',
].join('\n');

test('exactly the values of standard fields that the service refuses are found before a row is sent', async () => {
  const workspace = await testWorkspace();
  const parts = manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../a.csv' } });
  const project = await testProject({
    'manifests/all.yaml': SPECS + LINES + FILES + parts,
    'a.csv': ITEMS,
    'c.csv': 'File,Title,Category\nF-1,one,Nowhere\nF-2,two,Specification\n',
    'd.csv': 'Part,Title,Category\nX-right,one,Nowhere\n',
    'b.csv': `Parent,Part,Qty,Line,Notes\nX-1,X-2,1,first,${'n'.repeat(4001)}\nX-1,X-3,1,2,short\n`,
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  /** The cells that preflight finds; the service refuses the same ones. */
  const refused = async (file: string, name: string): Promise<string[]> => {
    const sent = await run('import', file, '--definition', name, '--max-errors', '99', '--json');
    expect(sent.code, sent.out + sent.err).toBe(8);
    const events = linesOf(sent.out);
    const cells = (list: { row: number; column: string }[]) =>
      list.map(({ row: at, column }) => `${at} ${column}`).sort();
    const found = cells(events.find(({ type }) => type === 'findings').findings.kept);
    expect(cells(events.find(({ type }) => type === 'rows').outcome.errors.kept)).toEqual(found);
    return found;
  };
  const planned = await run('plan');
  expect([planned.code, planned.out]).toEqual([
    4,
    expect.stringContaining('a.csv has 8 errors that the commit rule does not accept.'),
  ]);
  expect(planned.out).toContain('"Sketch" is not a lifecycle phase in workspace "Embedded Workspace".');

  await run('apply', '--yes', '--only', 'ImportDefinition');
  expect(await refused('a.csv', 'Specs')).toEqual(
    Object.keys(WRONG)
      .map((column, index) => `${index + 2} ${column}`)
      .sort(),
  );
  await project.write('good.csv', `${COLUMNS}\n${row('X-right', {})}\n`);
  expect((await run('import', 'good.csv', '--definition', 'Specs', '--yes')).code).toBe(0);
  expect(await refused('c.csv', 'Documents')).toEqual(['2 Category']);
  expect(await refused('d.csv', 'Files of parts')).toEqual(['2 Category']);

  // A definition that no manifest describes is known once it was read.
  await project.write('manifests/all.yaml', SPECS);
  const lines = await run('import', 'b.csv', '--definition', 'Lines', '--json');
  const found = linesOf(lines.out).find(({ type }) => type === 'findings').findings.kept;
  expect([lines.code, found.map(({ code, row: at }: Record<string, unknown>) => [code, at])]).toEqual([
    4,
    [
      ['value-not-number', 2],
      ['value-too-long', 2],
    ],
  ]);
});
