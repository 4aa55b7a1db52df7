import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { group, groups } from './lease-project.js';

const PLAN = 'ledger:p';
const by = (name: string) => ({ GITHUB_ACTIONS: 'true', GITHUB_ACTOR: name, DEXSYNC_ENV: 'remote' });

/** A plan of ann that creates a group, saved in a ledger of files. */
async function savedPlan() {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': groups(1) });
  const as = (name: string) => {
    const variables = { ...workspace.variables, ...by(name) };
    return async (...args: string[]) => {
      const { code, out, err } = await project.run(args, variables);
      return { code, out, err, text: `${out}${err}`.replaceAll(/\d{4}-\d\d-\d\d (at )?[\d:]+/g, 'TIME') };
    };
  };
  const ann = as('ann');
  expect((await ann('plan', '--out', PLAN, '--reason', 'release 12')).text).toContain(
    'Saved to ledger:p. Apply it with: dexsync apply ledger:p\n',
  );
  return { workspace, project, as, ann };
}

test('a saved plan is listed and shown with its reviews, checked, and never replaced', async () => {
  const { as, ann } = await savedPlan();
  await as('bob')('plan', 'review', PLAN, '--reject', '--reason', 'not today');
  await as('eve')('plan', 'review', PLAN, '--approve');
  expect((await ann('plan', 'list')).text).toMatchInlineSnapshot(`
    "NAME  SAVED (UTC)          BY                       CHANGES      REVIEWS                                                                   REASON
    p     TIME  admin@example.com (ann)  1 to create  rejected by admin@example.com (bob); approved by admin@example.com (eve)  release 12
    "
  `);
  const listed = JSON.parse((await ann('plan', 'list', '--json')).out);
  expect(listed).toMatchObject({
    environment: 'remote',
    plans: [{ name: 'p', summary: { create: 1 }, reviews: [{ verdict: 'rejected', reason: 'not today' }, {}] }],
  });
  expect((await ann('show', PLAN)).text).toContain(
    '  saved      by admin@example.com (ann), TIME UTC: release 12\n' +
      '  reviews    rejected by admin@example.com (bob), TIME UTC: not today\n' +
      '             approved by admin@example.com (eve), TIME UTC\n',
  );
  expect((await ann('plan', 'check', PLAN)).code).toBe(0);
  expect((await ann('plan', '--out', PLAN)).text).toMatchInlineSnapshot(`
    "Error: The ledger already has a saved plan "p", which is not replaced.
    Choose another name, or remove that plan with \`dexsync plan remove ledger:p\`.
    [USAGE, exit 3]
    "
  `);
});

test('approvals are counted without the author, each reviewer once, by the last word', async () => {
  const { workspace, as, ann } = await savedPlan();
  for (const name of ['ann', 'bob', 'bob', 'eve']) await as(name)('plan', 'review', PLAN, '--approve');
  await as('eve')('plan', 'review', PLAN, '--reject');
  await as('eve')('plan', 'review', PLAN, '--approve');
  const before = (await workspace.usage()).length;
  expect((await ann('apply', PLAN, '--yes', '--approvals', '3')).text).toMatchInlineSnapshot(`
    "Error: ledger:p has 2 of 3 approvals (admin@example.com (bob), admin@example.com (eve)). An approval by admin@example.com (ann), who saved the plan, does not count.
    Others can review it with \`dexsync show ledger:p\` and approve it with \`dexsync plan review ledger:p --approve\`.
    [PLAN_UNAPPROVED, exit 5]
    "
  `);
  expect((await workspace.usage()).length).toBe(before);
  expect((await ann('apply', PLAN, '--yes', '--approvals', '2')).code).toBe(0);
  const shown = JSON.parse((await ann('history', 'show', '1', '--json')).out);
  expect(shown.apply.savedPlan).toMatchObject({ name: 'p', by: 'admin@example.com (ann)', reason: 'release 12' });
  expect(shown.apply.savedPlan.reviews).toHaveLength(6);
  expect((await ann('plan', 'list')).text).toBe('Environment remote has no saved plans in the ledger.\n');
  const again = await ann('apply', PLAN, '--yes');
  expect([again.code, again.text]).toEqual([5, expect.stringContaining('ledger:p was applied to environment')]);
});

test('a plan that was altered in the ledger cannot be applied, and one that cannot be read hides no other', async () => {
  const { project, as, ann } = await savedPlan();
  await as('bob')('plan', 'review', PLAN, '--approve');
  expect((await ann('plan', '--out', 'ledger:q')).code).toBe(0);
  const root = join(project.folder, '.dexsync/ledger/plans/test/remote');
  const text = await readFile(join(root, 'p/plan.json'), 'utf8');
  await writeFile(join(root, 'p/plan.json'), text.replace('"description": "x"', '"description": "y"'));
  await writeFile(join(root, 'q/plan.json'), '{}');
  expect((await ann('apply', PLAN, '--yes')).text).toContain('[PLAN_ALTERED, exit 5]');
  expect((await ann('apply', 'ledger:q', '--yes')).text).toMatchInlineSnapshot(`
    "Error: The saved plan "q" of the ledger, or a review of it, cannot be read.
    Remove it with \`dexsync plan remove ledger:q\`, then save the plan again.
    [LEDGER_DAMAGED, exit 1]
    "
  `);
  expect((await ann('plan', 'list')).text).toMatchInlineSnapshot(`
    "✗ p  ledger:p was changed after it was saved: its digest does not match its content.
    ✗ q  The saved plan "q" of the ledger, or a review of it, cannot be read.
    "
  `);
  expect((await ann('plan', 'remove', 'ledger:q')).text).toBe('Removed ledger:q and its reviews from the ledger.\n');
  expect(await readdir(root)).toEqual(['p']);
});

test('an ambiguous command is refused with the right one', async () => {
  const { ann } = await savedPlan();
  const texts: string[] = [];
  for (const line of [
    'plan --out ledger:../x',
    'plan review ledger:p',
    'plan review plan.json --approve',
    'plan review ledger:nothing --approve',
    'apply --approvals 1 --yes',
    'apply sync.config.yaml --approvals 1 --yes',
    'plan remove ledger:nothing',
  ])
    texts.push(`$ ${line}\n${(await ann(...line.split(' '))).text}`);
  expect(texts.join('')).toMatchInlineSnapshot(`
    "$ plan --out ledger:../x
    Error: "../x" cannot be the name of a plan in the ledger.
    Use at most 100 letters, digits, ".", "_" and "-", and begin with a letter or digit: \`ledger:release-12\`.
    [USAGE, exit 3]
    $ plan review ledger:p
    Error: \`dexsync plan review\` needs a verdict.
    Add \`--approve\` or \`--reject\`.
    [USAGE, exit 3]
    $ plan review plan.json --approve
    Error: "plan.json" is not a plan in the ledger.
    Write \`ledger:NAME\`; \`dexsync plan list\` lists the names. A plan file has no reviews.
    [USAGE, exit 3]
    $ plan review ledger:nothing --approve
    Error: The ledger has no saved plan "nothing" for this stack and environment.
    \`dexsync plan list\` lists the saved plans. Plans that were applied are in \`dexsync history\`.
    [UNKNOWN_NAME, exit 3]
    $ apply --approvals 1 --yes
    Error: \`--approvals\` counts the reviews of a saved plan, and no saved plan was given.
    Give the plan as \`ledger:NAME\`; \`dexsync plan list\` lists the names.
    [USAGE, exit 3]
    $ apply sync.config.yaml --approvals 1 --yes
    Error: sync.config.yaml is not a saved plan: it is not JSON.
    \`dexsync plan --out FILE\` saves a plan. Give manifests with \`-f\`.
    [PLAN_INVALID, exit 3]
    $ plan remove ledger:nothing
    Error: The ledger has no saved plan "nothing" for this stack and environment.
    \`dexsync plan list\` lists the saved plans. Plans that were applied are in \`dexsync history\`.
    [UNKNOWN_NAME, exit 3]
    "
  `);
  expect((await ann('plan', '--out', 'plan.json')).code).toBe(0);
  expect((await ann('apply', 'plan.json', '--approvals', '1', '--yes')).text).toMatchInlineSnapshot(`
    "Error: \`--approvals\` counts the reviews of a plan in the ledger, but plan.json is not in it.
    Save the plan with \`dexsync plan --out ledger:NAME\`, or remove \`--approvals\`.
    [USAGE, exit 3]
    "
  `);
});

test('plans move with the ledger', async () => {
  const { project, as, ann } = await savedPlan();
  expect((await ann('apply', '--yes')).code).toBe(0);
  await project.write('manifests/all.yaml', groups(1) + group('More'));
  expect((await ann('plan', '--out', 'ledger:q')).code).toBe(0);
  await as('bob')('plan', 'review', 'ledger:q', '--approve');
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', `${config}ledger: { file: { folder: led } }\n`);
  expect((await ann('ledger', 'move', '--from', 'file')).text).toMatch(
    /^Moved 1 apply and 2 saved plans of environment/,
  );
  expect((await ann('apply', 'ledger:q', '--yes', '--approvals', '1')).code).toBe(0);
});
