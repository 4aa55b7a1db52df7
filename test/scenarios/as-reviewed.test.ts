import { expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, description: string): string =>
  `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: ${name} }\nspec: { description: ${description} }\n`;

async function reviewed() {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/a.yaml': group('A', 'one') });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
  return { workspace, project, run };
}

test('a plan that would do the same again is applied, and never twice', async () => {
  const { workspace, project, run } = await reviewed();
  // Other files and other lines make no difference.
  await project.write('manifests/a.yaml', `# moved\n\n${group('A', 'one')}`);
  await project.write('manifests/b.yaml', '# nothing yet\n');
  const { code, out } = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('Result: 1 done.')]);
  const before = (await workspace.usage()).length;
  const again = await run('apply', '--as-reviewed', 'plan.json', '--yes', '--output', 'md=apply.md');
  const told = expect.stringMatching(
    /^plan\.json was already applied on \S+ \S+ UTC by admin@example\.com\. Nothing was sent\.\n/,
  );
  expect([again.code, again.out]).toEqual([0, told]);
  expect(await project.read('apply.md')).toContain('dexsync apply: already applied');
  expect((await workspace.usage()).slice(before)).toEqual([]);
});

test('a failed step remains of a reviewed plan; a step that somebody else applied counts as applied', async () => {
  const { workspace, project, run } = await reviewed();
  await project.write('manifests/b.yaml', group('B', 'two'));
  expect((await run('plan', '--out', 'plan.json')).code).toBe(0);
  await project.write('manifests/c.yaml', group('C', 'three'));
  expect((await run('apply', '--only', 'UserGroup/A', '--yes')).code).toBe(0);
  const other = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([other.code, other.err]).toEqual([
    5,
    expect.stringContaining('UserGroup/C is in the plan now (create), and was'),
  ]);
  await project.write('manifests/c.yaml', '# nothing\n');
  const rest = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([rest.code, rest.out]).toEqual([0, expect.stringContaining('Result: 1 done.')]);
  // What was changed since is another matter: the job that is run again does not put it back.
  await project.write('manifests/b.yaml', group('B', 'changed'));
  expect((await run('apply', '--yes')).code).toBe(0);
  await project.write('manifests/b.yaml', group('B', 'two'));
  const again = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('was already applied')]);
  expect((await workspace.call('GET', '/settings/usergroups?name=B')).body.results[0].description).toBe('changed');
});

test.each<[what: string, file: string, text: string, message: string]>([
  [
    'a manifest more',
    'manifests/b.yaml',
    group('B', 'two'),
    'UserGroup/B is in the plan now (create), and was not when',
  ],
  ['another value', 'manifests/a.yaml', group('A', 'other'), 'UserGroup/A would be changed in another way than'],
])('%s is refused, and nothing is written', async (_, file, text, message) => {
  const { project, run, workspace } = await reviewed();
  await project.write(file, text);
  const { code, err } = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([code, err]).toEqual([5, expect.stringContaining(message)]);
  expect(err).toContain('Run `dexsync plan --out plan.json` again and review it.');
  const { body } = await workspace.call('GET', '/settings/usergroups?name=A');
  expect(body.results).toEqual([]);
});

test('reviews of a plan in the ledger count; applied, it leaves the ledger and is known as applied', async () => {
  const { run } = await reviewed();
  expect((await run('plan', '--out', 'ledger:r1')).code).toBe(0);
  const few = await run('apply', '--as-reviewed', 'ledger:r1', '--approvals', '1', '--yes');
  expect([few.code, few.err]).toEqual([5, expect.stringContaining('has 0 of 1 approvals')]);
  expect((await run('apply', '--as-reviewed', 'ledger:r1', '--yes')).code).toBe(0);
  expect((await run('plan', 'list', '--json')).out).not.toContain('r1');
  const again = await run('apply', '--as-reviewed', 'ledger:r1', '--yes', '--json');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('"is":"applied before"')]);
  const exact = await run('apply', 'ledger:r1', '--yes');
  expect([exact.code, exact.err]).toEqual([
    5,
    expect.stringMatching(/^Error: ledger:r1 was applied to environment .+ by admin@/),
  ]);
  const unknown = await run('apply', 'ledger:r2', '--yes');
  expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('has no saved plan "r2"')]);
});

test('the basis of comparison for validated rows does not count where they are not compared again', async () => {
  const { project, run } = await reviewed();
  await project.write('manifests/d.yaml', itemsDefinition('D', { Part: 'number' }, 'EDIT'));
  expect((await run('apply', '--yes')).code).toBe(0);
  await project.write('data/a.csv', 'Part\nDX-0001\n');
  await project.write(
    'manifests/i.yaml',
    manifest('Import', 'I', { source: { file: '../data/a.csv' }, definition: 'D' }),
  );
  for (const options of [[], ['--validate-imports']]) {
    expect((await run('plan', ...options, '--out', 'plan.json')).code).toBe(0);
  }
  const { code, out } = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('Import/I  done')]);
});

test('--approvals needs a saved plan', async () => {
  const { run } = await reviewed();
  const { code, err } = await run('apply', '--approvals', '1', '--yes');
  expect([code, err]).toEqual([3, expect.stringContaining('no saved plan was given')]);
});

test('a promotion is planned again, and applied if it still changes the same', async () => {
  const { run, dev, prod } = await pairProject({ files: { 'manifests/a.yaml': group('A', 'one') } });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const promote = ['promote', '--from', 'dev', '--to', 'prod'];
  expect((await run(...promote, '--only', 'UserGroup/A', '--out', 'plan.json')).code).toBe(0);
  const reviewed = ['apply', '--as-reviewed', 'plan.json', '--env', 'prod', '--yes'];
  const { body } = await dev.call('GET', '/settings/usergroups?name=A');
  const put = (description: string) =>
    dev.call('PUT', `/settings/usergroups/${body.results[0].guid}`, { name: 'A', description });
  await put('another');
  const refused = await run(...reviewed);
  expect([refused.code, refused.err]).toEqual([
    5,
    expect.stringMatching(
      /UserGroup\/A would be changed in another way.+\nRun `dexsync promote --from dev --to prod --out plan\.json`/,
    ),
  ]);
  await put('one');
  const { code, out, err } = await run(...reviewed);
  expect([code, err, out]).toEqual([0, '', expect.stringContaining('Result: 1 done.')]);
  expect((await prod.call('GET', '/settings/usergroups?name=A')).body.results[0].description).toBe('one');
  const again = await run(...reviewed);
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('was already applied')]);
});

/** Plans of changes from two branches, both saved before either was merged. */
async function sideBySide(out: (name: string) => string) {
  const workspace = await testWorkspace();
  const project = await testProject();
  const as =
    (name: string) =>
    (...args: string[]) =>
      project.run(args, { ...workspace.variables, GITHUB_ACTIONS: 'true', GITHUB_ACTOR: name, DEXSYNC_ENV: 'remote' });
  const ann = as('ann');
  const write = (name: string) => project.write(`manifests/${name}.yaml`, group(name, 'x'));
  for (const name of ['A', 'B', 'C']) {
    await write(name);
    expect(await ann('plan', '--out', out(name))).toMatchObject({ code: 0 });
    await project.write(`manifests/${name}.yaml`, '# not merged\n');
  }
  const asReviewed = async (options: readonly string[], ...plans: string[]) => {
    const named = plans.flatMap((plan) => ['--as-reviewed', plan]);
    const { code, out: told, err } = await ann('apply', ...named, ...options, '--yes');
    return [code, `${told}${err}`] as const;
  };
  return { bob: as('bob'), write, asReviewed };
}

test('plans in files are applied in their order; without the first one its steps are named', async () => {
  const { write, asReviewed } = await sideBySide((name) => `${name}.json`);
  await Promise.all(['A', 'B'].map(write));
  expect(await asReviewed([], 'B.json')).toEqual([
    5,
    expect.stringContaining(
      'The plan is stale: UserGroup/A is in the plan now (create), and was not when it was reviewed.',
    ),
  ]);
  expect(await asReviewed([], 'C.json', 'A.json', 'B.json')).toEqual([
    0,
    expect.stringMatching(/^A\.json is applied first: .+[^\0]+UserGroup\/A {2}created[^\0]+UserGroup\/B {2}created/),
  ]);
});

test('a waiting plan of the ledger that is not merged, is rejected or lacks approvals is not applied along', async () => {
  const { bob, write, asReviewed } = await sideBySide((name) => `ledger:${name}`);
  await write('A');
  expect(await asReviewed([], 'ledger:A')).toEqual([0, expect.not.stringContaining('is applied first')]);
  await Promise.all(['B', 'C'].map(write));
  expect((await bob('plan', 'review', 'ledger:B', '--reject')).code).toBe(0);
  const refused = [5, expect.stringContaining('UserGroup/B is in the plan now (create)')];
  expect(await asReviewed([], 'ledger:C')).toEqual(refused);
  expect((await bob('plan', 'review', 'ledger:C', '--approve')).code).toBe(0);
  expect((await bob('plan', 'review', 'ledger:B', '--approve')).code).toBe(0);
  expect(await asReviewed(['--approvals', '2'], 'ledger:C')).toEqual([
    5,
    expect.stringContaining('has 1 of 2 approvals'),
  ]);
  expect(await asReviewed(['--approvals', '1'], 'ledger:C')).toEqual([
    0,
    expect.stringMatching(/^ledger:B is applied first[^\0]+UserGroup\/C {2}created/),
  ]);
});
