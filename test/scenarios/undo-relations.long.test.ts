import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, mode: string, fields: Readonly<Record<string, string>>): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: { mapping: Object.entries(fields).map(([sourceName, apiName]) => ({ resource, apiName, sourceName })) },
  });

const SOURCE = { Part: 'number', Supplier: 'supplier.name', 'Supplier Part': 'supplierItem.number' };
const ASSOCIATION = { Part: 'number', File: 'file.number' };
const FILE = { File: 'number', Title: 'title', About: 'description', Path: 'name' };
const DEFINITIONS =
  itemsDefinition('Specs') +
  definition('Sources', 'ITEM_SOURCING', 'OVERWRITE', {
    ...{ ...SOURCE, Rank: 'priority', Remark: 'notes', Name: 'supplierItem.name' },
  }) +
  definition('Not sources', 'ITEM_SOURCING', 'DELETE', SOURCE) +
  definition('Files', 'FILE_SUMMARY', 'OVERWRITE', FILE) +
  definition('Item files', 'ITEM_FILES', 'REPLACE', { ...ASSOCIATION, Title: 'file.title' }) +
  definition('More files', 'ITEM_FILES', 'CREATE', { ...ASSOCIATION, Primary: 'primary', Title: 'file.title' }) +
  definition('Primary files', 'ITEM_FILES', 'EDIT', { ...ASSOCIATION, Primary: 'primary' }) +
  definition('Not files', 'ITEM_FILES', 'DELETE', ASSOCIATION);

/** Of what answers show, what these tests look at. */
interface Answered {
  readonly guid: string;
  readonly number: string;
  readonly supplierItem: { readonly number: string; readonly supplier: { readonly name: string } };
  readonly file: { readonly number: string };
  readonly [key: string]: unknown;
}

type Shown = Readonly<Record<string, unknown>>;

/** A workspace with items, and what it shows of them by plain requests. */
async function stage() {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': DEFINITIONS });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const send = async (definedBy: string, file: string, rows: string, ...more: string[]) => {
    await project.write(file, rows);
    const { code, out, err } = await run('import', file, '--definition', definedBy, ...more);
    expect(code, out + err).toBe(0);
    return out;
  };
  const imported = async (...args: Parameters<typeof send>): Promise<void> => {
    expect(await send(...args, '--before-image', '--verify', 'all')).toMatch(/rows? read back: all as sent/);
  };
  const get = async (path: string) => (await workspace.call('GET', path)).body;
  const all = async (path: string): Promise<Answered[]> => (await get(path)).results;
  const guidOf = async (number: string): Promise<string> => (await all(`/items?number=${number}`))[0]?.guid ?? '';
  const byKey = (rows: Shown[]): Shown[] => rows.sort((a, b) => (String(a.key) < String(b.key) ? -1 : 1));
  return {
    ...{ workspace, project, run, send, imported, get, all, guidOf },
    undo: (name: string) => run('import', 'undo', name, '--yes'),
    async sources(number: string): Promise<Shown[]> {
      const found = await all(`/items/${await guidOf(number)}/sourcing`);
      return byKey(
        found.map(({ guid, supplierItem, priority, notes, approvalStatus }) => ({
          ...{ guid, priority, notes, approvalStatus },
          key: `${supplierItem.supplier.name} ${supplierItem.number}`,
        })),
      );
    },
    async supplierItem(number: string): Promise<Shown | undefined> {
      return (await all(`/supplieritems?number=${number}`))[0];
    },
    async filesOf(number: string): Promise<Shown[]> {
      const found = await all(`/items/${await guidOf(number)}/files`);
      return byKey(
        found.map(({ guid, file, primary, latestEditionAssociation }) => ({
          ...{ guid, key: file.number, primary, latestEditionAssociation },
        })),
      );
    },
    async files(): Promise<Shown[]> {
      const found = await all('/files');
      const whole = await Promise.all(found.map(({ guid }) => get(`/files/${guid}`)));
      return byKey(whole.map(({ guid, number, title, description }) => ({ guid, key: number, title, description })));
    },
  };
}

const ITEMS = 'Part,Name\nP-1,one\nP-2,two\nP-3,three\n';
const SOURCE_HEAD = 'Part,Supplier,Supplier Part,Rank,Remark,Name\n';

test('sourcing: cells are put back, new sources are deleted, deleted ones come back; later changes stay and are named', async () => {
  const made = await stage();
  await made.run('apply', '--yes');
  await made.send('Specs', 'items.csv', ITEMS);
  await made.send(
    'Sources',
    'first.csv',
    `${SOURCE_HEAD}P-1,Acme,A-1,1,mine,Bolt\nP-2,Acme,A-1,1,,\nP-1,Bolts,B-1,2,,Nut\n`,
  );
  const state = async () => [await made.sources('P-1'), await made.sources('P-2'), await made.supplierItem('A-1')];
  const before = await state();

  // Both items have this supplier item: the last row that fills its name counts.
  const changes = `P-1,Acme,A-1,5,[Remove Value],Screw\nP-2,Acme,A-1,,hers,Rivet\nP-2,Bolts,B-1,1,,\nP-3,Nuts,N-1,,,New\nP-3,Acme,A-1,,,Rivet\nP-3,Bolts,B-1,,,Pin\n`;
  await made.imported('Sources', 'changes.csv', SOURCE_HEAD + changes);
  const undone = await made.undo('changes.csv');
  expect(undone.out).toContain('~ Acme / A-1 (row 2): Rank 5 -> 1, Remark (empty) -> "mine", Name "Rivet" -> "Bolt"');
  expect(undone.out).toMatch(/P-2\n +- Bolts \/ B-1 \(row 2\)/);
  expect(undone.out).toContain('! Nuts / N-1 (row 5): The import created the supplier item of this source as well.');
  // The name of A-1 goes back through the items that had it; nobody knows the name that B-1 had.
  expect(undone.out).toContain('! Bolts / B-1 (row 7): The row also filled the supplier item, which was there before.');
  expect([undone.code, undone.out]).toEqual([4, expect.stringContaining('2 rows of Import/changes.csv')]);
  const after = await state();
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(after[2]).toMatchObject({ name: 'Bolt' });
  expect(await made.sources('P-3')).toEqual([]);
  expect((await made.run('plan', '--detailed-exitcode')).code).toBe(0);
  expect((await made.run('import', 'list')).out).toMatch(/changes\.csv +undone in part/);

  // What a definition has no column for comes back too.
  await made.imported('Not sources', 'gone.csv', 'Part,Supplier,Supplier Part\nP-1,Acme,A-1\nP-1,Bolts,B-1\n');
  expect(await made.sources('P-1')).toEqual([]);
  const back = await made.undo('gone.csv');
  expect([back.code, back.err]).toEqual([0, '']);
  const withoutGuid = (rows: Shown[]) => rows.map(({ guid: _, ...rest }) => rest);
  expect(withoutGuid(await made.sources('P-1'))).toEqual(withoutGuid(before[0] as Shown[]));

  await made.imported('Sources', 'later.csv', `${SOURCE_HEAD}P-1,Acme,A-1,7,later,\nP-3,Acme,A-1,1,,\n`);
  await made.send('Sources', 'hers.csv', `${SOURCE_HEAD}P-1,Acme,A-1,9,,\nP-3,Acme,A-1,3,,\n`);
  const kept = await made.undo('later.csv');
  expect(kept.code).toBe(4);
  expect(kept.out).toContain('! Acme / A-1 (row 2): Changed since the import, so it stays as it is.');
  expect(kept.out).toContain('The import created it. Changed since the import, so it stays as it is.');
  expect(await made.sources('P-1')).toMatchObject([{ priority: 9, notes: 'mine' }, {}]);
  expect(await made.sources('P-3')).toMatchObject([{ priority: 3 }]);
});

test('files of items: replaced, added, edited and removed files are undone, and later changes are not', async () => {
  const made = await stage();
  await made.run('apply', '--yes');
  await made.send('Specs', 'items.csv', ITEMS);
  await made.send('Files', 'files.csv', 'File,Title,About,Path\nF-1,one,,\nF-2,two,,\nF-3,three,,\n');
  await made.send('More files', 'some.csv', 'Part,File,Primary,Title\nP-1,F-1,yes,\nP-1,F-2,,\n');
  const state = async () => [await made.filesOf('P-1'), await made.filesOf('P-2')];
  const before = await state();
  const flagsOf = (sides: Shown[][]) => sides.map((rows) => rows.map(({ guid: _, ...rest }) => rest));

  // The third row of P-1 makes a file, under a number of the service's.
  await made.imported('Item files', 'replaced.csv', 'Part,File,Title\nP-1,F-3,\nP-1,F-2,\nP-1,,made\nP-2,F-1,\n');
  const replaced = await made.undo('replaced.csv');
  expect(replaced.out).toMatch(
    /! P-1 \(row 2\): The import made the file F-\d+, which leaves the item and stays in the workspace/,
  );
  expect(replaced.code).toBe(4);
  expect(flagsOf(await state())).toEqual(flagsOf(before));

  await made.imported('Primary files', 'edited.csv', 'Part,File,Primary\nP-1,F-1,no\nP-1,F-2,yes\n');
  await made.imported('More files', 'more.csv', 'Part,File,Primary,Title\nP-2,F-1,yes,\nP-2,F-2,,\nP-2,,,another\n');
  await made.imported('Not files', 'fewer.csv', 'Part,File\nP-1,F-1\n');
  // The newest first.
  expect((await made.undo('fewer.csv')).code).toBe(0);
  await made.send('Primary files', 'hers.csv', 'Part,File,Primary\nP-2,F-2,yes\n');
  const more = await made.undo('more.csv');
  expect(more.code).toBe(4);
  expect(more.out).toContain('! P-2 (row 4): The row has no file number, so it created a file');
  expect(more.out).toContain('The import created it. Changed since the import, so it stays as it is.');
  expect((await made.undo('edited.csv')).code).toBe(0);
  const [first, second] = await state();
  expect(flagsOf([first ?? []])).toEqual(flagsOf([before[0] ?? []]));
  expect(second?.map(({ key }) => key)).toEqual([expect.stringMatching(/^F-0/), 'F-2']);
});

test('files: cells are put back and new files are deleted; content stays, and rows that sent some are named', async () => {
  const made = await stage();
  await made.run('apply', '--yes');
  await made.project.write('drawings/old.pdf', 'old');
  await made.project.write('drawings/new.pdf', 'new');
  await made.send(
    'Files',
    'first.csv',
    'File,Title,About,Path\nF-1,one,first,old.pdf\nF-2,two,,\nF-3,three,,\n',
    '--files',
    'drawings',
  );
  const before = await made.files();
  const rows =
    'File,Title,About,Path\nF-1,uno,[Remove Value],new.pdf\nF-2,due,said,\nN-1,new,,new.pdf\nN-2,new too,,\n';
  await made.send('Files', 'changes.csv', rows, '--files', 'drawings', '--before-image');
  // Nothing of what was sent is left here but the rows.
  await made.project.write('drawings/new.pdf', 'another');
  const [hers] = await made.all('/files?number=N-2');
  await made.send('Files', 'hers.csv', 'File,Title,About,Path\nN-2,,hers,\nF-2,hers,,\n');
  const undone = await made.undo('changes.csv');
  expect(undone.code).toBe(4);
  expect(undone.out).toContain('! F-1 (row 2): The import sent the content of this file');
  expect(undone.out).toContain('! N-2 (row 5): The import created it. Changed since the import');
  expect(undone.out).toContain('- N-1 (row 2)');
  expect(await made.files()).toEqual([
    before[0],
    { ...before[1], title: 'hers' },
    before[2],
    { guid: hers?.guid, key: 'N-2', title: 'new too', description: 'hers' },
  ]);
});
