import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { workbookOf } from '../data/bulk/support.js';
import { itemsDefinition } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const definition = itemsDefinition('Specs', { Part: 'number', Name: 'name', RoHS: '@RoHS Status' });

const ROWS = 'Part,Name,RoHS\nH-1,a,\nH-2,b,Bad\nH-3,c,\nH-4,d,Worse\nH-5,e,\n';
const FOLDER = '.dexsync/imports/Embedded-Workspace/a.csv-1';

/** A project whose definition is in the workspace already. */
async function ready(): Promise<{ project: TestProject; workspace: TestWorkspace; dexsync: TestProject['run'] }> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': definition, 'a.csv': ROWS });
  const dexsync: TestProject['run'] = (args) => project.run(args, workspace.variables);
  expect((await dexsync(['apply', '--yes'])).code).toBe(0);
  return { project, workspace, dexsync };
}

const importing = (...more: string[]): string[] => ['import', 'a.csv', '--definition', 'Specs', ...more];

test('the errors of several runs are read again from the sent rows, once the file has other content', async () => {
  const { project, dexsync } = await ready();
  expect((await dexsync(importing('--commit', 'always', '--rows-per-run', '2'))).code).toBe(8);
  await project.write('a.csv', 'Foo,Bar\n1,2\n');
  const { code, out, err } = await dexsync(['import', 'errors', 'a.csv']);
  expect(out).toContain('source-changed');
  expect(code).toBe(0);
  expect(out).toContain('2 failed rows of Import/a.csv');
  expect(out).toContain('a.csv:5  RoHS "Worse"');
  expect(out + err).not.toContain('column-missing');
});

test('an import of a manifest is sent once more on request, at once or by a saved plan', async () => {
  const { project, workspace, dexsync } = await ready();
  const job = { apiVersion: 'dexsync/v1', kind: 'Import', metadata: { name: 'Parts' } };
  await project.write(
    'manifests/job.yaml',
    JSON.stringify({ ...job, spec: { definition: 'Specs', source: { file: 'good.csv' } } }),
  );
  await project.write('manifests/good.csv', 'Part,Name,RoHS\nH-1,a,\n');
  const runs = async (): Promise<number> =>
    (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path.endsWith('/runs')).length;
  expect((await dexsync(['apply', '--yes'])).code).toBe(0);
  expect((await dexsync(['apply', '--yes', '--reimport', 'Import/Parts'])).code).toBe(0);
  expect(await runs()).toBe(2);
  expect((await dexsync(['plan', '--reimport', 'Import/Parts', '--out', 'plan.json'])).code).toBe(0);
  expect((await dexsync(['apply', 'plan.json', '--yes'])).code).toBe(0);
  expect(await runs()).toBe(3);
  const { code, err } = await dexsync(['plan', '--reimport', 'Import/Part']);
  expect(code).toBe(3);
  expect(err).toContain('No manifest describes Import/Part');
});

test('a run that was left for a person is not reported as committed or retried, and corrected rows are never overwritten', async () => {
  const { project, dexsync } = await ready();
  const left = await dexsync(importing('--commit', 'never', '--rows-per-run', '2'));
  expect(left.code).toBe(8);
  expect(left.out).toContain('2 failed rows of Import/a.csv (runs #1 to #3)');
  expect(left.out).toContain('commit the valid rows: dexsync import commit 1\n');
  expect(left.out).not.toContain('import retry');
  await wait(20);
  const corrected = (await project.read(`${FOLDER}/failed.csv`)).replace('Bad', 'Compliant').replace('Worse', 'Exempt');
  await project.write(`${FOLDER}/failed.csv`, corrected);
  for (const args of [
    ['import', 'errors', '1'],
    ['import', 'commit', '1', '--yes'],
    ['import', 'errors', '1'],
  ]) {
    expect((await dexsync(args)).out).toContain('was changed after it was written');
    expect(await project.read(`${FOLDER}/failed.csv`)).toBe(corrected);
  }
  const retried = await dexsync(['import', 'retry', '1']);
  expect(retried.code).toBe(0);
  expect(retried.out).toContain('2 rows validated, 0 failed');
});

test('a plan that only validates imports does not say that they are committed', async () => {
  const { project, dexsync } = await ready();
  const job = { apiVersion: 'dexsync/v1', kind: 'Import', metadata: { name: 'Parts' } };
  await project.write(
    'manifests/job.yaml',
    JSON.stringify({ ...job, spec: { definition: 'Specs', source: { file: 'good.csv' } } }),
  );
  await project.write('manifests/good.csv', 'Part,Name,RoHS\nH-1,a,\n');
  const { code, out } = await dexsync(['plan', '--validate-imports']);
  expect(code).toBe(0);
  expect(out).toContain('1 row validated, 0 failed; ready to commit');
});

test('`--fail-on warning` sends nothing if there is only a warning', async () => {
  const { project, dexsync } = await ready();
  await project.write('a.csv', 'Part,Name,RoHS\nH-1,,\n');
  const { code, out } = await dexsync(importing('--fail-on', 'warning'));
  expect(code).toBe(4);
  expect(out).toContain('a.csv has warnings, and `failOn: warning` does not accept any.');
  expect((await dexsync(['import', 'list'])).out).toContain('No imports have been sent');
});

test('a key that a spreadsheet program rounded is a warning, which stops `--fail-on warning`', async () => {
  const { project, dexsync } = await ready();
  await project.write('a.csv', 'Part,Name,RoHS\nH-1,a,\n1.23457E+11,b,\n4.5E+15,c,\n');
  const stopped = await dexsync(importing('--fail-on', 'warning'));
  expect(stopped.code).toBe(4);
  expect(stopped.out).toContain('a.csv has warnings, and `failOn: warning` does not accept any.');
  expect((await dexsync(['import', 'list'])).out).toContain('No imports have been sent');
  const { code, out } = await dexsync(importing());
  expect(code).toBe(0);
  expect(out).toContain('a.csv  warning  key-rounded  2 rows, column "Part"\n');
  expect(out).toContain(
    '"1.23457E+11" is probably a long number that a spreadsheet program has rounded. Format the column "Part" as text, restore the full numbers, and export the file again. (row 3)',
  );
  expect(out).toContain('3 committed, 0 failed');
});

test('a validated import that waits for a person is not validated again, and the message says how to commit it', async () => {
  const { project, dexsync } = await ready();
  await project.write('a.csv', 'Part,Name,RoHS\nH-1,a,\n');
  const first = await dexsync(importing('--commit', 'never'));
  expect(first.out).toContain('Import/a.csv is validated but not committed. To commit it: dexsync import commit 1\n');
  expect(first.out).not.toContain('imported');
  const second = await dexsync(importing('--commit', 'never'));
  expect(second.out).toMatch(
    /was validated by run #1 on \S+ but not committed\. `dexsync import commit 1` commits it\./,
  );
  expect((await dexsync(importing())).out).toContain('1 committed, 0 failed');
  await project.write('a.csv', ROWS);
  await dexsync(importing('--commit', 'always'));
  const again = await dexsync(importing('--commit', 'always'));
  expect(again.out).toMatch(/was committed by run #3 on \S+ \(2 of 5 rows failed\)\. `--force` sends its rows again\./);
});

test.each([
  ['gone', undefined],
  ['something else', 'Foo,Bar\n1,2\n'],
])('a run of the original file resumes if that file is %s', async (_, content) => {
  const { project, dexsync } = await ready();
  const rows = ROWS.trim()
    .split('\n')
    .map((line) => line.split(','));
  await project.write('a.xlsx', await readFile(await workbookOf({ Parts: rows })));
  const args = ['import', 'a.xlsx', '--definition', 'Specs', '--upload', 'original', '--commit', 'never'];
  expect((await dexsync(args)).code).toBe(8);
  if (content === undefined) await rm(join(project.folder, 'a.xlsx'));
  else await project.write('a.xlsx', content);
  const { code, out } = await dexsync(['import', 'commit', '1', '--yes']);
  expect(out).toContain('a.xlsx (Parts):5  RoHS "Worse"');
  expect(out).toContain('Rows: 3 committed, 2 failed.');
  expect(code).toBe(8);
});

const lines = JSON.stringify({
  apiVersion: 'dexsync/v1',
  kind: 'ImportDefinition',
  metadata: { name: 'Lines' },
  spec: {
    resource: 'ITEM_BOM',
    mode: 'REPLACE',
    options: {
      mapping: [
        { resource: 'ITEM_BOM', apiName: 'number', sourceName: 'Assembly' },
        { resource: 'ITEM_BOM', apiName: 'item.number', sourceName: 'Part' },
        { resource: 'ITEM_BOM', apiName: 'quantity', sourceName: 'Qty' },
      ],
    },
  },
});

test('failed lines of a replaced BOM are never sent alone: the valid ones would be removed', async () => {
  const { project, workspace, dexsync } = await ready();
  await project.write('manifests/lines.yaml', lines);
  await project.write('a.csv', 'Part,Name,RoHS\nASM,a,\nC-1,b,\nC-2,c,\n');
  await project.write('bom.csv', 'Assembly,Part,Qty\nASM,C-1,1\nASM,NOPE,2\n');
  expect((await dexsync(['apply', '--yes'])).code).toBe(0);
  expect((await dexsync(importing())).code).toBe(0);
  const first = await dexsync(['import', 'bom.csv', '--definition', 'Lines', '--commit', 'always']);
  expect(first.out).toContain('Rows: 1 committed, 1 failed.');
  expect(first.out).toContain('cannot be sent alone');
  expect(first.out).not.toContain('import retry');
  await wait(20);
  const failed = '.dexsync/imports/Embedded-Workspace/bom.csv-2/failed.csv';
  await project.write(failed, (await project.read(failed)).replace('NOPE', 'C-2'));
  const before = (await workspace.usage()).length;
  for (const file of [[], [failed]]) {
    const { code, err } = await dexsync(['import', 'retry', '2', ...file]);
    expect(code).toBe(3);
    expect(err).toContain('the valid rows of these parents would be removed');
  }
  expect((await workspace.usage()).length).toBe(before);
});

test('reading the errors of a rejected import again leaves it rejected in its report, with the reason', async () => {
  const { project, dexsync } = await ready();
  await project.write('a.csv', 'Part,Name,RoHS\nH-1,,\nH-2,b,\n');
  const outcome = async (): Promise<unknown> => {
    const { outcome: is, reason } = JSON.parse(await project.read(`${FOLDER}/report.json`));
    return { is, reason };
  };
  expect((await dexsync(importing())).code).toBe(8);
  const before = await outcome();
  expect(before).toMatchObject({ is: 'rejected' });
  expect((await dexsync(['import', 'errors', '1'])).code).toBe(0);
  expect(await outcome()).toEqual(before);
});
