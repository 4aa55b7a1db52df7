import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { runStruck } from '../harness/striking.js';
import { openTerminal } from '../harness/terminal.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const definition = (name: string, resource: string, fields: Readonly<Record<string, string>>, mode = 'OVERWRITE') =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: { mapping: Object.entries(fields).map(([apiName, sourceName]) => ({ resource, apiName, sourceName })) },
  });

const ITEM = { number: 'Part', name: 'Name', description: 'Text', 'category.path': 'Kind', standardCost: 'Cost' };
const LINE = { number: 'Assembly', 'item.number': 'Part', quantity: 'Qty', refDes: 'Ref' };
const DEFINITIONS =
  definition('Specs', 'ITEM_SPECS', ITEM) +
  definition('Boms', 'ITEM_BOM', LINE, 'REPLACE') +
  definition('Lines', 'ITEM_BOM', { ...LINE, notes: 'Note' });

const ITEMS = `Part,Name,Text,Kind,Cost
A-1,one,first,,1.5
A-2,two,,,
A-3,"three, quoted",third,,3
A-4,four,,,
`;
const BOM = 'Assembly,Part,Qty,Ref,Note\nA-1,A-2,2,"R1,R2",by hand\nA-1,A-3,1,,\n';

interface Stage {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  readonly run: (...args: string[]) => Promise<{ code: number | null; out: string; err: string }>;
  /** Somebody else, with a ledger of their own. */
  readonly others: (file: string, definition: string, content: string) => Promise<void>;
}

async function stage(dialect = 'reference'): Promise<Stage> {
  const workspace = await testWorkspace([], dialect);
  const files = { 'manifests/all.yaml': DEFINITIONS, 'items.csv': ITEMS, 'bom.csv': BOM };
  const [project, other] = [await testProject(files), await testProject(files)];
  const run: Stage['run'] = (...args) => project.run(args, workspace.variables);
  const others: Stage['others'] = async (file, name, content) => {
    await other.write(file, content);
    const { code, out, err } = await other.run(['import', file, '--definition', name], {
      ...workspace.variables,
      // On another machine, where nothing shows that the workspace is in use.
      ...{ DEXSYNC_REMOTE_EMAIL: 'ben@example.com', XDG_STATE_HOME: join(other.folder, 'state') },
    });
    expect(code, out + err).toBe(0);
  };
  expect((await run('apply', '--yes')).code).toBe(0);
  await others('items.csv', 'Specs', ITEMS);
  await others('bom.csv', 'Lines', BOM);
  return { workspace, project, run, others };
}

/** What the workspace holds of the items and their BOMs, without what no import sets. */
async function contents({ workspace }: Stage): Promise<unknown> {
  const items = await workspace.pages('/items?responseview=full&includeEmptyAdditionalAttributes=true');
  const own = items.filter(({ number }) => /^[AN]-/.test(number)).sort((a, b) => (a.number < b.number ? -1 : 1));
  const boms = await Promise.all(own.map(({ guid }) => workspace.pages(`/items/${guid}/bom?`)));
  return own.map(({ guid, number, name, description, category, standardCost }, index) => ({
    ...{ guid, number, name, description, category: category.name, standardCost },
    bom: boms[index]?.map(({ item, quantity, refDes, notes, lineNumber }) => ({
      ...{ child: item.number, quantity, refDes, notes, lineNumber },
    })),
  }));
}

async function imported(made: Stage, file: string, name: string, content: string): Promise<void> {
  await made.project.write(file, content);
  const { code, out, err } = await made.run('import', file, '--definition', name, '--before-image');
  expect([code, out], err).toEqual([0, expect.stringContaining('before the commit')]);
}

/** New, changed, emptied and untouched cells. */
const CHANGES = `Part,Name,Text,Kind,Cost
A-1,uno,[Remove Value],,2
A-2,two,filled,,7
N-1,new,,,
A-3,"three, quoted",third,,3
`;
const REPLACED = 'Assembly,Part,Qty,Ref\nA-1,A-4,7,\nA-1,A-3,2,"R8,R9"\nA-2,N-1,1,\n';

test.each(sample(['reference', 'arena'], 1))(
  'undo reverts changed, created, emptied and replaced records, and an undo as well (%s)',
  async (dialect) => {
    const made = await stage(dialect);
    const before = await contents(made);
    await imported(made, 'changes.csv', 'Specs', CHANGES);
    await imported(made, 'replaced.csv', 'Boms', REPLACED);
    const after = await contents(made);
    // The newest first: N-1 is in a BOM.
    const boms = await made.run('import', 'undo', 'replaced.csv', '--yes');
    expect([boms.code, boms.out]).toEqual([0, expect.stringContaining('Rows: 3 committed, 0 failed')]);
    // The import has no column for notes: a definition that has one is created.
    expect(boms.out).toContain('+ ImportDefinition/Boms (undo replace)  create');
    const specs = await made.run('import', 'undo', 'changes.csv', '--yes');
    expect([specs.code, specs.out]).toEqual([
      0,
      expect.stringMatching(/~ A-1 \(row 2\): Name "uno" -> "one", Text \(empty\) -> "first", Cost 2 -> 1\.5/),
    ]);
    expect(specs.out).toContain('- N-1 (row 2)');
    // A row that the import left as it was is not sent.
    expect(specs.out).not.toContain('A-3');
    expect(await contents(made)).toEqual(before);

    const nothing = await made.run('import', 'undo', 'changes.csv', '--yes');
    expect([nothing.code, nothing.out]).toEqual([0, expect.stringContaining('No changes.')]);
    expect((await made.run('plan', '--detailed-exitcode')).code).toBe(0);

    // An undo is an import like every other. The definitions are there by now.
    const again = await made.run('import', 'undo', 'changes.csv (undo edit)', '--yes');
    expect([again.code, again.out]).toEqual([0, expect.not.stringContaining('create')]);
    const [, first] = after as Record<string, unknown>[];
    const [, now] = (await contents(made)) as Record<string, unknown>[];
    expect([now?.description, now?.standardCost]).toEqual([first?.description, first?.standardCost]);
    const { imports } = JSON.parse((await made.run('import', 'list', '--json')).out);
    const named = (name: string) => imports.find(({ address }: { address: string }) => address === `Import/${name}`);
    const edit = named('changes.csv (undo edit)');
    expect(named('replaced.csv')).toMatchObject({ undone: 'whole', undoneBy: expect.any(Array) });
    expect(edit).toMatchObject({ undone: 'whole', undoOf: named('changes.csv').runs });
    // What the undo deleted stays away, since that was not undone.
    expect(named('changes.csv')).toMatchObject({
      undone: 'in part',
      undoneBy: named('changes.csv (undo delete)').runs,
    });
  },
);

test('BOMs whose assemblies changed places are put back, the last one first', async () => {
  const made = await stage();
  await made.others('further.csv', 'Lines', 'Assembly,Part,Qty,Ref,Note\nA-2,A-3,4,,\n');
  const before = await contents(made);
  await imported(made, 'turned.csv', 'Boms', 'Assembly,Part,Qty,Ref\nA-1,A-3,1,\nA-2,A-1,1,\n');
  const { code, out } = await made.run('import', 'undo', 'turned.csv', '--yes');
  expect(code, out).toBe(0);
  expect(await contents(made)).toEqual(before);
});

test('changes that cannot be undone are named row by row, and the rest is undone', async () => {
  const made = await stage();
  await imported(made, 'changes.csv', 'Specs', CHANGES);
  await imported(made, 'replaced.csv', 'Boms', REPLACED);
  await made.others('hers.csv', 'Specs', 'Part,Name,Text,Kind,Cost\nA-1,hers,,,\n');
  await made.others('her-lines.csv', 'Lines', 'Assembly,Part,Qty,Ref,Note\nA-1,A-4,8,,\n');
  const undone = await made.run('import', 'undo', 'changes.csv', '--yes', '--json');
  expect(undone.code).toBe(4);
  const events = undone.out
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  const { plan } = events.find(({ type }) => type === 'plan');
  const blocked = plan.steps.find(({ reason }: { reason: string }) => reason === 'not-undone');
  expect(blocked.preview.rows).toEqual([
    {
      change: 'kept',
      key: ['A-1'],
      row: 2,
      why: 'Changed since the import, so it stays as it is.',
      cells: [{ column: 'Name', before: 'hers', after: 'one' }],
    },
    { change: 'kept', key: ['N-1'], row: 4, why: expect.stringContaining('is in a BOM by now') },
  ]);
  const file = /; (\S+) lists all of them/.exec(blocked.message)?.[1] ?? '';
  expect(await made.project.read(file)).toContain('2,A-1,Name,hers,one,');
  const [first, second] = (await contents(made)) as Record<string, unknown>[];
  expect([first?.name, first?.description, second?.description]).toEqual(['hers', 'first', null]);

  const boms = await made.run('import', 'undo', 'replaced.csv', '--yes');
  expect(boms.code).toBe(4);
  expect(boms.out).toContain('! A-1 (row 2): The BOM is not as the import left it (A-4), so all of it stays as it is.');
  expect(boms.out).toMatch(/ {8}A-2\n {10}- N-1 \(row 2\)/);

  // An import without a before image, one that is elsewhere, one that is not there, and nobody to ask.
  await made.run('import', 'changes.csv', '--definition', 'Specs', '--force');
  const plain = await made.run('import', 'undo', 'changes.csv', '--yes');
  expect([plain.code, plain.err]).toEqual([3, expect.stringContaining('has no before image')]);
  expect(plain.err).toContain('beforeImage: true');
  const elsewhere = await made.run('import', 'undo', 'replaced.csv', '--yes', '--image', 'nowhere');
  expect(elsewhere.err).toContain('There is no before image of Import/replaced.csv');
  const unasked = await made.run('import', 'undo', 'replaced.csv');
  expect(unasked.err).toContain('`dexsync import undo replaced.csv` needs confirmation');
});

test('rows that the service refused changed nothing, so their undo does nothing and says nothing', async () => {
  const made = await stage();
  await made.project.write('partly.csv', 'Part,Name,Text,Kind,Cost\nA-1,uno,,,\nN-1,,,,\n');
  const options = ['--definition', 'Specs', '--before-image', '--commit', 'always'];
  expect((await made.run('import', 'partly.csv', ...options)).code).toBe(8);
  await made.project.write('corrected.csv', 'Part,Name,Text,Kind,Cost\nN-1,new,,,\n');
  expect((await made.run('import', 'retry', 'partly.csv', 'corrected.csv')).code).toBe(0);
  const { code, out } = await made.run('import', 'undo', 'partly.csv', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('~ A-1 (row 2): Name "uno" -> "one"')]);
  expect(out).not.toContain('N-1');
});

test.for([1, 2])('undo %i of an import, which was killed, resumes, and sends nothing twice', async (nth) => {
  const made = await stage();
  const before = await contents(made);
  await imported(made, 'changes.csv', 'Specs', CHANGES);
  const args = ['import', 'undo', 'changes.csv', '--yes'];
  if (nth === 2) {
    expect((await made.run(...args)).code).toBe(0);
    const again = ['--definition', 'Specs', '--before-image', '--force'];
    expect((await made.run('import', 'changes.csv', ...again)).code).toBe(0);
  }
  expect(await runStruck(made, { request: 'PUT /imports/*/runs/* #1', fault: 'killed after' }, args)).toBe(true);
  const { code, out, err } = await made.run(...args);
  expect([code, out], err).toEqual([0, expect.stringContaining('resumed, not sent again')]);
  expect(await contents(made)).toEqual(before);
  const listed = await made.run('import', 'list');
  expect(listed.out.match(/changes\.csv \(undo delete\)/g)).toHaveLength(nth);
  expect(listed.out.match(/changes\.csv \(undo edit\)/g)).toHaveLength(nth);
  expect(listed.out).toMatch(/changes\.csv +undone +4 of 4 committed/);
});

test('an undo whose upload was only acknowledged is sent by the next one, and is over then', async () => {
  const made = await stage();
  const before = await contents(made);
  await imported(made, 'changes.csv', 'Specs', CHANGES);
  const args = ['import', 'undo', 'changes.csv', '--yes'];
  expect((await made.run(...args)).code).toBe(0);
  const again = ['--definition', 'Specs', '--before-image', '--force'];
  expect((await made.run('import', 'changes.csv', ...again)).code).toBe(0);
  await made.workspace.arm([{ method: 'POST', path: '/imports/*/runs', nth: 1, do: 'acknowledge' }]);
  const lied = await made.run(...args);
  expect([lied.code, lied.out]).toEqual([4, expect.stringContaining('The service has no such run')]);
  expect((await made.run(...args)).code).toBe(0);
  expect(await contents(made)).toEqual(before);
  const listed = await made.run('import', 'list');
  expect(listed.out).toContain('failed');
  expect(listed.out).not.toMatch(/undone in part|posted/);
  expect(listed.out).toMatch(/changes\.csv +undone +4 of 4 committed/);
});

test('records that somebody changed while the question was open are not overwritten', async () => {
  const made = await stage();
  await imported(made, 'changes.csv', 'Specs', CHANGES);
  const terminal = openTerminal(made.project, ['import', 'undo', 'changes.csv'], made.workspace.variables);
  await terminal.shows(/Only "yes" is accepted:/);
  await made.others('hers.csv', 'Specs', 'Part,Name,Text,Kind,Cost\nA-1,hers,,,\n');
  terminal.type('yes\n');
  expect(await terminal.ended).toBe(5);
  expect(terminal.text().replaceAll(/\s+/g, ' ')).toContain(
    'Records of Import/changes.csv (run #3) changed after this plan was created. Nothing was sent.',
  );
  const [first] = (await contents(made)) as Record<string, unknown>[];
  expect(first?.name).toBe('hers');
});

test('a plan says which of its imports was undone, until it is sent again', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': `${DEFINITIONS}---\n${manifest('Import', 'Parts', {
      ...{ definition: 'Specs', source: { file: '../items.csv' }, beforeImage: true },
    })}`,
    'items.csv': ITEMS,
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const undone = async (): Promise<unknown[]> => {
    const { notes } = JSON.parse((await run('plan', '--json')).out);
    return notes.filter(({ code }: { code: string }) => code === 'import-undone');
  };
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(await undone()).toEqual([]);
  expect((await run('import', 'undo', 'Parts', '--yes')).code).toBe(0);
  expect(await undone()).toEqual([
    {
      code: 'import-undone',
      message:
        'Import/Parts: run #1 was undone by #2, so the workspace does not have its rows as the file does. ' +
        'They are sent again when the file changes, or now with `--reimport Import/Parts`.',
      addresses: ['Import/Parts'],
    },
  ]);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  const again = await run('plan', '--reimport', 'Import/Parts');
  expect(again.out).toContain('Rows: 4 new');
  expect(again.out).not.toContain('was undone');
  expect((await run('apply', '--yes', '--reimport', 'Import/Parts')).code).toBe(0);
  expect(await undone()).toEqual([]);
});
