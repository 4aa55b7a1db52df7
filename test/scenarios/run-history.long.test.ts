import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { loseLedger } from '../harness/team-ledger.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const job = (more: object = {}): string =>
  manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../a.csv' }, ...more });
const ROWS = 'Part,Name\nH-1,one\nH-2,two\nH-3,three\n';

interface Stage {
  readonly workspace: TestWorkspace;
  readonly project: TestProject;
  run(args: readonly string[], project?: TestProject): ReturnType<TestProject['run']>;
  /** Method and path of what was sent from here on, but reads of runs by their list. */
  since(): Promise<() => Promise<string[]>>;
}

async function stage(more: object = {}, rows = ROWS): Promise<Stage> {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/d.yaml': itemsDefinition('Specs'),
    'manifests/i.yaml': job(more),
    'a.csv': rows,
  });
  const since = async () => {
    const before = (await workspace.usage()).length;
    return async () =>
      (await workspace.usage())
        .slice(before)
        .filter(({ path }) => path !== '/login')
        .map(({ method, path }) => `${method} ${path.replaceAll(/[A-Z0-9]{20}/g, '*').replace(/\?.*/, '')}`);
  };
  return { workspace, project, since, run: (args, where = project) => where.run(args, workspace.variables) };
}

const posts = (sent: readonly string[]): string[] => sent.filter((one) => one.startsWith('POST /imports/*/runs'));

describe('a ledger that was lost', () => {
  test.each([
    ['one run', {}],
    ['several runs', { rowsPerRun: 1 }],
    ['the file as it is', { upload: 'original' }],
  ])('does not send rows again that the workspace has: %s', async (_, more) => {
    const { project, run, since } = await stage(more);
    expect((await run(['apply', '--yes'])).code).toBe(0);
    await loseLedger(project);
    const sent = await since();
    const planned = await run(['plan']);
    expect(planned.out).toMatch(
      /= Import\/Parts {2}adopt\n {6}3 rows of a\.csv were committed by runs? #\d( to #\d)? on \d{4}-\d\d-\d\d, which is not in the ledger yet\. The ledger records it; nothing is sent\./,
    );
    const applied = await run(['apply', '--yes', '--adopt']);
    expect(applied.code, applied.out).toBe(0);
    expect((await sent()).filter((one) => !one.startsWith('GET '))).toEqual([]);
    expect((await run(['plan', '--detailed-exitcode'])).code).toBe(0);
    const listed = await run(['import', 'list']);
    expect(listed.out).toContain('committed');
  });

  test('lets import FILE say so too, and --force sends them all the same', async () => {
    const { project, run, since } = await stage();
    await run(['apply', '--yes']);
    await loseLedger(project);
    const sent = await since();
    const again = await run(['import', 'a.csv', '--definition', 'Specs']);
    expect([again.code, again.out]).toEqual([
      0,
      expect.stringMatching(/committed by run #1 on [\d-]+\. `--force` sends its rows again/),
    ]);
    expect(posts(await sent())).toEqual([]);
    expect((await run(['import', 'a.csv', '--definition', 'Specs', '--force'])).code).toBe(0);
    expect(posts(await sent())).toHaveLength(1);
  });

  test('lets other rows of the same number be imported, and the ledger is not compared', async () => {
    const { project, run, since } = await stage();
    await run(['apply', '--yes']);
    await project.write('a.csv', ROWS.replace('three', 'four'));
    const known = await since();
    expect((await run(['plan', '--preview', 'none'])).out).toContain('⇪ Import/Parts  import');
    expect((await known()).filter((one) => one.includes('submitContent'))).toEqual([]);
    await loseLedger(project);
    const unknown = await since();
    expect((await run(['plan'])).out).toContain('⇪ Import/Parts  import');
    expect((await unknown()).filter((one) => one.includes('submitContent'))).toHaveLength(1);
  });

  test('sends nothing where the rows of a run were deleted, until --reimport', async () => {
    const { workspace, project, since } = await stage();
    const url = await alteringProxy(workspace.url, ({ path }, { body, ...answer }) => {
      if (!/^\/imports\/\w+\/runs$/.test(path) || !body.toString().includes('"results"')) return undefined;
      return { ...answer, body: Buffer.from(body.toString().replaceAll('"COMPLETE"', '"PURGED"')) };
    });
    const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
    expect((await run('apply', '--yes')).code).toBe(0);
    await loseLedger(project);
    const sent = await since();
    const { code, out } = await run('apply', '--yes', '--adopt');
    expect([code, out]).toEqual([
      4,
      expect.stringMatching(
        /✗ Import\/Parts {2}blocked\n {6}The ledger has no record of a\.csv\. Run #1 of [\d-]+ committed the same number of rows through ImportDefinition\/Specs, and its source can no longer be read\. `--reimport Import\/Parts` sends them\./,
      ),
    ]);
    expect(posts(await sent())).toEqual([]);
    expect((await run('apply', '--yes', '--reimport', 'Import/Parts')).code).toBe(0);
    expect(posts(await sent())).toHaveLength(1);
  });

  test('may also be an empty or a cut journal', async () => {
    const { project, run, since } = await stage();
    await run(['apply', '--yes']);
    const ledger = join(project.folder, '.dexsync/ledger');
    const journals = await readdir(ledger, { recursive: true });
    const journal = join('.dexsync/ledger', String(journals.find((name) => name.endsWith('.jsonl'))));
    const sent = await since();
    const text = await project.read(journal);
    await loseLedger(project, journal);
    await project.write(journal, `${text.split('\n')[0]}\n`);
    expect((await run(['apply', '--yes', '--adopt'])).code).toBe(0);
    expect(posts(await sent())).toEqual([]);
  });
});

describe('a saved plan with an import, in another clone', () => {
  async function other(on: Stage, ...files: string[]): Promise<TestProject> {
    const clone = await testProject();
    for (const file of files) await cp(join(on.project.folder, file), join(clone.folder, file));
    return clone;
  }

  test('needs only the plan and the source', async () => {
    const on = await stage();
    await on.run(['apply', '--yes', '--only', 'ImportDefinition']);
    expect((await on.run(['plan', '--out', 'plan.json'])).code).toBe(0);
    const clone = await other(on, 'plan.json', 'a.csv');
    const applied = await on.run(['apply', 'plan.json', '--yes'], clone);
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('Rows: 3 committed, 0 failed.')]);
  });

  test.each([{}, { rowsPerRun: 1 }])('commits exactly the reviewed runs: %o', async (more) => {
    const on = await stage(more);
    await on.run(['apply', '--yes', '--only', 'ImportDefinition']);
    expect((await on.run(['plan', '--validate-imports', '--out', 'plan.json'])).code).toBe(0);
    const clone = await other(on, 'plan.json', 'a.csv');
    const sent = await on.since();
    const applied = await on.run(['apply', 'plan.json', '--yes'], clone);
    expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('Rows: 3 committed, 0 failed.')]);
    expect(posts(await sent())).toEqual([]);
    const here = await on.run(['apply', 'plan.json', '--yes']);
    expect(here.code).not.toBe(1);
    expect(posts(await sent())).toEqual([]);
    expect((await on.run(['plan', '--detailed-exitcode'])).code).toBe(0);
  });

  test('says what happened where those runs are gone or were committed', async () => {
    const on = await stage();
    let isGone = false;
    const url = await alteringProxy(on.workspace.url, ({ path }, { body: _, ...answer }) =>
      isGone && /\/runs$/.test(path) ? { ...answer, body: Buffer.from('{"count":0,"results":[]}') } : undefined,
    );
    const run = (project: TestProject, ...args: string[]) =>
      project.run(args, { ...on.workspace.variables, TEST_URL: url });
    await run(on.project, 'apply', '--yes', '--only', 'ImportDefinition');
    await run(on.project, 'plan', '--validate-imports', '--out', 'plan.json');
    const [first, second] = [await other(on, 'plan.json', 'a.csv'), await other(on, 'plan.json', 'a.csv')];
    isGone = true;
    const gone = await run(first, 'apply', 'plan.json', '--yes');
    expect([gone.code, gone.err]).toEqual([
      5,
      expect.stringContaining('Import/Parts was validated by run #1, which is no longer in the workspace.'),
    ]);
    isGone = false;
    expect((await run(first, 'apply', 'plan.json', '--yes')).code).toBe(0);
    const taken = await run(second, 'apply', 'plan.json', '--yes');
    expect([taken.code, taken.err]).toEqual([
      5,
      expect.stringContaining('Import/Parts was committed by another apply after this plan was created.'),
    ]);
  });
});
