import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { type Altered, alteringProxy } from '../harness/altering-proxy.js';
import { foreignNames } from '../harness/foreign-names.js';
import { linesOf, manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, fields: Readonly<Record<string, string>>): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode: 'OVERWRITE',
    options: {
      mapping: Object.entries(fields).map(([apiName, sourceName]) => ({ resource, apiName, sourceName })),
    },
  });

const SPECS = definition('Specs', 'ITEM_SPECS', { number: 'Part', name: 'Name', standardCost: 'Cost' });
const LINES = definition('Lines', 'ITEM_BOM', {
  ...{ number: 'Assembly', 'item.number': 'Part', quantity: 'Qty', refDes: 'Refs' },
});

const PARTS = ['Note,Part,Name,Cost', 'n1,X-1,one,1', '', 'n2,X-2,,2', 'n3,X-3,three,"1,5"', 'n4,X-4,four,4', ''];

const project = (files: Readonly<Record<string, string>> = {}): Promise<TestProject> =>
  testProject({ 'manifests/all.yaml': SPECS + LINES, 'a.csv': PARTS.join('\n'), ...files });

const rowsOf = (text: string): string[][] =>
  Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { skipEmptyLines: true }).data;

const importing = (file: string, name: string, ...more: string[]) => ['import', file, '--definition', name, ...more];

const found = (out: string, name: string): string =>
  new RegExp(`\\S*\\.dexsync/imports/\\S*/${name.replace('.', '\\.')}`).exec(out)?.[0] ?? '';

test('failed rows are reported by cause, at their places, and all rows are in separate files', async () => {
  const workspace = await testWorkspace();
  const made = await project();
  expect((await made.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const { code, out } = await made.run(importing('a.csv', 'Specs', '--commit', 'always'), workspace.variables);
  expect(code).toBe(8);
  const folder = '.dexsync/imports/Embedded-Workspace/a.csv-1';
  expect(out).toContain(`
2 failed rows of Import/a.csv (run #1)
  1 row: The attribute must have a value.
    The attribute "name" is required. (3001)
    Fill the cell, or map a column with values. For an existing record, an empty cell changes nothing.
      a.csv:4  Name ""

  1 row: The attribute does not accept this value.
    "standardCost" is not valid: "1,5" is not a number. (3003)
    Correct the cells, or map another column.
      a.csv:5  Cost "1,5"

  2 failed       ${folder}/failed.csv
  as a workbook  ${folder}/failed.xlsx
  as a page      ${folder}/report.html
  Correct the rows in failed.csv or failed.xlsx, then run dexsync import retry 1
`);
  expect(rowsOf(await made.read(`${folder}/success.csv`))).toEqual([
    ['Note', 'Part', 'Name', 'Cost'],
    ['n1', 'X-1', 'one', '1'],
    ['n4', 'X-4', 'four', '4'],
  ]);
  expect(rowsOf(await made.read(`${folder}/failed.csv`)).slice(1)).toEqual([
    ['n2', 'X-2', '', '2', '4', '3001: The attribute "name" is required.', 'certain'],
    ['n3', 'X-3', 'three', '1,5', '5', '3003: "standardCost" is not valid: "1,5" is not a number.', 'certain'],
  ]);
  expect((await stat(join(made.folder, folder))).mode & 0o777).toBe(0o700);
  expect(JSON.parse(await made.read(`${folder}/report.json`))).toMatchObject({
    ...{ version: 1, address: 'Import/a.csv', definition: 'Specs', outcome: 'committed', file: 'a.csv' },
    counts: { rows: 4, success: 2, failed: 2, unprocessed: 0 },
  });
  const page = await readFile(join(made.folder, folder, 'report.html'), 'utf8');
  expect(page).toContain('Committed: the valid rows');
  expect(foreignNames(page)).toEqual([]);
});

test('the same definition imports a corrected failed.csv', async () => {
  const workspace = await testWorkspace();
  const made = await project();
  await made.run(['apply', '--yes'], workspace.variables);
  const first = await made.run(importing('a.csv', 'Specs', '--commit', 'always'), workspace.variables);
  const file = found(first.out, 'failed.csv');
  const corrected = (await made.read(file)).replace('X-2,,', 'X-2,two,').replace('"1,5"', '1.5');
  await made.write(file, corrected);
  const { code, out } = await made.run(importing(file, 'Specs'), workspace.variables);
  expect([code, out]).toEqual([0, expect.stringContaining('2 committed, 0 failed')]);
});

/** The report with other row numbers, as another service may count them. */
const shiftedBy = (rowOf: (row: number) => number) => (text: string) =>
  text.replace(/^\d+(?=,)/gm, (row) => String(rowOf(Number(row))));

const altered =
  (change: (text: string) => string) =>
  (exchange: { path: string }, answer: { body: Buffer }): Altered =>
    exchange.path.endsWith('/errorContent') ? { body: Buffer.from(change(answer.body.toString())) } : undefined;

/** Data row n has row number n + 1; they are in rows 2, 4, 5 and 6 of the sheet. */
const IN_SHEET: Readonly<Record<number, number>> = { 2: 2, 3: 4, 4: 5, 5: 6 };

test.each([
  ['shifted by one', (row: number) => row + 1],
  ['shifted by minus one', (row: number) => row - 1],
  ['shifted by 40', (row: number) => row + 40],
  ['the rows of the sheet', (row: number) => IN_SHEET[row] ?? 0],
])('a report whose row numbers are %s leads to the same cells', async (_, rowOf) => {
  const workspace = await testWorkspace();
  const made = await project();
  await made.run(['apply', '--yes'], workspace.variables);
  const url = await alteringProxy(workspace.url, altered(shiftedBy(rowOf)));
  const { out } = await made.run(importing('a.csv', 'Specs', '--max-errors', '1'), {
    ...workspace.variables,
    TEST_URL: url,
  });
  expect(out).toContain('a.csv:4  Name ""\n');
  expect(out).toContain('a.csv:5  Cost "1,5"\n');
  expect(rowsOf(await made.read(found(out, 'failed.csv'))).map((cells) => cells.at(-1))).toEqual([
    ...['dexsync certainty', 'certain', 'certain'],
  ]);
});

test('a report whose row numbers and keys disagree is shown with its doubt', async () => {
  const workspace = await testWorkspace();
  const made = await project();
  await made.run(['apply', '--yes'], workspace.variables);
  const url = await alteringProxy(
    workspace.url,
    altered((text) => text.replace(/^4,X-3/m, '4,X-4')),
  );
  const { out } = await made.run(importing('a.csv', 'Specs', '--max-errors', '1'), {
    ...workspace.variables,
    TEST_URL: url,
  });
  expect(out).toContain(
    'The service gives row number 4 (row 5 of the file), which has another key; row 6 has the key "X-4".',
  );
  const unprocessed = rowsOf(await made.read(found(out, 'unprocessed.csv')));
  expect(unprocessed.slice(1).map(([, part]) => part)).toEqual(['X-3']);
});

test('the lines of one assembly are distinguished, each at the wrong cell, also where the base is shifted', async () => {
  const workspace = await testWorkspace();
  const parts = 'Part,Name,Cost\nASM,a,1\nP-1,b,1\nP-2,c,1\n';
  const lines = 'Assembly,Part,Qty,Refs\nASM,P-1,1,R1\nASM,P-9,1,R2\nASM,P-2,3,"R3,R4"\nASM,P-8,1,R9\nNONE,P-1,1,\n';
  const made = await project({ 'parts.csv': parts, 'bom.csv': lines });
  await made.run(['apply', '--yes'], workspace.variables);
  expect((await made.run(importing('parts.csv', 'Specs'), workspace.variables)).code).toBe(0);
  const url = await alteringProxy(workspace.url, altered(shiftedBy((row) => row + 1)));
  const { out } = await made.run(importing('bom.csv', 'Lines', '--commit', 'always', '--json'), {
    ...workspace.variables,
    TEST_URL: url,
  });
  const rows = linesOf(out).find(({ type }) => type === 'rows');
  const shown = rows.outcome.errors.kept.map((error: Record<string, unknown>) => [
    ...[error.row, error.key, error.column, error.value, error.certainty],
  ]);
  expect(shown).toEqual([
    [3, 'ASM', 'Part', 'P-9', 'certain'],
    [4, 'ASM', 'Qty', '3', 'certain'],
    [5, 'ASM', 'Part', 'P-8', 'certain'],
    [6, 'NONE', 'Assembly', 'NONE', 'certain'],
  ]);
});
