import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, fields: Readonly<Record<string, string>>, mode = 'OVERWRITE') =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: { mapping: Object.entries(fields).map(([apiName, sourceName]) => ({ resource, apiName, sourceName })) },
  });

const SPECS = definition('Specs', 'ITEM_SPECS', { number: 'Part', name: 'Name' });
const LINES = definition('Lines', 'ITEM_BOM', { number: 'Assembly', 'item.number': 'Part', quantity: 'Qty' });
const parts = (name: string, file: string, more: object = {}): string =>
  manifest('Import', name, { definition: 'Specs', source: { file: `../${file}` }, ...more });

const rows = (prefix: string, count: number): string =>
  `Part,Name\n${Array.from({ length: count }, (_, index) => `${prefix}-${index + 1},part ${index + 1}\n`).join('')}`;

interface Setting {
  readonly project: TestProject;
  readonly workspace: TestWorkspace;
  readonly run: (...args: string[]) => Promise<{ code: number | null; out: string; err: string }>;
}

async function setting(files: Readonly<Record<string, string>>): Promise<Setting> {
  const workspace = await testWorkspace();
  const project = await testProject(files);
  return { project, workspace, run: (...args) => project.run(args, workspace.variables) };
}

/** What was written to import runs, as the service logged it: the oldest first. */
async function runWrites({ project, workspace }: Setting): Promise<string[]> {
  const path = '/settings/recentactivities/apiusages?limit=400';
  const { out } = await project.run(['api', 'GET', path], workspace.variables);
  const { results } = JSON.parse(out) as { results: { method: string; path?: string; endpoint?: string }[] };
  return results
    .filter(({ method, path: called = '' }) => ['POST', 'PUT'].includes(method) && called.includes('/runs'))
    .map(({ method }) => method);
}

const numbers = async ({ project, workspace }: Setting): Promise<string[]> => {
  const { out } = await project.run(['api', 'GET', '/items?limit=400'], workspace.variables);
  const { results } = JSON.parse(out) as { results: { number: string }[] };
  return results.map(({ number }) => number);
};

test('a reviewed plan commits exactly the validated run, and no row is sent twice', async () => {
  const made = await setting({
    'manifests/all.yaml': SPECS + parts('A', 'a.csv', { rowsPerRun: 2 }),
    'a.csv': rows('A', 3),
  });
  expect((await made.run('apply', '--yes', '--only', 'ImportDefinition')).code).toBe(0);
  const planned = await made.run('plan', '--validate-imports', '--out', 'plan.json');
  expect([planned.code, planned.out]).toEqual([
    0,
    expect.stringContaining('3 rows of a.csv, validated by runs #1 to #2: 0 failed. Apply commits the run.'),
  ]);
  expect(await runWrites(made)).toEqual(['POST', 'POST']);
  expect(await numbers(made)).not.toContain('A-1');
  const listed = (await made.run('import', 'list')).out;
  expect(listed).toContain(
    'The rows of run #1 are validated and not committed. Apply the saved plan that reviewed them',
  );
  expect(await made.project.read('plan.json')).not.toMatch(/\b(?=\d*[A-Z])[A-Z0-9]{20}\b/);
  const applied = await made.run('apply', 'plan.json', '--yes');
  expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('3 committed, 0 failed')]);
  expect(await runWrites(made)).toEqual(['POST', 'POST', 'PUT', 'PUT']);
  expect(await numbers(made)).toEqual(expect.arrayContaining(['A-1', 'A-2', 'A-3']));
});

test('a reviewed plan whose file has changed is stale, and commits nothing', async () => {
  const made = await setting({ 'manifests/all.yaml': SPECS + parts('A', 'a.csv'), 'a.csv': rows('A', 3) });
  await made.run('apply', '--yes', '--only', 'ImportDefinition');
  await made.run('plan', '--validate-imports', '--out', 'plan.json');
  await made.project.write('a.csv', rows('A', 4));
  const applied = await made.run('apply', 'plan.json', '--yes');
  expect([applied.code, applied.err]).toEqual([
    5,
    expect.stringContaining('whose rows changed after this plan was created'),
  ]);
  expect(await runWrites(made)).toEqual(['POST']);
});

test('a review that fails by its commit rule blocks the import and names the rows', async () => {
  const made = await setting({
    'manifests/all.yaml': SPECS + parts('A', 'a.csv', { preview: 'none' }),
    'a.csv': 'Part,Name\nA-1,one\nA-2,\n',
  });
  await made.run('apply', '--yes', '--only', 'ImportDefinition');
  const { code, out } = await made.run('plan', '--validate-imports');
  expect([code, out]).toEqual([4, expect.stringContaining('a.csv:3  Name ""')]);
  expect(out).toContain('1 of 2 rows failed');
  expect(await numbers(made)).not.toContain('A-1');
});

test('imports of one wave are all validated before one is committed, and a BOM comes after its items', async () => {
  const bom = manifest('Import', 'C', { definition: 'Lines', source: { file: '../c.csv' } });
  const made = await setting({
    'manifests/all.yaml': SPECS + LINES + parts('A', 'a.csv') + parts('B', 'b.csv') + bom,
    ...{ 'a.csv': rows('A', 2), 'b.csv': rows('B', 2), 'c.csv': 'Assembly,Part,Qty\nA-1,B-1,2\n' },
  });
  const { code, out } = await made.run('apply', '--yes', '--parallelism', '1');
  expect([code, out]).toEqual([0, expect.stringContaining('5 committed, 0 failed')]);
  expect(await runWrites(made)).toEqual(['POST', 'POST', 'PUT', 'PUT', 'POST', 'PUT']);
});

test.each([
  [
    'waits for the item lists with its items, not for all',
    'B-1,B-2',
    'It is validated after Import/B is committed.',
    ['POST', 'POST', 'PUT', 'POST', 'PUT'],
  ],
  ['is skipped where a list with one of its items failed', 'A-1,B-2', 'skipped', ['POST', 'POST', 'PUT']],
  [
    'is skipped where any list failed and an item is in none of them',
    'B-1,elsewhere',
    'skipped',
    ['POST', 'POST', 'PUT'],
  ],
])('a BOM %s', async (_, line, said, writes) => {
  const bom = manifest('Import', 'C', { definition: 'Lines', source: { file: '../c.csv' } });
  const made = await setting({
    // Otherwise the plan finds that A-1 cannot be created.
    'manifests/all.yaml': SPECS + LINES + parts('A', 'a.csv', { preview: 'none' }) + parts('B', 'b.csv') + bom,
    ...{ 'a.csv': 'Part,Name\nA-1,\n', 'b.csv': rows('B', 2), 'c.csv': `Assembly,Part,Qty\n${line},2\n` },
  });
  const { code, out } = await made.run('apply', '--yes');
  expect([code, out]).toEqual([8, expect.stringContaining(said)]);
  expect(await numbers(made)).toEqual(expect.arrayContaining(['B-1', 'B-2']));
  expect(await runWrites(made)).toEqual(writes);
});

test('a run that was left for a person is committed by name, even if its file now has other rows', async () => {
  const spec = { commit: 'never', rowsPerRun: 2 };
  const made = await setting({ 'manifests/all.yaml': SPECS + parts('A', 'a.csv', spec), 'a.csv': rows('A', 3) });
  expect((await made.run('apply', '--yes')).code).toBe(0);
  expect((await made.run('plan', '--detailed-exitcode')).code).toBe(0);
  await made.project.write('a.csv', rows('X', 3));
  const listed = await made.run('import', 'list');
  expect(listed.out).toContain('validated');
  const unasked = await made.run('import', 'commit', '1');
  expect([unasked.code, unasked.err]).toEqual([3, expect.stringContaining('no terminal')]);
  expect(unasked.err).toContain('Run `dexsync import commit 1 --yes`.');
  const { code, out, err } = await made.run('import', 'commit', '1', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('3 committed, 0 failed')]);
  expect(`${out}${err}`).toContain('a.csv now contains other rows');
  expect(await numbers(made)).toEqual(expect.arrayContaining(['A-1', 'A-3']));
  const again = await made.run('import', 'commit', '#1', '--yes');
  expect([again.code, again.err]).toEqual([
    3,
    expect.stringContaining('Import/A (runs #1 to #2) is already committed.'),
  ]);
});

test('rows that were posted and left are resumed: nothing is posted twice', async () => {
  const made = await setting({ 'manifests/all.yaml': SPECS, 'a.csv': rows('A', 3) });
  await made.run('apply', '--yes');
  const sent = await made.run('import', 'a.csv', '--definition', 'Specs', '--async');
  expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('`dexsync import resume 1`')]);
  const resumed = await made.run('import', 'resume', 'a.csv', '--yes');
  expect([resumed.code, resumed.out]).toEqual([0, expect.stringContaining('3 committed')]);
  expect(await runWrites(made)).toEqual(['POST', 'PUT']);
  const shown = await made.run('import', 'show', '1');
  expect(shown.out).toContain('run #1 (rows 1 to 3): COMPLETE, committed, 3 of 3 rows valid, 0 failed');
  const { imports } = JSON.parse((await made.run('import', 'list', '--json')).out) as { imports: object[] };
  expect(imports).toMatchObject([
    { address: 'Import/a.csv', state: 'committed', runs: [1], rows: 3, committed: 3, failed: 0 },
  ]);
});

test('failed rows are sent once more from failed.csv, once they are corrected there', async () => {
  const source = { definition: 'Specs', source: { file: '../a.csv', constants: { Name: 'same' } }, commit: 'always' };
  const made = await setting({
    'manifests/all.yaml': SPECS + manifest('Import', 'A', { ...source, source: { file: '../a.csv' } }),
    'a.csv': 'Note,Part,Name\nn1,A-1,one\nn2,A-2,\n',
  });
  expect((await made.run('apply', '--yes')).code).toBe(8);
  const early = await made.run('import', 'retry', '1');
  expect([early.code, early.err]).toEqual([3, expect.stringContaining('were not corrected')]);
  const file = '.dexsync/imports/Embedded-Workspace/A-1/failed.csv';
  const failed = Papa.parse<string[]>((await made.project.read(file)).replace(/^\ufeff/, ''), {
    skipEmptyLines: true,
  }).data;
  expect(failed[1]?.slice(0, 4)).toEqual(['n2', 'A-2', '', '3']);
  const corrected = failed.map((row, index) => (index === 0 ? row : row.with(2, 'two')));
  await new Promise((resume) => setTimeout(resume, 20));
  await writeFile(join(made.project.folder, file), Papa.unparse(corrected, { delimiter: ';' }));
  const { code, out } = await made.run('import', 'retry', '1');
  expect([code, out]).toEqual([0, expect.stringContaining('1 committed, 0 failed')]);
  expect(await numbers(made)).toContain('A-2');
  expect((await made.run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('committed content is sent once more on request by name', async () => {
  const made = await setting({ 'manifests/all.yaml': SPECS + parts('A', 'a.csv'), 'a.csv': rows('A', 1) });
  await made.run('apply', '--yes');
  expect((await made.run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await made.run('apply', '--yes', '--reimport', 'Import/A')).out).toContain('1 committed');
  expect(await runWrites(made)).toEqual(['POST', 'PUT', 'POST', 'PUT']);
  const wrong = await made.run('plan', '--reimport', 'Import/B');
  expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('Import/B')]);
});

test('rows are read back, and the former values of changed records are written before the commit', async () => {
  const made = await setting({ 'manifests/all.yaml': SPECS, 'a.csv': rows('A', 3) });
  await made.run('apply', '--yes');
  await made.run('import', 'a.csv', '--definition', 'Specs');
  await made.project.write('a.csv', 'Part,Name\nA-1,other\nNEW,new\n');
  const { code, out } = await made.run('import', 'a.csv', '--definition', 'Specs', '--verify', 'all', '--before-image');
  expect([code, out]).toEqual([0, expect.stringContaining('2 rows read back: all as sent')]);
  const [, before = '', absent = ''] =
    /1 record saved as it was before the commit: (\S+)\. 1 did not exist: (\S+)\./.exec(out) ?? [];
  expect(await made.project.read(before)).toBe('\ufeffPart,Name\r\nA-1,part 1\r\n');
  expect(await made.project.read(absent)).toContain('NEW,new');
  const undo = await made.run('import', before, '--definition', 'Specs', '--verify', 'all');
  expect([undo.code, undo.out]).toEqual([0, expect.stringContaining('1 row read back: all as sent')]);
});

test('a file of too few rows, or with warnings where none may pass, is not sent', async () => {
  const expecting = { expectRows: { min: 3, changeAtMost: '50%' } };
  const made = await setting({ 'manifests/all.yaml': SPECS + parts('A', 'a.csv', expecting), 'a.csv': rows('A', 8) });
  expect((await made.run('apply', '--yes')).code).toBe(0);
  await made.project.write('a.csv', rows('A', 3));
  const few = await made.run('apply', '--yes');
  expect(few.code).toBe(4);
  expect(few.out + few.err).toContain('The file has 3 rows and had 8 at the last import: a change of 63%');
  await made.project.write('b.csv', 'Part,Name\nB-1,one\nB-1,two\n');
  const warned = await made.run('import', 'b.csv', '--definition', 'Specs', '--fail-on', 'warning');
  expect(warned.code).toBe(4);
  expect(await runWrites(made)).toEqual(['POST', 'PUT']);
});

test('the file itself is sent where the service reads it unchanged, and refused where it does not', async () => {
  const made = await setting({
    'manifests/all.yaml': SPECS,
    'a.csv': `Note,${rows('A', 2).replaceAll('\nA', '\nn,A')}`,
  });
  await made.run('apply', '--yes');
  const sent = await made.run('import', 'a.csv', '--definition', 'Specs', '--upload', 'original', '--verify', 'all');
  expect([sent.code, sent.out]).toEqual([0, expect.stringContaining('2 rows read back: all as sent')]);
  await made.project.write('b.csv', rows('B', 2).replaceAll(',', ';'));
  const refused = await made.run('import', 'b.csv', '--definition', 'Specs', '--upload', 'original');
  expect(refused.code).toBe(4);
  expect(refused.out + refused.err).toContain('cannot be sent as it is: its delimiter is ";".');
});

test('a BOM with items of no item list says so before anything is sent, and is stopped where no warning may pass', async () => {
  const bom = (more: object): string =>
    manifest('Import', 'C', { definition: 'Lines', source: { file: '../c.csv' }, ...more });
  const files = { 'a.csv': rows('A', 2), 'c.csv': 'Assembly,Part,Qty\nA-1,A-2,2\nA-1,A-9,1\nA-8,A-9,1\n' };
  const made = await setting({ 'manifests/all.yaml': SPECS + LINES + parts('A', 'a.csv') + bom({}), ...files });
  const planned = await made.run('plan');
  expect(planned.out).toContain('c.csv:4  warning  not-in-items');
  expect(planned.out).toContain('1 item is not in the item lists of this plan: "A-8" in row 4.');
  expect(planned.out).toContain('1 item is not in the item lists of this plan: "A-9" in row 3.');
  expect(planned.out).toContain('It is validated after Import/A is committed.');
  await made.project.write('manifests/all.yaml', SPECS + LINES + parts('A', 'a.csv') + bom({ failOn: 'warning' }));
  const { code, out } = await made.run('apply', '--yes');
  expect([code, out]).toEqual([4, expect.stringContaining('2 committed')]);
});

test('a file that is too large for the service is refused with the number of rows that may fit', async () => {
  const workspace = await testWorkspace(['--upload-limit', '40000']);
  const project = await testProject({ 'manifests/all.yaml': SPECS, 'a.csv': rows('LONG-PART-NUMBER', 3000) });
  await project.run(['apply', '--yes'], workspace.variables);
  const whole = await project.run(['import', 'a.csv', '--definition', 'Specs'], workspace.variables);
  expect(whole.code).toBe(4);
  expect(whole.out + whole.err).toContain(
    'Set `rowsPerRun: 750` in the manifest, or use `--rows-per-run 750`, to send the rows in several runs.',
  );
  const args = ['import', 'a.csv', '--definition', 'Specs', '--rows-per-run', '750'];
  const { code, out } = await project.run(args, workspace.variables);
  expect([code, out]).toEqual([0, expect.stringContaining('3000 committed, 0 failed')]);
});

test('an import that needs a before image does not start where its records cannot be read back', async () => {
  const files = definition('Files', 'ITEM_TICKETS', { number: 'Number', title: 'Title' });
  const spec = { definition: 'Files', source: { file: '../f.csv' }, beforeImage: true, verify: 'sample' };
  const made = await setting({
    'manifests/all.yaml': files + manifest('Import', 'F', spec),
    'f.csv': 'Number,Title\nF-1,one\n',
  });
  const { code, out } = await made.run('plan');
  expect([code, out]).toEqual([3, expect.stringContaining('records of ITEM_TICKETS cannot be read back')]);
  expect(out).toContain('before-image-impossible');
});
