import { execFile } from 'node:child_process';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { fleetProject, resultsIn } from '../harness/fleet-project.js';
import { git } from '../harness/git.js';
import { manifest } from '../harness/manifest.js';
import {
  type Person,
  people,
  protectProject,
  type SignedProject,
  signedProject,
  signerLine,
  variablesOf,
} from '../harness/signed-project.js';
import { watching } from '../harness/watching.js';
import { groups } from './lease-project.js';

const PLAN = 'ledger:p';
const APPLY = ['apply', '--as-reviewed', PLAN, '--yes'];
const REF = 'the default branch of origin';

const run = promisify(execFile);

/** The notes with verdicts on a plan in a ledger of files, in their order. */
async function notesOf({ project }: SignedProject, name = 'p'): Promise<string[]> {
  const folder = join(project.folder, '.dexsync/ledger/plans/test/prod', name);
  const files = (await readdir(folder)).filter((file) => file !== 'plan.json').sort();
  return files.map((file) => join(folder, file));
}

test('nothing is applied, and nobody logs in, before allowed signers approved it', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [ann, bob]);
  const { as, workspace, project } = found;
  const direct = await as(ann)('apply', '--yes');
  expect([direct.code, direct.err]).toEqual([
    5,
    expect.stringContaining(`Environment "prod" only takes approved plans, as \`reviews\` of ${REF} (`),
  ]);
  expect(await workspace.usage()).toEqual([]);
  await as(ann)('plan', '--out', PLAN);
  const planned = (await workspace.usage()).length;
  expect((await as(ann)(...APPLY)).err).toContain(`ledger:p has 0 of 1 approvals, as \`reviews\` of ${REF} (`);
  const stranger = await as(eve)('plan', 'review', PLAN, '--approve');
  expect([stranger.code, stranger.err]).toEqual([
    5,
    expect.stringContaining('No key of yours is among the allowed signers'),
  ]);
  expect(stranger.err).toContain(`namespaces="dexsync-review@v1" ${eve.publicKey}`);
  expect((await as(ann)('plan', 'review', PLAN, '--approve')).err).toContain(
    'Your verdict was recorded, but does not count: ann@example.com is an author of the changes.',
  );
  expect((await as(ann)(...APPLY)).err).toContain(
    'The verdict of ann@example.com does not count: ann@example.com is an',
  );
  for (const command of [
    ['import', 'x.csv', '--definition', 'D', '--yes'],
    ['destroy', '--yes', '--confirm', 'Embedded Workspace'],
    ['api', 'POST', '/settings/usergroups', '-f', 'name=x', '--yes'],
  ])
    expect((await as(ann)(...command)).err, command.join(' ')).toContain('only takes approved plans');
  expect((await workspace.usage()).length).toBe(planned);

  const approved = await as(bob)('plan', 'review', PLAN, '--approve', '--reason', 'fine');
  expect(approved.out).toContain('The plan has the approvals that it needs.\n');
  expect((await as(ann)('plan', 'list')).out).toContain('approved by bob@example.com');
  expect((await as(ann)('plan', 'verify', PLAN)).code).toBe(0);
  expect((await as(ann)(...APPLY)).code).toBe(0);
  expect((await as(ann)('plan', '--detailed-exitcode')).code).toBe(0);

  // The verdicts moved into the journal, whole.
  const shown = await as(ann)('history', 'show', '1');
  expect(shown.out).toMatch(
    /Signed +approved by ann@example.com with the key SHA256:\S+, .*\n.* approved by bob@example.com with/,
  );
  expect((await as(ann)('ledger', 'check')).code).toBe(0);
  expect((await as(ann)('review', 'export', '1', '--out', 'evidence')).code).toBe(0);
  const { stdout } = await run('sh', [join(project.folder, 'evidence/verify.sh')]);
  expect(stdout).toMatch(
    /Good "dexsync-review@v1" signature for ann@example.com .*\n2: approved by bob@example.com .*\nGood .* for bob@example.com with ED25519/,
  );
});

test('a verdict that was edited, moved or taken away does not count', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const found = await signedProject(
    { 'manifests/all.yaml': groups(1) },
    [ann, bob, eve],
    '{ required: 2, notAuthor: false }',
  );
  const { as } = found;
  await as(ann)('plan', '--out', PLAN);
  for (const who of [ann, bob]) expect((await as(who)('plan', 'review', PLAN, '--approve')).code).toBe(0);
  const [first = '', second = ''] = await notesOf(found);
  const kept = await Promise.all([first, second].map((file) => readFile(file, 'utf8')));
  const restore = () => Promise.all([first, second].map((file, index) => writeFile(file, kept[index] ?? '')));

  // An edited statement.
  await writeFile(first, (kept[0] ?? '').replaceAll('ann@example.com', 'eve@example.com'));
  expect((await as(ann)(...APPLY)).err).toMatch(
    /has 0 of 2 approvals.* it was changed after it was signed\..* a verdict that was given before it is missing\./,
  );
  expect((await as(ann)('plan', 'verify', PLAN)).code).toBe(5);
  await restore();

  // One that is gone.
  await rm(first);
  expect((await as(ann)(...APPLY)).err).toContain(
    'The verdict of bob@example.com does not count: a verdict that was given before it is missing.',
  );
  await restore();

  // The outer note says that somebody approved, and nobody signed.
  const { signed: _, ...unsigned } = JSON.parse(kept[1] ?? '');
  await writeFile(second, JSON.stringify(unsigned));
  expect((await as(ann)(...APPLY)).err).toContain('has 1 of 2 approvals (approved by ann@example.com)');
  await restore();

  // Verdicts on other changes.
  await found.project.write('manifests/more.yaml', manifest('UserGroup', 'More', {}));
  await as(ann)('plan', '--out', 'ledger:q');
  const digest = JSON.parse(kept[0] ?? '').digest;
  const other = JSON.parse((await as(ann)('show', 'ledger:q', '--json')).out).digest;
  const folder = join(first, '../../q');
  for (const [index, text] of kept.entries())
    await writeFile(join(folder, `review-${index}.json`), text.replaceAll(digest, other));
  expect((await as(ann)('apply', '--as-reviewed', 'ledger:q', '--yes')).err).toMatch(/has 0 of 2 approvals/);
  await found.project.write('manifests/more.yaml', '');
  expect((await as(ann)(...APPLY)).code).toBe(0);
});

test('a rejection blocks, although others approved, until the same person approves', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const { as } = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob, eve]);
  await as(ann)('plan', '--out', PLAN);
  await as(eve)('plan', 'review', PLAN, '--reject', '--reason', 'not today');
  await as(bob)('plan', 'review', PLAN, '--approve');
  expect((await as(ann)(...APPLY)).text).toContain('eve@example.com rejected ledger:p on TIME UTC: "not today".');
  await as(eve)('plan', 'review', PLAN, '--approve');
  expect((await as(ann)(...APPLY)).code).toBe(0);
});

test('nobody approves a change by becoming a signer in it', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const { as, project, push } = found;
  // A branch that adds eve.
  await git(project.folder, 'checkout', '--quiet', '-b', 'change');
  await project.write('allowed_signers', [bob, eve].map((one) => signerLine(one)).join(''));
  await push('change');
  await as(ann)('plan', '--out', PLAN);
  expect((await as(eve)('plan', 'review', PLAN, '--approve')).code).toBe(5);
  await push('main');
  // Allowed now, but not when the plan was created.
  expect((await as(eve)('plan', 'review', PLAN, '--approve')).err).toMatch(
    /does not count: the key \S+ is not one of eve@example.com in the allowed signers of the default branch of origin/,
  );
  expect((await as(ann)(...APPLY)).code).toBe(5);
  await as(ann)('plan', '--out', 'ledger:again');
  await as(eve)('plan', 'review', 'ledger:again', '--approve');
  expect((await as(ann)('apply', '--as-reviewed', 'ledger:again', '--yes')).code).toBe(0);
});

test('an approval holds for an equal plan that is created later, and falls with another one', async () => {
  const { ann, bob, ci } = await people('ann', 'bob', 'ci');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const { as, project, push } = found;
  await project.write(
    'allowed_signers',
    `${signerLine(bob)}ci@example.com namespaces="dexsync-plan@v1" ${ci.publicKey}\n`,
  );
  await push();
  await as(ann)('plan', '--out', 'ledger:proposed');
  await as(bob)('plan', 'review', 'ledger:proposed', '--approve');
  expect((await as(ann)('plan', '--out', 'ledger:merged')).out).toContain(
    'The approval by bob@example.com of ledger:proposed holds for it, too.\n',
  );
  // An equal digest of changes does not vouch for all of a file.
  expect((await as(ann)('apply', 'ledger:merged', '--yes')).err).toContain(
    'it is about an equal plan, and no pipeline signed this one',
  );
  expect((await as(ann, { DEXSYNC_PLAN_SIGNING_KEY: ci.key })('plan', '--out', 'ledger:signed')).code).toBe(0);
  expect((await as(ann)('show', 'ledger:signed')).out).toMatch(/signature +by the key SHA256:/);
  await project.write('manifests/all.yaml', groups(2));
  const other = await as(ann)('plan', '--out', 'ledger:other');
  expect(other.out).toContain(
    'The approval by bob@example.com of ledger:proposed does not hold for it: UserGroup/G1 is in the plan now (create), and was not when it was reviewed.\n',
  );
  expect((await as(ann)('apply', '--as-reviewed', 'ledger:other', '--yes')).code).toBe(5);
  expect((await as(ann)('apply', 'ledger:signed', '--yes')).code).toBe(0);
});

test('a plan that was saved to a file and to the ledger is applied from the file, once people approved it in the ledger', async () => {
  const { ann, bob } = await people('ann', 'bob');
  const { as } = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const saved = await as(ann)('plan', '--out', 'plan.json', '--out', PLAN);
  expect(saved.out).toContain('Saved to plan.json and ledger:p. Apply it with: dexsync apply plan.json\n');
  const fromFile = ['apply', 'plan.json', '--yes'];
  expect((await as(ann)(...fromFile)).err).toMatch(
    /plan\.json has 0 of 1 approvals[\s\S]*`dexsync plan review ledger:p --approve`/,
  );
  await as(bob)('plan', 'review', PLAN, '--reject', '--reason', 'later');
  expect((await as(ann)(...fromFile)).text).toContain('bob@example.com rejected plan.json on TIME UTC: "later".');
  await as(bob)('plan', 'review', PLAN, '--approve');
  expect((await as(ann)(...fromFile)).code).toBe(0);
  expect((await as(ann)('history', 'show', '1')).out).toMatch(/Plan +ledger:p, saved by /);
  expect((await as(ann)('plan', 'list', '--json')).out).toContain('"plans": []');
});

test('keys are rotated and revoked, and roles must agree', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const roles = 'roles: { quality: { members: [eve@example.com], required: 1 }, plm: { members: [bob@example.com] } }';
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob, eve], `{ required: 1, ${roles} }`);
  const { as, project, push } = found;
  await as(ann)('plan', '--out', PLAN);
  await as(bob)('plan', 'review', PLAN, '--approve');
  expect((await as(ann)(...APPLY)).err).toContain(
    'ledger:p has 0 of 1 approvals of the role "quality" (approved by bob@example.com)',
  );
  await as(eve)('plan', 'review', PLAN, '--approve');
  // Revoked: the line is gone.
  await project.write('allowed_signers', signerLine(bob));
  await push();
  expect((await as(ann)(...APPLY)).err).toMatch(
    /0 of 1 approvals of the role "quality".* is not one of eve@example.com/,
  );
  // Rotated: what was signed before stays good.
  const soon = new Date(Date.now() + 60_000).toISOString().replaceAll(/[-T:]/g, '').slice(0, 12);
  await project.write('allowed_signers', signerLine(bob) + signerLine(eve, `,valid-before="${soon}Z"`));
  await push();
  expect((await as(ann)(...APPLY)).code).toBe(0);
});

test('only the remote says who may approve', async () => {
  const { ann, bob } = await people('ann', 'bob');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const { as, project, config, workspace } = found;
  await as(ann)('plan', '--out', PLAN);
  const before = (await workspace.usage()).length;
  // A commit that is not pushed, and local refs that were moved to it.
  await project.write('allowed_signers', signerLine(ann) + signerLine(bob));
  await config('{ required: 0 }');
  await git(project.folder, 'commit', '--quiet', '--all', '--message', 'mine');
  for (const ref of ['refs/remotes/origin/main', 'refs/heads/main', 'refs/remotes/origin/HEAD'])
    await git(project.folder, 'update-ref', ref, 'HEAD');
  expect((await as(ann)(...APPLY)).err).toContain('has 0 of 1 approvals');
  // The change removes `reviews`; the job fixes the branch.
  await config('');
  const job = as(ann, { DEXSYNC_REVIEWS_REF: 'origin/main' });
  expect((await job(...APPLY)).err).toContain('ledger:p has 0 of 1 approvals, as `reviews` of origin/main (');
  expect((await as(ann, { DEXSYNC_REVIEWS_REF: 'main' })(...APPLY)).err).toContain(
    'DEXSYNC_REVIEWS_REF is "main", which is not a branch of a remote.',
  );
  // An environment that is not protected leads to the protected workspace.
  await config('{}');
  await project.write(
    'sync.config.yaml',
    (await project.read('sync.config.yaml')).replace(
      'dev: {',
      'dev: { profile: reference, usageReason: a/b, credentials: { email: x@example.com },',
    ),
  );
  expect((await as(ann)('apply', '--env', 'dev', '--yes')).err).toContain(
    'Environment "dev" only takes approved plans',
  );
  // The remote is away.
  await git(project.folder, 'remote', 'set-url', 'origin', join(project.folder, 'nowhere'));
  const away = await as(ann)(...APPLY);
  expect([away.code, away.err]).toEqual([1, expect.stringContaining(`is read from ${REF}, which cannot be read now.`)]);
  expect((await workspace.usage()).length).toBe(before);
});

test('a fleet begins only with signed approvals of its groups, and each environment asks again', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const fleet = await fleetProject(3, 'waves: [1], check: { approval: true }');
  const { project } = fleet;
  const { push } = await protectProject(project, [bob, eve], '{ environments: ["s*"] }');
  const as =
    (who: Person) =>
    (...args: string[]) =>
      project.run(args, { ...fleet.variables, ...variablesOf(who) });
  expect((await as(ann)('fleet', 'plan', 'sites', '--out', 'ledger:r1')).code).toBe(0);
  const none = await as(ann)('fleet', 'apply', 'ledger:r1', '--yes');
  expect([none.code, none.err]).toEqual([
    5,
    expect.stringContaining('ledger:r1, in the changes of 3 environments, has 0 of 1 approvals'),
  ]);
  expect((await as(ann)('fleet', 'review', 'ledger:r1', '--approve')).code).toBe(5);
  expect((await as(bob)('fleet', 'review', 'ledger:r1', '--approve')).out).toContain('approved by bob@example.com');
  await as(eve)('fleet', 'review', 'ledger:r1', '--reject');
  expect((await as(ann)('fleet', 'apply', 'ledger:r1', '--yes')).err).toContain('eve@example.com rejected ledger:r1');
  await as(eve)('fleet', 'review', 'ledger:r1', '--approve');
  expect((await as(ann)('fleet', 'apply', 'ledger:r1', '--yes')).code).toBe(4);
  await as(bob)('fleet', 'review', 'sites', '--approve');
  expect((await as(ann)('fleet', 'resume', 'sites')).code).toBe(0);
  expect(await Promise.all(fleet.sites.map(fleet.descriptions))).toEqual([['First'], ['First'], ['First']]);
  expect((await as(ann)('history', 'show', '1', '--env', 's2')).out).toContain(
    'approved by bob@example.com with the key',
  );
  expect((await as(ann)('ledger', 'check', '--env', 's2')).code).toBe(0);

  // The signer is revoked between two waves: what is left is not applied.
  await fleet.ask('Second');
  await as(ann)('fleet', 'plan', 'sites', '--out', 'ledger:r2');
  await as(bob)('fleet', 'review', 'ledger:r2', '--approve');
  expect((await as(ann)('fleet', 'apply', 'ledger:r2', '--yes')).code).toBe(4);
  await project.write('allowed_signers', signerLine(eve));
  await push();
  await as(bob)('fleet', 'review', 'sites', '--approve');
  const left = await as(ann)('fleet', 'resume', 'sites', '--json');
  expect(left.code).toBe(1);
  expect(resultsIn(JSON.parse(left.out.trim().split('\n').at(-1) ?? '').event)).toMatchObject({
    s1: 'done',
    s2: 'failed',
  });
  expect(await Promise.all(fleet.sites.map(fleet.descriptions))).toEqual([['Second'], ['First'], ['First']]);
});

test('a watch applies what was approved, and holds everything else', async () => {
  const { ann, bob } = await people('ann', 'bob');
  const { as, project, variables } = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const watch = watching(project, ['--policy', 'all', '--yes', '--interval', '1s'], variables);
  expect(await watch.round()).toMatchObject({
    result: 'held',
    held: [{ address: 'UserGroup/G0', because: 'unapproved' }],
  });
  await as(ann)('plan', '--out', PLAN);
  await as(bob)('plan', 'review', PLAN, '--approve');
  expect(await watch.round(({ result }) => result === 'applied')).toMatchObject({ pending: 1, held: [] });
  expect(await watch.round()).toMatchObject({ result: 'unchanged' });
  await project.write('manifests/all.yaml', groups(2));
  expect(await watch.round(({ result }) => result !== 'unchanged')).toMatchObject({ result: 'held' });
  expect((await watch.stop()).code).toBe(0);
});

test('authors of the commits do not approve their own change, even if others planned it', async () => {
  const { ann, bob } = await people('ann', 'bob');
  const { as, project, push } = await signedProject({ 'manifests/all.yaml': groups(1) }, [ann, bob]);
  // Commits of this test are those of ann; bob plans what she changed.
  await project.write('manifests/all.yaml', groups(2));
  await push();
  await as(bob)('plan', '--out', PLAN);
  expect((await as(ann)('plan', 'review', PLAN, '--approve')).err).toContain(
    'ann@example.com is an author of the changes',
  );
  expect((await as(bob)('plan', 'review', PLAN, '--approve')).err).toContain(
    'bob@example.com is an author of the changes',
  );
});
