import { readdir } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { Workbook } from '@cj-tech-master/excelts';
import { expect, test } from 'vitest';
// The built library: what it finds beside its own files is there.
import { createHost, importReport } from '../../dist/index.js';
import { itemsDefinition } from '../harness/manifest.js';
import { environment, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const PARTS = ['Note,Part,Name,Cost', 'n1,X-1,one,1', '', 'n2,X-2,,2', 'n3,X-3,three,"1,5"', 'n4,X-4,,x', ''];

const SEND = ['import', 'a.csv', '--definition', 'Specs', '--commit', 'always'];

interface Stage {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  run(...args: string[]): ReturnType<TestProject['run']>;
}

/** A project whose list has failed rows; `settings` are those of all imports. */
async function stage(settings = ''): Promise<Stage> {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': itemsDefinition('Specs', { Part: 'number', Name: 'name', Cost: 'standardCost' }),
    'a.csv': PARTS.join('\n'),
  });
  if (settings !== '')
    await project.write('sync.config.yaml', `${await project.read('sync.config.yaml')}imports: ${settings}\n`);
  const run: Stage['run'] = (...args) => project.run(args, { ...workspace.variables, DEXSYNC_ENV: 'remote' });
  expect((await run('apply', '--yes')).code).toBe(0);
  return { workspace, project, run };
}

const hostOf = ({ project, workspace }: Stage) =>
  createHost({ cwd: project.folder, variables: environment({ ...workspace.variables, DEXSYNC_ENV: 'remote' }) });

const foldersIn = async (folder: string): Promise<string[]> => (await readdir(folder)).sort();

test('a workbook of the failed rows, corrected there, is sent again; no other import of the report writes over it', async () => {
  const { project, run } = await stage();
  const { code, out } = await run(...SEND);
  expect(code).toBe(8);
  const file = '.dexsync/imports/Embedded-Workspace/a.csv-1/failed.xlsx';
  expect(out).toContain(`as a workbook  ${file}\n`);
  const book = new Workbook();
  await book.xlsx.readFile(join(project.folder, file));
  const [sheet] = book.worksheets;
  expect(sheet?.getCell('C2').note).toBeDefined();
  for (const [cell, text] of Object.entries({ C2: 'two', D3: '1.5', C4: 'four', D4: '4' }))
    if (sheet) sheet.getCell(cell).value = text;
  await book.xlsx.writeFile(join(project.folder, file));
  expect((await run('import', 'errors', '1')).out).toContain(`${file} was changed after it was written.`);
  const retried = await run('import', 'retry', '1', '--yes');
  expect([retried.code, retried.out]).toEqual([0, expect.stringContaining('3 committed, 0 failed')]);
});

test('if somebody corrected both files of failed rows, one has to be named', async () => {
  const { project, run } = await stage();
  await run(...SEND);
  const folder = '.dexsync/imports/Embedded-Workspace/a.csv-1';
  for (const name of ['failed.csv', 'failed.xlsx'])
    await project.write(`${folder}/${name}`, Buffer.from(await project.read(`${folder}/${name}`, 'latin1'), 'latin1'));
  const { code, err } = await run('import', 'retry', '1', '--yes');
  expect([code, err]).toEqual([
    3,
    `Error: Both ${folder}/failed.csv and ${folder}/failed.xlsx were corrected.\n` +
      'Give the one to send: `dexsync import retry 1 FILE`. Nothing was sent.\n[USAGE, exit 3]\n',
  ]);
});

test('a report is read as it was kept: causes, and each failed cell in its row, without a request', async () => {
  const made = await stage();
  const { run, workspace } = made;
  await run(...SEND);
  const before = (await workspace.usage()).length;
  const { kept, import: known, applied, ...rest } = await importReport({ run: '1' }, hostOf(made));
  expect((await workspace.usage()).length).toBe(before);
  expect(rest).toEqual({
    environment: 'remote',
    folder: '.dexsync/imports/Embedded-Workspace/a.csv-1',
    files: { written: ['failed.csv', 'failed.xlsx'], corrected: [] },
  });
  expect(applied).toMatchObject({ command: 'import', host: hostname(), actor: { login: 'admin@example.com' } });
  expect(known).toMatchObject({ address: 'Import/a.csv', failed: 3, file: 'a.csv' });
  const { report, headers, rows, rowsInAll } = kept ?? expect.fail('no report');
  expect([headers, rowsInAll]).toEqual([['Note', 'Part', 'Name', 'Cost'], 3]);
  expect(report.causes.map(({ count, samples }) => [count, samples[0]?.row])).toEqual([
    [2, 5],
    [1, 4],
  ]);
  expect(rows).toMatchObject([
    { row: '4', cells: ['n2', 'X-2', '', '2'], errors: [{ cell: 2, cause: 1, code: 3001 }] },
    { row: '5', cells: ['n3', 'X-3', 'three', '1,5'], errors: [{ cell: 3, cause: 0, code: 3003 }] },
    { row: '6', cells: ['n4', 'X-4', '', 'x'], errors: [{ cell: 3, cause: 0 }] },
  ]);
  const second = await importReport({ run: '1', cause: 0, from: 1, count: 1 }, hostOf(made));
  expect([second.kept?.rowsInAll, second.kept?.rows.map(({ row }) => row)]).toEqual([2, ['6']]);
});

test('reports are kept where the configuration says, as many and as large as it allows; the newest and corrected ones stay', async () => {
  const made = await stage('{ errorReports: { folder: reports, keep: 2 } }');
  const { project, run } = made;
  const root = join(project.folder, 'reports');
  const again = async (number: number): Promise<void> => {
    await project.write('a.csv', `${PARTS.join('\n')}n${number},Y-${number},,\n`);
    expect((await run(...SEND)).code).toBe(8);
  };
  await project.write('reports/other/mine/report.json', '{ "version": 1 }');
  await project.write('reports/other/mine/failed.csv', 'mine');
  for (const number of [1, 2]) await again(number);
  const kept = join(root, 'Embedded-Workspace');
  expect(await foldersIn(kept)).toEqual(['a.csv-1', 'a.csv-2']);
  const corrected = 'reports/Embedded-Workspace/a.csv-1/failed.csv';
  await project.write(corrected, `${await project.read(corrected)}`);
  for (const number of [3, 4]) await again(number);
  expect(await foldersIn(kept)).toEqual(['a.csv-1', 'a.csv-3', 'a.csv-4']);
  expect(await foldersIn(join(root, 'other/mine'))).toEqual(['failed.csv', 'report.json']);

  const { kept: gone, folder } = await importReport({ run: '2' }, hostOf(made));
  expect([gone, folder]).toEqual([null, 'reports/Embedded-Workspace/a.csv-2']);
  expect((await importReport({ run: '4' }, hostOf(made))).kept?.rowsInAll).toBe(4);
});
