import { expect, test } from 'vitest';
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

test('a plan that is made again and does the same is applied, and never twice', async () => {
  const { project, run } = await reviewed();
  // Other files and other lines make no difference.
  await project.write('manifests/a.yaml', `# moved\n\n${group('A', 'one')}`);
  await project.write('manifests/b.yaml', '# nothing yet\n');
  const { code, out } = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([code, out]).toEqual([0, expect.stringContaining('Result: 1 done.')]);
  const again = await run('apply', '--as-reviewed', 'plan.json', '--yes');
  expect([again.code, again.err]).toEqual([
    5,
    expect.stringContaining('UserGroup/A was in the reviewed plan (create), and is not in the plan now.'),
  ]);
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

test('of a plan in the ledger the reviews count, and it leaves the ledger', async () => {
  const { run } = await reviewed();
  expect((await run('plan', '--out', 'ledger:r1')).code).toBe(0);
  const few = await run('apply', '--as-reviewed', 'ledger:r1', '--approvals', '1', '--yes');
  expect([few.code, few.err]).toEqual([5, expect.stringContaining('has 0 of 1 approvals')]);
  expect((await run('apply', '--as-reviewed', 'ledger:r1', '--yes')).code).toBe(0);
  expect((await run('plan', 'list', '--json')).out).not.toContain('r1');
});

test('--approvals needs a saved plan', async () => {
  const { run } = await reviewed();
  const { code, err } = await run('apply', '--approvals', '1', '--yes');
  expect([code, err]).toEqual([3, expect.stringContaining('no saved plan was given')]);
});
