import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, fields: Readonly<Record<string, string>>, mode = 'OVERWRITE') =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: { mapping: Object.entries(fields).map(([apiName, sourceName]) => ({ resource, apiName, sourceName })) },
  });

const LINE = { number: 'Assembly', 'item.number': 'Part', quantity: 'Qty', refDes: 'Ref' };
const DEFINITIONS =
  definition('Specs', 'ITEM_SPECS', { number: 'Part', name: 'Name', description: 'Text' }) +
  definition('Boms', 'ITEM_BOM', LINE, 'REPLACE') +
  definition('Lines', 'ITEM_BOM', LINE) +
  definition('Remove', 'ITEM_SPECS', { number: 'Part' }, 'DELETE');

async function stage(dialect = 'reference') {
  const workspace = await testWorkspace([], dialect);
  const { variables } = workspace;
  const files = { 'manifests/all.yaml': DEFINITIONS };
  const [project, other] = [await testProject(files), await testProject(files)];
  const send = async (by: typeof project, file: string, name: string, content: string, ...more: string[]) => {
    await by.write(file, content);
    return by.run(['import', file, '--definition', name, ...more], variables);
  };
  const own = async (...args: [file: string, name: string, content: string, ...more: string[]]) => {
    const { code, out, err } = await send(project, ...args);
    expect([0, 8], out + err).toContain(code);
  };
  const others = async (name: string, content: string) => {
    const { code, out, err } = await send(other, `${name}.csv`, name, content);
    expect(code, out + err).toBe(0);
  };
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  return {
    ...{ workspace, project, other, own, others },
    run: (...args: string[]) => project.run(args, variables),
    purge: () => {
      const refused = { do: 'status', status: 400, code: 3012, message: 'Purged.' } as const;
      return workspace.arm([{ path: '/imports/*/runs/*/submitContent', times: 'always', ...refused }]);
    },
  };
}

test.each(sample(['reference', 'arena'], 1))(
  'a cell of an import that somebody changed since is drift (%s)',
  async (dialect) => {
    const made = await stage(dialect);
    const parts = 'A-1,one,first\nA-2,two,\nA-3,three,third\nA-4,four,\nA-6,six,\n';
    await made.own('parts.csv', 'Specs', `Part,Name,Text\n${parts}A-5,,nameless\n`, '--commit', 'always');
    await made.own('boms.csv', 'Boms', 'Assembly,Part,Qty,Ref\nA-1,A-2,2,"R1,R2"\nA-1,A-3,1,\n');
    // A later import of one's own over the same cell is what was wanted; the row that failed never was there.
    await made.own('later.csv', 'Specs', 'Part,Name,Text\nA-3,tres,\n');
    const before = await made.run('drift', '--data');
    expect([before.code, before.out]).toEqual([0, expect.stringContaining('No drift.')]);
    expect(before.out).toContain('Rows of 3 imports compared with the workspace.');

    await made.others('Specs', 'Part,Name,Text\nA-1,one,hers\nA-2,zwei,more\n');
    await made.others('Remove', 'Part\nA-4\n');
    await made.others('Lines', 'Assembly,Part,Qty,Ref\nA-1,A-3,8,\nA-1,A-6,1,\n');
    const found = await made.run(
      'drift',
      '--data',
      '--output',
      'junit=drift.xml',
      '--output',
      'md=drift.md',
      '--output',
      'html=drift.html',
    );
    expect(found.code).toBe(2);
    expect(found.out).toContain('~ Import/parts.csv  2 records changed, 1 record no longer there  since run #1 of');
    expect(found.out).toContain('~ A-1 (row 2): Text "first" -> "hers"');
    // What the import left empty is not its own.
    expect(found.out).toMatch(/~ A-2 \(row 3\): Name "two" -> "zwei"\n/);
    expect(found.out).toContain('- A-4 (row 5): no longer in the workspace');
    expect(found.out).toContain('~ A-1 / A-3 (row 3): Qty 1 -> 8');
    expect(found.out).toContain('+ A-1 / A-6: added to the BOM');
    expect(found.out).toContain('5 records of imports have changed since.');
    expect(found.out).not.toContain('Import/later.csv');
    expect(await made.project.read('drift.xml')).toContain(
      'Import/parts.csv (run #1) is not as it was committed: 2 records changed',
    );
    expect(await made.project.read('drift.md')).toContain('+ A-1 Text: "hers"');
    expect(await made.project.read('drift.html')).toContain('A-2 Name');

    const { imports } = JSON.parse((await made.run('drift', '--data', '--json')).out);
    const [later, boms, first] = imports;
    expect([later.address, boms.address, first.address]).toEqual([
      'Import/later.csv',
      'Import/boms.csv',
      'Import/parts.csv',
    ]);
    expect(first.counts).toEqual({ changed: 2, cells: 2, gone: 1, back: 0, added: 0, notCompared: 0 });
    expect(boms.changes).toEqual([
      { what: 'changed', row: 3, key: ['A-1', 'A-3'], cells: [{ column: 'Qty', applied: '1', now: '8' }] },
      { what: 'added', key: ['A-1', 'A-6'], cells: [{ column: 'Qty', applied: '', now: '1' }] },
    ]);
    // Without the option rows are not looked at.
    expect((await made.run('drift')).code).toBe(0);
  },
);

const SOURCE = { number: 'Part', 'supplier.name': 'Supplier', 'supplierItem.number': 'Source', priority: 'Rank' };

test('sourcing and files drift alike: changed cells, missing records, and additional files of an item', async () => {
  const made = await stage();
  const more =
    definition('Sources', 'ITEM_SOURCING', { ...SOURCE, 'supplierItem.name': 'Name' }) +
    definition('Not sources', 'ITEM_SOURCING', SOURCE, 'DELETE') +
    definition('Files', 'FILE_SUMMARY', { number: 'File', title: 'Title', name: 'Path' }) +
    definition(
      'Item files',
      'ITEM_FILES',
      { number: 'Part', 'file.number': 'File', 'file.title': 'Title' },
      'REPLACE',
    ) +
    definition('More files', 'ITEM_FILES', { number: 'Part', 'file.number': 'File' }, 'CREATE');
  await made.project.write('manifests/more.yaml', more);
  await made.other.write('manifests/more.yaml', more);
  expect((await made.run('apply', '--yes')).code).toBe(0);
  await made.own('parts.csv', 'Specs', 'Part,Name,Text\nA-1,one,\nA-2,two,\n');
  // Both items have the supplier item: its name is what the last row said.
  const sources = 'A-1,Acme,S-1,1,Bolt\nA-2,Acme,S-1,1,Screw\nA-1,Nuts,S-2,2,\n';
  await made.own('sources.csv', 'Sources', `Part,Supplier,Source,Rank,Name\n${sources}`);
  await made.project.write('drawings/a.pdf', 'a');
  await made.own('files.csv', 'Files', 'File,Title,Path\nF-1,one,a.pdf\nF-2,two,\nF-3,three,\n', '--files', 'drawings');
  // The last row makes a file: nobody knows which of the files of A-2 it is.
  await made.own('links.csv', 'Item files', 'Part,File,Title\nA-1,F-1,\nA-1,F-2,\nA-2,F-1,\nA-2,,made\n');
  const before = await made.run('drift', '--data', 'full');
  expect([before.code, before.out]).toEqual([0, expect.stringContaining('Rows of 4 imports compared')]);
  // Neither the files nor the file of its rows still exist.
  await made.project.write('drawings/a.pdf', 'another');

  await made.others('Sources', 'Part,Supplier,Source,Rank,Name\nA-1,Acme,S-1,4,Rivet\n');
  await made.others('Not sources', 'Part,Supplier,Source,Rank\nA-1,Nuts,S-2,\n');
  await made.others('Files', 'File,Title,Path\nF-2,deux,\n');
  await made.others('Item files', 'Part,File,Title\nA-1,F-1,\nA-1,F-3,\n');
  await made.others('More files', 'Part,File\nA-2,F-3\n');
  const { imports } = JSON.parse((await made.run('drift', '--data', 'full', '--json')).out);
  const found = new Map(imports.map(({ address, ...one }: { address: string }) => [address, one]));
  const name = { column: 'Name', applied: 'Screw', now: 'Rivet' };
  expect(found.get('Import/sources.csv')).toMatchObject({
    changes: [
      { what: 'changed', row: 2, cells: [{ column: 'Rank', applied: '1', now: '4' }, name] },
      { what: 'changed', row: 3, key: ['A-2', 'Acme', 'S-1'], cells: [name] },
      { what: 'gone', row: 4, key: ['A-1', 'Nuts', 'S-2'] },
    ],
  });
  expect(found.get('Import/files.csv')).toMatchObject({
    counts: { changed: 1, gone: 0, notCompared: 1 },
    columnsNotCompared: ['Path'],
    changes: [{ key: ['F-2'], cells: [{ column: 'Title', applied: 'two', now: 'deux' }] }],
  });
  expect(found.get('Import/links.csv')).toMatchObject({
    counts: { changed: 0, gone: 1, added: 1, notCompared: 1 },
    columnsNotCompared: ['File'],
    changes: [
      { what: 'gone', row: 3, key: ['A-1', 'F-2'] },
      { what: 'added', key: ['A-1', 'F-3'] },
    ],
  });
});

test('rows that were not compared are named, and never count as unchanged', async () => {
  const made = await stage();
  const numbers = Array.from({ length: 60 }, (_, index) => `P-${index}`);
  const parts = ['C-1', ...numbers].map((number) => `${number},name,\n`).join('');
  await made.own('parts.csv', 'Specs', `Part,Name,Text\n${parts}`);
  await made.own(
    'boms.csv',
    'Boms',
    `Assembly,Part,Qty,Ref\n${numbers.map((number) => `${number},C-1,1,\n`).join('')}`,
  );
  // A request for each parent.
  const some = await made.run('drift', '--data');
  expect([some.code, some.out]).toEqual([0, expect.stringContaining('Rows of 1 import compared with the workspace.')]);
  expect(some.out).toContain(
    'Not compared: Import/boms.csv: it would take more requests than `drift --data` may spend on comparing rows (50); set `previewRequests` in the environment, or use `--data full`.',
  );
  const all = await made.run('drift', '--data', 'full');
  expect(all.out).toContain('Rows of 2 imports compared with the workspace.');

  // The newest import has neither its file nor its run left: rows that it may have overwritten are nobody's drift.
  await made.own('newest.csv', 'Specs', 'Part,Name,Text\nP-1,mine,\n');
  await made.project.write('newest.csv', 'Part,Name,Text\nP-2,other,\n');
  await made.purge();
  const purged = await made.run('drift', '--data', '--output', 'junit=drift.xml');
  expect(purged.code).toBe(0);
  expect(purged.out).toContain('Not compared: Import/newest.csv: ');
  expect(purged.out).toContain('Import/newest.csv (run #3) was committed later and may have changed the same records');
  expect(purged.out).toContain('Rows of 0 imports compared with the workspace.');
  expect(await made.project.read('drift.xml')).toContain('rows-not-compared');
});

test('a read of rows that breaks off is repeated, and resumes where it ended', async () => {
  const made = await stage();
  const rows = Array.from({ length: 3000 }, (_, at) => `A-${at},name ${at},text\n`).join('');
  await made.own('parts.csv', 'Specs', `Part,Name,Text\n${rows}`);
  // Of a file that is another one by now the workspace has the rows.
  await made.project.write('parts.csv', 'Part,Name,Text\nA-1,one,\n');
  const file = '/imports/*/runs/*/submitContent';
  await made.workspace.arm([{ path: file, do: 'cut' }]);
  const once = await made.run('drift', '--data');
  expect([once.code, once.out]).toEqual([0, expect.stringContaining('Rows of 1 import compared with the workspace.')]);
  expect(once.out).toContain('No drift.');
  await made.workspace.arm([{ path: file, times: 'always', do: 'cut' }]);
  const always = await made.run('drift', '--data');
  expect([always.code, always.out]).toEqual([
    4,
    expect.stringContaining('Rows of 0 imports compared with the workspace.'),
  ]);
  expect(always.out).toMatch(
    /^Not compared: Import\/parts\.csv: reading failed: GET \S+ got no whole answer from \S+: other side closed\.$/m,
  );
});
