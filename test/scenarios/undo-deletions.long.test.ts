import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { runStruck } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, mode: string, fields: Readonly<Record<string, string>>): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: {
      mapping: Object.entries(fields).map(([sourceName, target]) => ({
        ...{ resource, sourceName },
        ...(target === '' ? { attribute: sourceName } : { apiName: target }),
      })),
    },
  });

const SOURCE = { Part: 'number', Supplier: 'supplier.name', 'Supplier Part': 'supplierItem.number' };
const DEFINITIONS =
  definition('Specs', 'ITEM_SPECS', 'OVERWRITE', {
    ...{ Part: 'number', Name: 'name', Text: 'description', Kind: 'category.path', Unit: 'uom', Cost: 'standardCost' },
    ...{ Shared: 'shared', Certifications: '', 'Weight in Grams': '', 'Last Reviewed': '', 'Safety Critical': '' },
  }) +
  definition('Lines', 'ITEM_BOM', 'OVERWRITE', {
    ...{ Assembly: 'number', Part: 'item.number', Qty: 'quantity', Ref: 'refDes', Line: 'lineNumber', Note: 'notes' },
    ...{ 'Placement Side': '', 'Find Number': '' },
  }) +
  definition('Sources', 'ITEM_SOURCING', 'OVERWRITE', { ...SOURCE, Rank: 'priority', Remark: 'notes' }) +
  definition('Files', 'FILE_SUMMARY', 'OVERWRITE', {
    ...{ File: 'number', Title: 'title', About: 'description', How: 'storageMethodName', Where: 'location' },
    ...{ Edition: 'edition', Confidential: '' },
  }) +
  definition('Item files', 'ITEM_FILES', 'CREATE', { Part: 'number', File: 'file.number', Primary: 'primary' }) +
  definition('Delete lines', 'ITEM_BOM', 'DELETE', { Assembly: 'number', Part: 'item.number' }) +
  definition('Delete items', 'ITEM_SPECS', 'DELETE', { Part: 'number' }) +
  definition('Delete by GUID', 'ITEM_SPECS', 'DELETE', { Item: 'guid' }) +
  definition('Delete files', 'FILE_SUMMARY', 'DELETE', { File: 'number' });

const ROWS: Readonly<Record<string, string>> = {
  Specs: `Part,Name,Text,Kind,Unit,Cost,Shared,Certifications,Weight in Grams,Last Reviewed,Safety Critical
T-1,Top,"the ""top"", whole",Item\\Assembly,each,12.5,true,,1.25,2026-03-04,true
T-2,Stays,,Item\\Assembly,each,,,,,,
B-1,Board,,Item\\Assembly,each,,,CE;UL,,,
R-1,Resistor,,Item\\Resistor,each,0.01,,,,,
`,
  Lines: `Assembly,Part,Qty,Ref,Line,Note,Placement Side,Find Number
T-1,B-1,1,,10,by hand,,7
T-1,R-1,2,"R1,R2",20,,Top,
B-1,R-1,3,,,,,
T-2,R-1,4,,,,,
`,
  Sources: 'Part,Supplier,Supplier Part,Rank,Remark\nB-1,Acme,A-1,1,first\nT-1,Acme,A-2,,\n',
  Files: `File,Title,About,How,Where,Edition,Confidential
F-1,Drawing,of the board,WEB,https://example.com/f,2,true
F-2,Draft,,PLACE_HOLDER,,1,
`,
  'Item files': 'Part,File,Primary\nB-1,F-1,true\n',
};

async function stage(dialect = 'reference') {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/all.yaml': DEFINITIONS });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const send = async (name: string, rows: string, ...more: string[]) => {
    await project.write(`${name}.csv`, rows);
    return run('import', `${name}.csv`, '--definition', name, ...more);
  };
  expect((await run('apply', '--yes')).code).toBe(0);
  for (const [name, rows] of Object.entries(ROWS)) {
    const { code, out, err } = await send(name, rows);
    expect([name, code], out + err).toEqual([name, 0]);
  }
  const get = async (path: string) => (await workspace.call('GET', path)).body;
  /** All items and files with what belongs to them, but for GUIDs, times, and who created what. */
  const contents = async (): Promise<unknown[]> => {
    const items = await workspace.pages('/items?responseview=full&includeEmptyAdditionalAttributes=true');
    const whole = items.map(async (item) => ({
      ...item,
      bom: (await get(`/items/${item.guid}/bom?includeAdditionalAttributes=true`)).results,
      files: (await get(`/items/${item.guid}/files`)).results,
      sourcing: (await get(`/items/${item.guid}/sourcing`)).results,
      usedIn: (await get(`/items/${item.guid}/whereused`)).results,
    }));
    const files = (await workspace.pages('/files')).map(({ guid }) => get(`/files/${guid}`));
    return [...(await Promise.all(whole)), ...(await Promise.all(files))].map(restorable).map(inOrder).sort(byText);
  };
  const guidOf = async (number: string): Promise<string> => (await get(`/items?number=${number}`)).results[0]?.guid;
  return { workspace, project, run, send, contents, get, guidOf };
}

const EXCEPTED = new Set(['guid', 'url', 'creator', 'creationDateTime', 'lastModifiedDateTime']);

/** Attributes keep their GUIDs: the records that have them do not. */
function restorable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restorable);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !EXCEPTED.has(key))
      .map(([key, own]) => [key, restorable(own)]),
  );
}

const byText = (one: unknown, other: unknown): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder).sort(byText);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(byText)
      .map(([key, own]) => [key, inOrder(own)]),
  );
}

/** The requests that a plan on the screen expects of its apply, and those that the command used. */
function requestsIn(out: string): { readonly most: number; readonly used: number } {
  const [, planned, most] = /Requests: (\d+) used by this plan, (?:\d+ to )?(\d+) to apply it/.exec(out) ?? [];
  const [, used] = /Requests: (\d+) used, /.exec(out) ?? [];
  return { most: Number(planned) + Number(most), used: Number(used) };
}

test.each(['reference', 'arena'])(
  'deleted items come back with their attributes, lines, uses, files and sourcing (%s)',
  async (dialect) => {
    const made = await stage(dialect);
    const before = await made.contents();
    // R-1 is also in T-2, which stays: the service refuses to delete it, and the other rows are committed.
    const gone = await made.send('Delete items', 'Part\nT-1\nB-1\nR-1\n', ...['--before-image', '--commit', 'always']);
    expect(gone.code, gone.out + gone.err).toBe(8);
    expect(gone.out.replaceAll(/\s+/g, ' ')).toContain(
      'An undo can create the items again, with their BOM lines, uses, files and sourcing, but not their GUIDs, times, revisions and history.',
    );
    const { most, used } = requestsIn(gone.out);
    expect(used).toBeLessThanOrEqual(most);
    expect(await made.contents()).not.toEqual(before);
    const undone = await made.run('import', 'undo', 'Delete items.csv', '--yes');
    expect(undone.code, undone.out + undone.err).toBe(0);
    expect(undone.out).toContain('The items get other GUIDs; their times, revisions and history are not restored.');
    expect(await made.contents()).toEqual(before);

    const again = await made.run('import', 'undo', 'Delete items.csv', '--yes');
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('No changes.')]);
  },
);

test.each([1, 2, 3, 4])(
  'an undo of a deletion that was killed at commit %i goes on, and adds nothing twice',
  async (nth) => {
    const made = await stage();
    const before = await made.contents();
    expect((await made.send('Delete items', 'Part\nT-1\nB-1\n', '--before-image')).code).toBe(0);
    const args = ['import', 'undo', 'Delete items.csv', '--yes'];
    expect(await runStruck(made, { request: `PUT /imports/*/runs/* #${nth}`, fault: 'killed after' }, args)).toBe(true);
    const { code, out, err } = await made.run(...args);
    expect(code, out + err).toBe(0);
    expect(await made.contents()).toEqual(before);
    expect((await made.run('import', 'list')).out).toMatch(/Delete items\.csv +undone/);
  },
);

test('an undo that ended between items and lines adds the lines', async () => {
  const made = await stage();
  const before = await made.contents();
  expect((await made.send('Delete items', 'Part\nT-1\nB-1\n', '--before-image')).code).toBe(0);
  await made.workspace.arm([{ method: 'POST', path: '/imports/*/runs', nth: 2, do: 'status', status: 500 }]);
  const args = ['import', 'undo', 'Delete items.csv', '--yes'];
  expect((await made.run(...args)).code).toBe(4);
  const { code, out, err } = await made.run(...args);
  expect(code, out + err).toBe(0);
  expect(await made.contents()).toEqual(before);
});

test('an item that somebody else created again stays as it is', async () => {
  const made = await stage();
  expect((await made.send('Delete items', 'Part\nT-1\nB-1\n', '--before-image')).code).toBe(0);
  const others = 'Part,Name,Text,Kind,Unit,Cost,Shared,Certifications,Weight in Grams,Last Reviewed,Safety Critical\n';
  expect((await made.send('Specs', `${others}T-1,Hers,,,,,,,,,\n`)).code).toBe(0);
  const { code, out } = await made.run('import', 'undo', 'Delete items.csv', '--yes');
  expect(code, out).toBe(0);
  const { results } = await made.get('/items?number=T-1&responseview=full');
  expect(results.map(({ name }: { name: string }) => name)).toEqual(['Hers']);
  // Its line to the item that came back is restored, the one to another part is not.
  const lines = (await made.get(`/items/${await made.guidOf('T-1')}/bom`)).results;
  expect(lines.map(({ item }: { item: { number: string } }) => item.number)).toEqual(['B-1']);
});

test('items that were deleted by their GUIDs come back under their numbers', async () => {
  const made = await stage();
  const before = await made.contents();
  const rows = `Item\n${await made.guidOf('T-1')}\n${await made.guidOf('B-1')}\n`;
  expect((await made.send('Delete by GUID', rows, '--before-image')).code).toBe(0);
  const { code, out, err } = await made.run('import', 'undo', 'Delete by GUID.csv', '--yes');
  expect(code, out + err).toBe(0);
  expect(await made.contents()).toEqual(before);
});

test('deleted lines come back with attributes that the import has no column for', async () => {
  const made = await stage();
  const before = await made.contents();
  const gone = await made.send('Delete lines', 'Assembly,Part\nT-1,R-1\nT-1,B-1\n', '--before-image');
  expect(gone.code, gone.out + gone.err).toBe(0);
  const { code, out, err } = await made.run('import', 'undo', 'Delete lines.csv', '--yes');
  expect(code, out + err).toBe(0);
  expect(await made.contents()).toEqual(before);
});

test('a deleted file without content comes back', async () => {
  const made = await stage();
  const before = await made.contents();
  const gone = await made.send('Delete files', 'File\nF-2\n', '--before-image');
  expect(gone.code, gone.out + gone.err).toBe(0);
  const { code, out, err } = await made.run('import', 'undo', 'Delete files.csv', '--yes');
  expect(code, out + err).toBe(0);
  expect(await made.contents()).toEqual(before);
});

test('what an import removes because its file lacks it comes back', async () => {
  const made = await stage();
  const before = await made.contents();
  await made.project.write('parts.csv', (ROWS.Specs ?? '').replace(/^T-1.*\n/m, ''));
  const parts = manifest('Import', 'Parts', {
    ...{ definition: 'Specs', source: { file: '../parts.csv' }, beforeImage: true, covers: { numberPrefix: 'T-' } },
    ...{ missing: 'delete', deleteDefinition: 'Delete items' },
  });
  await made.project.write('manifests/parts.yaml', parts);
  const applied = await made.run('apply', '--yes');
  expect([applied.code, applied.out], applied.err).toEqual([
    0,
    expect.stringContaining('An undo can create the items'),
  ]);
  expect(await made.guidOf('T-1')).toBeUndefined();
  const { code, out, err } = await made.run('import', 'undo', 'Parts (missing)', '--yes');
  expect(code, out + err).toBe(0);
  expect(await made.contents()).toEqual(before);
});
