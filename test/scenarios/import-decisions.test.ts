import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { finished, type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { unchained } from '../harness/unchained.js';

const specs = itemsDefinition('Specs', { Part: 'number', Name: 'name', RoHS: '@RoHS Status' });
const job = (spec: object = {}): string =>
  manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'a.csv' }, ...spec });

const quick = (): Promise<TestProject> =>
  testProject({ 'manifests/all.yaml': specs + job(), 'manifests/a.csv': 'Part,Name,RoHS\nX-1,x,\n' });

/** The journal of the last apply. */
async function journalOf(project: TestProject): Promise<string> {
  const [folder = ''] = await readdir(join(project.folder, '.dexsync/ledger'));
  const journals = await readdir(join(project.folder, '.dexsync/ledger', folder));
  return `.dexsync/ledger/${folder}/${journals.sort().at(-1)}`;
}

/** Kills an apply that has posted its run, or is about to commit it. Gives the variables for going on at the same address. */
async function leftOpen(
  workspace: TestWorkspace,
  project: TestProject,
  phase: 'posted' | 'committing',
): Promise<Record<string, string>> {
  let kill: () => void = () => undefined;
  const method = phase === 'posted' ? 'GET' : 'PUT';
  await workspace.arm([{ method, path: '/imports/*/runs/*', do: 'reset' }], () => kill());
  const { variables } = workspace;
  const child = project.start(['apply', '--yes'], variables);
  kill = () => child.kill('SIGKILL');
  await finished(child);
  expect(await project.read(await journalOf(project))).toContain(`"job":{"state":"${phase}"`);
  return variables;
}

const runsPosted = async (workspace: TestWorkspace): Promise<number> =>
  (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path.endsWith('/runs')).length;

test('a run that was left open is found under its own definition, also after a rename', async () => {
  const workspace = await testWorkspace();
  const project = await quick();
  const variables = await leftOpen(workspace, project, 'posted');
  const { body } = await workspace.call('GET', '/imports');
  await workspace.call('PUT', `/imports/${body.results[0].guid}`, { name: 'Specs of before' });
  const { code, out } = await project.run(['apply', '--yes'], variables);
  expect(out).toContain('Someone renamed it to "Specs of before"');
  expect([code, await runsPosted(workspace)]).toEqual([0, 1]);
  expect((await project.run(['plan', '--detailed-exitcode'], variables)).code).toBe(0);
});

const GONE = 'GONE5678901234567890';

test('a run that was only posted and is gone is posted again', async () => {
  const workspace = await testWorkspace();
  const project = await quick();
  const variables = await leftOpen(workspace, project, 'posted');
  const journal = await journalOf(project);
  const text = unchained(await project.read(journal));
  await project.write(journal, text.replace(/"run":"\w+"/, `"run":"${GONE}"`));
  const { code, out } = await project.run(['apply', '--yes'], variables);
  expect([code, out]).toEqual([0, expect.stringContaining('1 committed')]);
  expect(await runsPosted(workspace)).toBe(2);
  expect(await project.read(await journalOf(project))).not.toContain(GONE);
});

test('a run that disappeared during its commit is manual, for anyone who can force it', async () => {
  const workspace = await testWorkspace();
  const project = await quick();
  const variables = await leftOpen(workspace, project, 'committing');
  const journal = await journalOf(project);
  const text = unchained(await project.read(journal));
  await project.write(journal, text.replaceAll(/"run":"\w+"/g, `"run":"${GONE}"`));
  const { code, out } = await project.run(['apply', '--yes'], variables);
  expect([code, out]).toEqual([
    4,
    expect.stringContaining(
      'is no longer in the workspace. It was being committed, so its rows may or may not be applied.',
    ),
  ]);
  const plan = await project.run(['plan'], variables);
  expect(plan.out).toMatch(
    /✗ Import\/Parts {2}blocked\n +Run #\d+ of manifests\/a\.csv was being committed and is no longer in/,
  );
  expect(await runsPosted(workspace)).toBe(1);
  const forced = await project.run(['import', 'manifests/a.csv', '--definition', 'Specs', '--force'], variables);
  expect([forced.code, forced.out]).toEqual([0, expect.stringContaining('1 committed')]);
  expect((await project.run(['plan', '--detailed-exitcode'], variables)).code).toBe(0);
});

test('a rejected import is tried again once its commit rule has changed, and only then', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': specs + job({ commit: { maxErrors: 0 } }),
    'manifests/a.csv': 'Part,Name,RoHS\nX-1,x,\nX-2,,\n',
  });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(8);
  const blocked = await project.run(['apply', '--yes'], workspace.variables);
  expect([blocked.code, blocked.out]).toEqual([
    4,
    expect.stringContaining('It is tried again when the file, the definition or the commit rule changes'),
  ]);
  expect(await runsPosted(workspace)).toBe(1);
  await project.write('manifests/all.yaml', specs + job({ commit: { maxErrors: 1 } }));
  const { out } = await project.run(['apply', '--yes'], workspace.variables);
  expect(out).toContain('Rows: 1 committed, 1 failed.');
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
});

test('an `after` against the order of the rows is a finding before any plan, with the cycle', async () => {
  const workspace = await testWorkspace();
  const bom = manifest('ImportDefinition', 'Lines', {
    resource: 'ITEM_BOM',
    mode: 'OVERWRITE',
    options: {
      mapping: [
        { resource: 'ITEM_BOM', apiName: 'number', sourceName: 'Parent' },
        { resource: 'ITEM_BOM', apiName: 'item.number', sourceName: 'Part' },
      ],
    },
  });
  const lines = manifest('Import', 'Bom', { definition: 'Lines', source: { file: 'b.csv' } });
  const project = await testProject({
    'manifests/all.yaml': specs + bom + lines + job({ after: ['Bom'] }),
    'manifests/a.csv': 'Part,Name,RoHS\nX-1,x,\n',
    'manifests/b.csv': 'Parent,Part\nX-1,X-2\n',
  });
  for (const args of [['plan'], ['apply', '--yes']]) {
    const { code, out } = await project.run(args, workspace.variables);
    expect([code, out]).toEqual([
      3,
      expect.stringMatching(
        /manifests\/all\.yaml:\d+:\d+ {2}error {2}import-cycle\n {2}These imports depend on each other: Import\/Bom -> Import\/Parts -> Import\/Bom\. Import\/Bom comes after Import\/Parts automatically/,
      ),
    ]);
  }
  expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('findings of a file are reported each time until its rows are committed', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': specs + job({ commit: 'never' }),
    'manifests/a.csv': 'Part,Name,RoHS,Note,Note\nX-1,x,,,\n',
  });
  const told = async (args: readonly string[]): Promise<boolean> => {
    const { code, out } = await project.run(args, workspace.variables);
    expect(code).toBe(0);
    return out.includes('warning  column-repeated');
  };
  expect(await told(['apply', '--yes'])).toBe(true);
  expect(await told(['apply', '--yes'])).toBe(true);
  await told(['import', 'commit', 'Parts', '--yes']);
  expect(await told(['apply', '--yes'])).toBe(false);
});

test('plan --explain gives the reason for an import, before and after it', async () => {
  const workspace = await testWorkspace();
  const project = await quick();
  const explained = async (...args: string[]) => {
    const { code, out, err } = await project.run(['plan', '--explain', 'Import/Parts', ...args], workspace.variables);
    expect([code, err]).toEqual([0, '']);
    return out;
  };
  const before = JSON.parse(await explained('--json'));
  expect(before).toMatchObject({
    address: 'Import/Parts',
    action: 'import',
    reason: '1 row of manifests/a.csv through ImportDefinition/Specs.',
    file: 'manifests/a.csv',
    rows: 1,
    definition: 'ImportDefinition/Specs',
    mode: 'OVERWRITE',
    commit: 'clean',
    when: 'changed',
    findings: { errors: 0, accepted: 'yes' },
    recorded: null,
  });
  expect(await explained()).toContain(
    `  source        manifests/a.csv (1 row, 0 errors)\n  definition    ImportDefinition/Specs (OVERWRITE)\n  commit        clean\n  key           ${before.key}\n  earlier runs  none under this key\n`,
  );
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  expect(await explained()).toMatch(
    /^Import\/Parts: unchanged\n {2}These rows were committed before under this key\.\n {2}manifests\/all\.yaml:\d+\n\n(?: .*\n)+ {2}earlier runs {2}committed by run #\d+ on \d{4}-\d\d-\d\d \(1 row, 0 failed, 1 committed\), from the ledger\n$/,
  );
  const { recorded } = JSON.parse(await explained('--json'));
  expect(recorded).toMatchObject({ state: 'committed', from: 'ledger', rows: 1, failed: 0, committed: 1 });
  expect(Object.keys(recorded)).not.toContain('run');
});

test('a definition waits for its import: attempts at a mapping leave none behind in the workspace', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': itemsDefinition('Specs', { Part: 'number', Naming: 'name' }) + job(),
    'manifests/a.csv': 'Part,Name\nX-1,x\n',
  });
  const definitions = async (): Promise<string[]> => {
    const { body } = await workspace.call('GET', '/imports');
    return (body as { results: { name: string }[] }).results.map(({ name }) => name);
  };
  const before = await definitions();
  const planned = await project.run(['plan'], workspace.variables);
  expect([planned.code, planned.out]).toEqual([
    4,
    expect.stringContaining('Only Import/Parts uses it, and is blocked. It is created together with it'),
  ]);
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(4);
  expect(await definitions()).toEqual(before);

  await project.write('manifests/all.yaml', itemsDefinition('Specs', { Part: 'number', Name: 'name' }) + job());
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  // The definition that works stays, no matter what is tried next.
  await project.write('manifests/all.yaml', itemsDefinition('Specs', { Part: 'number', Title: 'name' }) + job());
  const tried = await project.run(['apply', '--yes'], workspace.variables);
  expect([tried.code, tried.out]).toEqual([4, expect.stringContaining('It is replaced together with it')]);
  expect(await definitions()).toEqual([...before, 'Specs']);
});
