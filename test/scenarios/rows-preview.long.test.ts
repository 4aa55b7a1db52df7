import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { workbookOf } from '../data/bulk/support.js';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const COLUMNS = { Part: 'number', Name: 'name', Cost: 'standardCost', RoHS: '@RoHS Status' };
const HEAD = 'Part,Name,Cost,RoHS\n';
const FIRST = `${HEAD}P-1,one,1.50,Compliant\nP-2,two,2,\nP-3,three,,Exempt\nP-4,four,4,\n`;

const parts = (spec: object = {}, mode = 'OVERWRITE'): string =>
  itemsDefinition('Specs', COLUMNS, mode) +
  manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../a.csv' }, ...spec });

const bom = (mode: string, options: object = {}): string =>
  manifest('ImportDefinition', 'Lines', {
    resource: 'ITEM_BOM',
    mode,
    options: {
      ...options,
      mapping: Object.entries({ Parent: 'number', Part: 'item.number', Qty: 'quantity', Refs: 'refDes' }).map(
        ([sourceName, apiName]) => ({ resource: 'ITEM_BOM', apiName, sourceName }),
      ),
    },
  }) + manifest('Import', 'BOM', { definition: 'Lines', source: { file: '../b.csv' } });

const GONE = { do: 'status', status: 400, code: 3011, message: 'There is no such run.' } as const;

interface Stage {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  readonly variables: Record<string, string>;
  run(...args: string[]): ReturnType<TestProject['run']>;
  /** The preview of the step of an import, of `plan --json`. */
  preview(name: string, ...args: string[]): Promise<Record<string, unknown>>;
  /** Requests of what `use` does, with their paths. */
  sent(use: () => Promise<unknown>): Promise<string[]>;
}

async function stage(
  files: Record<string, string>,
  dialect = 'reference',
  through: (url: string) => Promise<string> | string = (url) => url,
): Promise<Stage> {
  const workspace = await testWorkspace([], dialect);
  const variables = { ...workspace.variables, TEST_URL: await through(workspace.url) };
  const project = await testProject(files);
  const run: Stage['run'] = (...args) => project.run(args, variables);
  return {
    workspace,
    project,
    variables,
    run,
    async preview(name, ...args) {
      const { out } = await run('plan', '--json', ...args);
      const { steps } = JSON.parse(out);
      return steps.find(({ address }: { address: string }) => address === `Import/${name}`)?.preview;
    },
    async sent(use) {
      const before = (await workspace.usage()).length;
      await use();
      const all = (await workspace.usage()).slice(before);
      return all.map(({ method, path }) => `${method} ${decodeURIComponent(path)}`);
    },
  };
}

/** A workspace that has the first list, and a project whose file is the second. */
async function changed(second: string, spec: object = {}, dialect = 'reference'): Promise<Stage> {
  const made = await stage({ 'manifests/m.yaml': parts(spec), 'a.csv': FIRST }, dialect);
  const applied = await made.run('apply', '--yes');
  expect(applied.code, applied.err).toBe(0);
  await made.project.write('a.csv', second);
  return made;
}

const SECOND = `${HEAD}P-1,one,1.5,Compliant\nP-2,zwei,2.0,\nP-3,three,[Remove Value],exempt\nP-5,five,5,\n`;

describe('the rows of an import in its plan', () => {
  test.each(['reference', 'arena'])(
    'are new, changed with their cells, or unchanged, and missing ones are listed (%s)',
    async (dialect) => {
      const { preview, run } = await changed(SECOND, {}, dialect);
      const found = await preview('Parts');
      // P-3 has no cost to remove, 1.5 is 1.50, and an option has no letter case.
      expect(found).toMatchObject({
        with: 'workspace',
        by: 'searches',
        counts: { new: 1, changed: 1, cells: 1, unchanged: 2, removed: 0, refused: 0, notCompared: 0, gone: 1 },
        rows: [
          { change: 'changed', row: 3, key: ['P-2'], cells: [{ column: 'Name', before: 'two', after: 'zwei' }] },
          { change: 'new', row: 5, key: ['P-5'] },
          { change: 'gone', key: ['P-4'] },
        ],
      });
      const { out } = await run('plan');
      expect(out).toContain('~ P-2 (row 3): Name "two" -> "zwei"');
      expect(out).toContain('? P-4: no longer in the file');
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(await preview('Parts', '--reimport', 'Parts')).toMatchObject({
        counts: { changed: 0, new: 0, unchanged: 4 },
      });
    },
  );

  test('stop the plan if they are new without a name, and the service refuses exactly those', async () => {
    const made = await changed(`${HEAD}P-1,,1.75,\nP-5,,5,\n`);
    const planned = await made.run('plan');
    expect([planned.code, planned.out]).toEqual([
      4,
      expect.stringContaining('✗ P-5 (row 3): The record would be new, and its cell in column "Name" is empty.'),
    ]);
    expect(planned.out).toContain('a.csv has 1 error that the commit rule does not accept.');
    const requests = await made.sent(async () => expect((await made.run('apply', '--yes')).code).toBe(4));
    expect(requests.filter((one) => one.startsWith('POST /imports'))).toEqual([]);
    await made.project.write('manifests/m.yaml', parts({ commit: { maxErrors: 1 } }));
    const applied = await made.run('apply', '--yes');
    expect([applied.code, applied.out]).toEqual([8, expect.stringMatching(/1 committed, 1 failed/)]);
    const numbers = (await made.workspace.pages('/items')).map(({ number }) => number);
    expect(numbers).not.toContain('P-5');
  });

  test('of a workbook have the same, and missing ones are unknown where the last import cannot be read', async () => {
    const book = async (text: string) =>
      readFile(await workbookOf({ Parts: text.split('\n').map((line) => line.split(',')) }));
    const { workspace, project, run, preview } = await stage({
      'manifests/m.yaml': parts({ source: { file: '../a.xlsx' } }),
    });
    await project.write('a.xlsx', await book(FIRST.trim()));
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('a.xlsx', await book(SECOND.trim()));
    const { counts } = (await preview('Parts', '--env', 'remote')) as { counts: object };
    expect(counts).toMatchObject({ new: 1, changed: 1, unchanged: 2, gone: 1 });
    await workspace.arm([{ path: '/imports/*/runs/*/submitContent', times: 'always', ...GONE }]);
    const unknown = await preview('Parts', '--env', 'remote');
    expect(unknown).toMatchObject({ counts: { new: 1, changed: 1, unchanged: 2 }, goneWhy: expect.any(String) });
    expect(unknown.counts).not.toHaveProperty('gone');
    expect((await run('plan', '--env', 'remote')).out).toMatch(
      /Rows that are no longer in the file are not known: reading the workspace failed: .*\.\n/,
    );
  });

  test('cost the requests that they announce, and none where they are not requested', async () => {
    const { sent, run } = await changed(SECOND);
    const without = await sent(() => run('plan', '--preview', 'none'));
    expect((await run('plan', '--preview', 'none')).out).not.toContain('Rows:');
    const withThem = await sent(() => run('plan'));
    expect(withThem.length - without.length).toBe(2);
    expect(withThem.filter((one) => one.startsWith('GET /items?'))).toEqual([expect.stringContaining('"value":"P-5"')]);
    expect(withThem.every((one) => one.startsWith('GET ') || /\/(login|logout)$/.test(one))).toBe(true);
  });

  test('are compared with the last import where the workspace would cost too many requests, and else never count as unchanged', async () => {
    const rows = (name: string): string =>
      HEAD + Array.from({ length: 500 }, (_, index) => `Q-${String(index).padStart(60, '0')},${name},1,\n`).join('');
    let remaining = '25000';
    const made = await stage({ 'manifests/m.yaml': parts(), 'a.csv': rows('old') }, 'reference', (url) =>
      alteringProxy(url, (_, answer) => ({
        ...answer,
        headers: { ...answer.headers, 'x-requests-remaining': remaining },
      })),
    );
    expect((await made.run('apply', '--yes', '--preview', 'none')).code).toBe(0);
    await made.project.write('a.csv', rows('old').replace(',old,', ',new,'));
    const full = await made.preview('Parts', '--preview', 'full');
    expect(full).toMatchObject({ with: 'workspace', by: 'pages', counts: { changed: 1, unchanged: 499, gone: 0 } });
    // Two pages of 400 that overlap by one, one question how many items there are, and the rows that were sent last.
    expect(full.requests).toBe(4);
    // A tenth of those that are left.
    remaining = '25';
    const why = (count: string): string =>
      `it would take more requests than a plan may spend on comparing rows (${count}); set \`previewRequests\` in the environment, or use \`--preview full\``;
    const tenth = why('2, a tenth of the 25 that are left today');
    const short = await made.preview('Parts');
    expect(short).toMatchObject({ with: 'last import', why: tenth, counts: { changed: 1, cells: 1, unchanged: 499 } });
    expect(short.requests).toBe(2);
    await made.project.write('manifests/m.yaml', parts().replace('"Parts"', '"Others"'));
    expect(await made.preview('Others')).toMatchObject({ with: 'nothing', why: tenth });
    const { out } = await made.run('plan');
    expect(out).toContain(`Rows not compared with the workspace: ${tenth}.`);
    expect(out).not.toContain('unchanged (');
    const config = await made.project.read('sync.config.yaml');
    const allow = (count: number) =>
      made.project.write(
        'sync.config.yaml',
        config.replace('remote: { ', `remote: { previewRequests: ${count}, keepRequests: 20, `),
      );
    await allow(4);
    remaining = '25000';
    expect(await made.preview('Others')).toMatchObject({ with: 'workspace', counts: { changed: 1 }, requests: 3 });
    await allow(2);
    expect(await made.preview('Others')).toMatchObject({ with: 'nothing', why: why('2') });
    remaining = '21';
    expect(await made.preview('Others')).toMatchObject({
      why: 'it would take more requests than a plan may spend on comparing rows (1: 21 are left today, and `keepRequests` reserves 20); use `--preview full`',
    });
  });

  test.each([
    ['CREATE', { refused: 3, new: 1 }, 'The record exists already, and the mode is CREATE.'],
    ['EDIT', { refused: 1, changed: 1, unchanged: 2 }, 'The record is not in the workspace.'],
    ['DELETE', { refused: 1, removed: 3 }, 'The record is not in the workspace.'],
  ])('say in mode %s how the service will treat them', async (mode, counts, why) => {
    const { project, preview, run, workspace } = await changed(SECOND);
    await project.write('manifests/m.yaml', parts().replaceAll('Specs', 'Other').replace('OVERWRITE', mode));
    const found = await preview('Parts');
    const none = { new: 0, changed: 0, unchanged: 0, removed: 0, refused: 0, notCompared: 0 };
    expect(found).toMatchObject({ counts: { ...none, ...counts } });
    expect((found.rows as { why?: string }[]).map((row) => row.why)).toContain(why);
    // The service itself says so too.
    await run('apply', '--yes', '--allow', 'import-rows');
    const runs = await workspace.usage();
    expect(runs.some(({ path }) => path.includes('errorContent'))).toBe(true);
  });

  test('of a BOM are its lines: changed, removed by REPLACE, kept by OVERWRITE', async () => {
    const items = `${HEAD}A,assembly,,\nB,assembly,,\n${FIRST.slice(HEAD.length)}`;
    const lines = 'Parent,Part,Qty,Refs\n';
    const made = await stage({
      'manifests/m.yaml': parts() + bom('REPLACE'),
      'a.csv': items,
      'b.csv': `${lines}A,P-1,2,"R1,R2"\nA,P-2,1,\nB,P-1,1,\nB,P-3,1,\n`,
    });
    expect((await made.run('apply', '--yes')).code).toBe(0);
    await made.project.write('b.csv', `${lines}A,P-1,3,R1-R3\nA,P-4,1,\nB,P-1,1.0,\nB,P-3,1,\n`);
    expect(await made.preview('BOM')).toMatchObject({
      counts: { new: 1, changed: 1, cells: 2, unchanged: 2, removed: 1, gone: 0 },
      rows: [
        {
          change: 'changed',
          key: ['A', 'P-1'],
          cells: [
            { column: 'Qty', before: '2', after: '3' },
            { column: 'Refs', before: 'R1,R2', after: 'R1-R3' },
          ],
        },
        { change: 'new', key: ['A', 'P-4'] },
        { change: 'removed', key: ['A', 'P-2'] },
      ],
    });
    await made.project.write('b.csv', `${lines}A,P-1,2,"R2, R1"\nA,P-2,1,\n`);
    expect(await made.preview('BOM')).toMatchObject({ counts: { changed: 0, unchanged: 2, removed: 0, gone: 2 } });
    await made.project.write('manifests/m.yaml', parts() + bom('OVERWRITE').replaceAll('Lines', 'Others'));
    await made.project.write('b.csv', `${lines}A,P-1,2,\n`);
    expect(await made.preview('BOM')).toMatchObject({ counts: { unchanged: 1, removed: 0, gone: 3 } });
  });
});

describe('send: changed', () => {
  test('sends the rows that differ, and the next plan is empty and sends nothing', async () => {
    const { run, workspace, sent } = await changed(SECOND, { send: 'changed' });
    const planned = await run('plan');
    expect(planned.out).toContain('2 of 4 rows of a.csv (`send: changed`) through ImportDefinition/Specs.');
    expect((await run('apply', '--yes')).code).toBe(0);
    const { body: definitions } = await workspace.call('GET', '/imports');
    const { body: runs } = await workspace.call('GET', `/imports/${definitions.results[0].guid}/runs`);
    const newest = runs.results.reduce((one: { number: number }, other: { number: number }) =>
      other.number > one.number ? other : one,
    );
    const { body: content } = await workspace.call(
      'GET',
      `/imports/${definitions.results[0].guid}/runs/${newest.guid}/submitContent`,
    );
    expect(content.trim().split(/\r?\n/).slice(1)).toEqual(['P-2,zwei,2.0,', 'P-5,five,5,']);
    const requests = await sent(async () => expect((await run('plan', '--detailed-exitcode')).code).toBe(0));
    expect(requests.filter((one) => !one.startsWith('GET ') && !/\/log(in|out)$/.test(one))).toEqual([]);
    // Somebody asks for it once more: there is nothing that would change.
    expect((await run('plan', '--reimport', 'Parts')).out).toContain('No changes.');
  });

  test('sends nothing while the rows are not compared, and names the ways on', async () => {
    const { run, project, sent } = await changed(SECOND);
    await project.write('manifests/m.yaml', parts({ send: 'changed', preview: 'none' }));
    const blocked = async (...args: string[]): Promise<void> => {
      const { code, out } = await run(...args);
      expect([code, out]).toEqual([
        4,
        expect.stringContaining('The rows of a.csv were not compared with the workspace'),
      ]);
      expect(out).toContain(
        '`send: changed` means, and nothing is sent. `--preview full` compares them at any cost; `send: all` sends all.',
      );
    };
    const requests = await sent(() => blocked('apply', '--yes'));
    expect(requests.filter((one) => one.startsWith('POST /imports'))).toEqual([]);
    await project.write('manifests/m.yaml', parts({ send: 'changed' }));
    await blocked('plan', '--preview', 'none');
    const applied = await run('apply', '--yes', '--preview', 'full');
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('2 committed, 0 failed')]);
  });

  test('resumes with the same rows after a kill, no matter what the workspace has by then', async () => {
    const { project, workspace, run } = await changed(SECOND, { send: 'changed' });
    let kill: () => void = () => undefined;
    await workspace.arm([{ method: 'PUT', path: '/imports/*/runs/*', do: 'reset' }], () => kill());
    const { variables } = workspace;
    const apply = ['apply', '--yes'];
    const child = project.start(apply, variables);
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const posted = async () =>
      (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path.endsWith('/runs')).length;
    const before = await posted();
    const applied = await project.run(apply, variables);
    expect(applied.code, applied.err).toBe(0);
    expect(applied.out).toContain('2 committed, 0 failed');
    expect(await posted()).toBe(before);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  });
});

describe('send: new', () => {
  const nameOf = async ({ workspace }: Stage, number: string): Promise<string | undefined> =>
    (await workspace.call('GET', `/items?number=${number}`)).body.results[0]?.name;

  test.each(['OVERWRITE', 'CREATE'])('creates what is missing, and changes no record (%s)', async (mode) => {
    const made = await changed(SECOND);
    await made.project.write('manifests/m.yaml', parts({ send: 'new' }, mode));
    expect((await made.run('plan')).out).toContain('1 of 4 rows of a.csv (`send: new`)');
    expect((await made.run('apply', '--yes')).code).toBe(0);
    expect([await nameOf(made, 'P-2'), await nameOf(made, 'P-5')]).toEqual(['two', 'five']);
    const again = await made.run('plan', '--detailed-exitcode');
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('No changes.')]);
    // A colleague adds a row later.
    await made.project.write('a.csv', `${SECOND}P-6,six,6,\n`);
    expect((await made.run('apply', '--yes')).out).toContain('1 committed, 0 failed');
    expect([await nameOf(made, 'P-2'), await nameOf(made, 'P-6')]).toEqual(['two', 'six']);
  });

  test('sends nothing in mode REPLACE, or while the rows are not compared', async () => {
    const made = await changed(SECOND);
    await made.project.write('manifests/m.yaml', parts({ send: 'new', preview: 'none' }));
    expect((await made.run('apply', '--yes')).code).toBe(4);
    const lines = `Parent,Part,Qty,Refs\nP-1,P-2,1,\n`;
    await made.project.write('b.csv', lines);
    await made.project.write(
      'manifests/m.yaml',
      parts() + bom('REPLACE').replace('"definition":"Lines"', '"definition":"Lines","send":"new"'),
    );
    const planned = await made.run('plan');
    expect([planned.code, planned.out]).toEqual([
      4,
      expect.stringContaining('(in mode REPLACE the rows of a parent are all that it is to have)'),
    ]);
    expect(await nameOf(made, 'P-2')).toBe('two');
  });
});

describe('send: changed with rows that fail', () => {
  test('names the rows of the file, at its end and on each request', async () => {
    const wrong = SECOND.replace('P-5,five,5,', 'P-5,five,5,Perhaps');
    const { run, project } = await changed(wrong, { send: 'changed', commit: 'always', when: 'always' });
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out]).toEqual([8, expect.stringContaining('a.csv:5')]);
    const [number] = /run #\d+/.exec(applied.out)?.[0].match(/\d+/) ?? [];
    const errors = await run('import', 'errors', number ?? '');
    expect(errors.out).toContain('a.csv:5');
    const failed = await project.read(`.dexsync/imports/Embedded-Workspace/Parts-${number}/failed.csv`);
    expect(failed.trim().split(/\r?\n/).slice(1)).toEqual([expect.stringContaining('P-5')]);
  });
});

describe('a saved plan', () => {
  test('names the row and the cell that somebody changed since, and sends nothing', async () => {
    const { project, run, workspace } = await changed(SECOND);
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    await project.write('other.csv', `${HEAD}P-2,deux,2,\n`);
    expect((await run('import', 'other.csv', '--definition', 'Specs')).code).toBe(0);
    const before = (await workspace.usage()).length;
    const stale = await run('apply', 'plan.json', '--yes');
    expect(stale.code).toBe(5);
    expect(stale.err).toContain('"P-2" (row 3), Name was "two" and is "deux" now');
    expect(
      (await workspace.usage()).slice(before).every(({ method, path }) => method === 'GET' || /log(in|out)/.test(path)),
    ).toBe(true);
    expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
    expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  });
});

describe('missing: delete', () => {
  const deleting = (spec: object): string =>
    parts({ missing: 'delete', deleteDefinition: 'Removal', ...spec }) +
    itemsDefinition('Removal', { Part: 'number' }, 'DELETE');

  test.each([{}, { send: 'changed' }])(
    'deletes rows that the file lost in a step of its own, also from a saved plan (%j)',
    async (spec) => {
      const { project, run, workspace } = await stage({ 'manifests/m.yaml': deleting(spec), 'a.csv': FIRST });
      expect((await run('apply', '--yes')).code).toBe(0);
      await project.write('a.csv', FIRST.replace(/P-4.*\n/, '').replace(/P-3.*\n/, ''));
      expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
      const shown = await run('show', 'plan.json');
      expect(shown.out).toContain(
        'Import/Parts (missing)  import\n      2 rows that a.csv does not have through ImportDefinition/Removal.',
      );
      expect(shown.out).toContain('- P-3: Name "three", RoHS "Exempt"\n');
      const applied = await run('apply', 'plan.json', '--yes');
      expect(applied.code, applied.out + applied.err).toBe(0);
      expect(
        (await workspace.pages('/items')).map(({ number }) => number).filter((number) => number.startsWith('P-')),
      ).toEqual(['P-1', 'P-2']);
      const again = await run('plan', '--detailed-exitcode');
      expect(again.code, again.out).toBe(0);
    },
  );

  test('deletes nothing that the file has, no matter which rows a killed import was sending', async () => {
    let kill = (): void => undefined;
    const { project, run, workspace, variables } = await stage({
      'manifests/m.yaml': deleting({ send: 'changed' }),
      'a.csv': FIRST,
    });
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('a.csv', SECOND);
    await workspace.arm([{ method: 'GET', path: '/imports/*/runs/*', do: 'reset' }], () => kill());
    const apply = ['apply', '--yes'];
    const child = project.start(apply, variables);
    kill = () => child.kill('SIGKILL');
    await finished(child);
    const resumed = await run('apply', '--yes');
    expect(resumed.code, resumed.out + resumed.err).toBe(0);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left).toEqual(['P-1', 'P-2', 'P-3', 'P-5']);
  });

  test('deletes no record that the service refused, and that somebody else created since', async () => {
    const { project, run, workspace } = await stage({
      'manifests/m.yaml': deleting({ commit: 'always' }),
      'a.csv': `${FIRST}P-6,,,\nP-7,,,\n`,
      'theirs.csv': `${HEAD}P-6,six,,\n`,
      'ours.csv': `${HEAD}P-7,seven,,\n`,
    });
    expect((await run('apply', '--yes')).code).toBe(8);
    expect((await run('import', 'theirs.csv', '--definition', 'Specs', '--yes')).code).toBe(0);
    expect((await run('import', 'retry', 'Parts', 'ours.csv', '--yes')).code).toBe(0);
    await project.write('a.csv', FIRST.replace(/P-4.*\n/, ''));
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('2 rows that a.csv')]);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left).toEqual(['P-1', 'P-2', 'P-3', 'P-6']);
  });

  test('deletes a record of the file, even if the service refused the last row of it', async () => {
    const { project, run, workspace } = await stage({
      'manifests/m.yaml': deleting({ commit: 'always' }),
      'a.csv': FIRST,
      'theirs.csv': `${HEAD}P-6,six,,\n`,
    });
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('import', 'theirs.csv', '--definition', 'Specs', '--yes')).code).toBe(0);
    await project.write('a.csv', `${FIRST.replace('four,4,', 'four,4,Unheard of')}P-6,seven,,Unheard of\n`);
    expect((await run('apply', '--yes')).code).toBe(8);
    await project.write('a.csv', FIRST.replace(/P-4.*\n/, ''));
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 row that a.csv')]);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left).toEqual(['P-1', 'P-2', 'P-3', 'P-6']);
  });

  test('deletes no record that it deleted before, and that somebody else created since', async () => {
    const { project, run } = await stage({
      'manifests/m.yaml': deleting({ send: 'changed' }),
      'a.csv': FIRST,
      'theirs.csv': `${HEAD}P-4,theirs,,\n`,
    });
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('a.csv', FIRST.replace(/P-4.*\n/, ''));
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('import', 'theirs.csv', '--definition', 'Specs', '--yes')).code).toBe(0);
    const plan = await run('plan', '--detailed-exitcode');
    expect(plan.code, plan.out).toBe(0);
  });

  test('deletes no record whose import was undone', async () => {
    const { project, run, workspace } = await stage({
      'manifests/m.yaml': deleting({ beforeImage: true }),
      'a.csv': FIRST,
      'theirs.csv': `${HEAD}P-5,theirs,,\n`,
    });
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('a.csv', `${FIRST}P-5,five,,\n`);
    expect((await run('apply', '--yes')).code).toBe(0);
    const undone = await run('import', 'undo', 'Parts', '--yes');
    expect(undone.code, undone.err).toBe(0);
    expect((await run('import', 'theirs.csv', '--definition', 'Specs', '--yes')).code).toBe(0);
    await project.write('a.csv', FIRST.replace('one', 'uno').replace(/P-4.*\n/, ''));
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 row that a.csv')]);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left).toEqual(['P-1', 'P-2', 'P-3', 'P-5']);
  });

  test('deletes a record of a retry after an undo of its import', async () => {
    const refused = `${FIRST}P-6,,,\n`;
    const { project, run, workspace } = await stage({
      'manifests/m.yaml': deleting({ commit: 'always', beforeImage: true }),
      'a.csv': refused,
      'ours.csv': `${HEAD}P-6,six,,\n`,
    });
    expect((await run('apply', '--yes')).code).toBe(8);
    await project.write('a.csv', refused.replace('one', 'uno'));
    expect((await run('apply', '--yes')).code).toBe(8);
    expect((await run('import', 'undo', 'Parts', '--yes')).code).toBe(0);
    expect((await run('import', 'retry', 'Parts', 'ours.csv', '--yes')).code).toBe(0);
    await project.write('a.csv', FIRST.replace('one', 'eins'));
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out], applied.err).toEqual([0, expect.stringContaining('1 row that a.csv')]);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left).toEqual(['P-1', 'P-2', 'P-3', 'P-4']);
  });

  test('deletes a record once, even if several files had it since the last deletion', async () => {
    const other = `---\n${manifest('Import', 'Other', { definition: 'Specs', source: { file: '../other.csv' } })}`;
    const mapped = { Part: 'number', Name: 'name', RoHS: '@RoHS Status' };
    const deletingAll = (more: string): string =>
      parts({ missing: 'delete', deleteDefinition: 'Removal' }) + itemsDefinition('Removal', mapped, 'DELETE') + more;
    const bad = 'Part,Name,RoHS\nQ-1,,\n';
    const { project, run, workspace } = await stage({ 'manifests/m.yaml': deletingAll(other), 'a.csv': FIRST });
    await project.write('other.csv', bad);
    expect((await run('apply', '--yes')).code).toBe(4);
    // What is blocked holds the deletion back.
    await project.write('a.csv', FIRST.replace(/P-4.*\n/, ''));
    expect((await run('apply', '--yes')).code).toBe(4);
    await project.write('manifests/m.yaml', deletingAll(''));
    await project.write('a.csv', FIRST.replace(/P-4.*\n/, '').replace(/P-3.*\n/, ''));
    const applied = await run('apply', '--yes');
    expect([applied.code, applied.out], applied.err).toEqual([
      0,
      expect.stringContaining('2 rows that a.csv does not have'),
    ]);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left).toEqual(['P-1', 'P-2']);
  });

  test('deletes by the numbers that a commit had, even if they are in another column now', async () => {
    const mapped = (columns: Record<string, string>): string =>
      itemsDefinition('Others') +
      itemsDefinition('Specs', columns) +
      itemsDefinition('Removal', { Number: 'number' }, 'DELETE') +
      manifest('Import', 'Parts', {
        ...{ definition: 'Specs', source: { file: '../a.csv' } },
        ...{ missing: 'delete', deleteDefinition: 'Removal' },
      });
    const { project, run, workspace } = await stage({
      'manifests/m.yaml': mapped({ Old: 'number', New: 'name' }),
      'a.csv': 'Old,New,Name\nA-1,B-1,one\nA-2,B-2,two\n',
      'theirs.csv': 'Part,Name\nB-2,theirs\n',
    });
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('import', 'theirs.csv', '--definition', 'Others', '--yes')).code).toBe(0);
    await project.write('manifests/m.yaml', mapped({ New: 'number', Name: 'name' }));
    await project.write('a.csv', 'Old,New,Name\nA-1,A-1,one\n');
    const applied = await run('apply', '--yes');
    expect(applied.code, applied.out + applied.err).toBe(0);
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => /^[AB]-/.test(one));
    expect(left.sort()).toEqual(['A-1', 'B-2']);
  });

  test.each([
    ['Lines', 'Parent,Part,Qty,Refs\nP-1,P-2,1,\n'],
    ['Removal', 'Part\nP-2\n'],
  ])('deletes no record because of an earlier commit through a definition such as %s', async (definition, sent) => {
    const job = (spec: object): string => manifest('Import', 'Parts', { source: { file: '../a.csv' }, ...spec });
    const definitions =
      itemsDefinition('Specs') +
      itemsDefinition('Removal', { Part: 'number' }, 'DELETE') +
      `${bom('OVERWRITE').split('---')[0]}---\n`;
    const { project, run, workspace } = await stage({
      'manifests/m.yaml': definitions,
      'theirs.csv': 'Part,Name\nP-1,one\nP-2,two\nP-3,three\n',
    });
    const succeed = async (...args: string[]) => {
      const { code, out, err } = await run(...args, '--yes');
      expect(code, out + err).toBe(0);
    };
    const theirs = ['import', 'theirs.csv', '--definition', 'Specs', '--force'];
    await succeed('apply');
    await succeed(...theirs);
    await project.write('a.csv', sent);
    await project.write('manifests/m.yaml', definitions + job({ definition }));
    await succeed('apply');
    await succeed(...theirs);
    const deleting = { missing: 'delete', deleteDefinition: 'Removal' };
    await project.write('a.csv', 'Part,Name\nP-3,drei\n');
    await project.write('manifests/m.yaml', definitions + job({ definition: 'Specs', ...deleting }));
    await succeed('apply');
    const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => one.startsWith('P-'));
    expect(left.sort()).toEqual(['P-1', 'P-2', 'P-3']);
  });

  test('needs a definition that deletes records of the same resource', async () => {
    const { run } = await stage({ 'manifests/m.yaml': parts({ missing: 'delete' }), 'a.csv': FIRST });
    const { code, out } = await run('plan');
    expect([code, out]).toEqual([3, expect.stringContaining('needs `deleteDefinition`')]);
  });
});
