import { execFile, execFileSync } from 'node:child_process';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { git } from '../harness/git.js';
import { type Person, people, type SignedProject, signedProject, signerLine } from '../harness/signed-project.js';
import { groups } from './lease-project.js';

const run = promisify(execFile);
const REVIEWED = (name: string) => ['apply', '--as-reviewed', `ledger:${name}`, '--yes'];

const folderOf = ({ project }: SignedProject, name: string, environment = 'prod'): string =>
  join(project.folder, '.dexsync/ledger/plans/test', environment, name);

const notesOf = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((file) => file !== 'plan.json').sort();

/** A verdict that somebody wrote by themselves, signed with their key. */
async function forge(folder: string, who: Person, statement: Readonly<Record<string, unknown>>): Promise<void> {
  const { plan } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
  const text = JSON.stringify(statement);
  const args = ['-q', '-Y', 'sign', '-f', who.key, '-n', 'dexsync-review@v1'];
  const signature = execFileSync('ssh-keygen', args, { input: text, encoding: 'utf8' });
  const note = { at: statement.at, author: { host: 'x' }, verdict: statement.verdict, digest: plan.digest };
  const number = String((await notesOf(folder)).length + 1).padStart(6, '0');
  await writeFile(
    join(folder, `review-${number}-forged.json`),
    JSON.stringify({ ...note, signed: { statement: text, signature } }),
  );
}

/** What an honest verdict on a plan states, to be changed. */
async function statementOn(folder: string, signer: string) {
  const { plan } = JSON.parse(await readFile(join(folder, 'plan.json'), 'utf8'));
  const now = new Date();
  return {
    ...{ format: 'dexsync-verdict/1', plan: plan.digest, verdict: 'approved', stack: 'test', signer },
    ...{ workspaces: [plan.workspace.identity], at: now.toISOString() },
    expires: new Date(now.getTime() + 86_400_000).toISOString(),
  };
}

async function written({ workspace }: SignedProject): Promise<number> {
  return (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
}

test('an environment that needs no approvals leads nowhere that does', async () => {
  const { ann, bob } = await people('ann', 'bob');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const { as, project, workspace } = found;
  // Both environments of the project lead to one workspace: neither is free.
  expect((await as(ann)('apply', '--env', 'dev', '--yes')).err).toContain(
    'Environment "dev" only takes approved plans',
  );
  // A plan of another environment, and a plan that was moved to the folder of another one.
  await as(ann)('plan', '--env', 'dev', '--out', 'plan.json');
  expect((await as(ann)('apply', 'plan.json', '--env', 'prod', '--yes')).code).toBe(5);
  expect((await as(ann)('apply', '--as-reviewed', 'plan.json', '--env', 'prod', '--yes')).code).toBe(5);
  await as(ann)('plan', '--env', 'dev', '--out', 'ledger:p');
  await cp(folderOf(found, 'p', 'dev'), folderOf(found, 'p'), { recursive: true });
  expect((await as(ann)(...REVIEWED('p'))).code).toBe(5);
  // Another address for the environment that is free.
  const elsewhere = { DEXSYNC_DEV_URL: 'http://127.0.0.1:1' };
  expect(
    (await as(ann, { ...elsewhere, DEXSYNC_PROD_URL: workspace.url })('apply', '--env', 'dev', '--yes')).err,
  ).toContain('127.0.0.1:1');
  expect(await written(found)).toBe(0);
  void project;
});

test('a branch or a local ref with a like name says nothing', async () => {
  const { ann, bob, zoe } = await people('ann', 'bob', 'zoe');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob]);
  const { as, project, push, config } = found;
  await as(ann)('plan', '--out', 'ledger:p');
  const tip = (await git(project.folder, 'rev-parse', 'HEAD')).trim();
  await project.write('allowed_signers', signerLine(zoe));
  await push('refs/heads/a/refs/heads/main');
  await git(project.folder, 'replace', tip, 'HEAD');
  for (const ref of [undefined, 'origin/main', 'origin/*']) {
    const zoes = as(zoe, ref === undefined ? {} : { DEXSYNC_REVIEWS_REF: ref });
    expect((await zoes('plan', 'review', 'ledger:p', '--approve')).code).not.toBe(0);
  }
  // A configuration that the branch does not have.
  await config('');
  await project.write('other.yaml', await project.read('sync.config.yaml'));
  const job = as(ann, { DEXSYNC_REVIEWS_REF: 'origin/main' });
  expect((await job('apply', '--config', 'other.yaml', '--yes')).err).toContain(
    'other.yaml is not in origin/main, which says who may approve.',
  );
  expect(await written(found)).toBe(0);
});

test('verdicts are neither reordered, nor used twice, nor given by one key under two names, nor backdated', async () => {
  const { ann, bob, eve } = await people('ann', 'bob', 'eve');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob, eve]);
  const { as, project, push } = found;
  await as(ann)('plan', '--out', 'ledger:p');
  const folder = folderOf(found, 'p');
  await as(bob)('plan', 'review', 'ledger:p', '--approve');
  await as(eve)('plan', 'review', 'ledger:p', '--approve');
  await as(eve)('plan', 'review', 'ledger:p', '--reject');
  const [, approval = '', rejection = ''] = await notesOf(folder);
  const kept = await readFile(join(folder, rejection), 'utf8');
  await writeFile(join(folder, rejection), kept.replace(/"at": "[^"]+"/, '"at": "2020-01-01T00:00:00.000Z"'));
  await cp(join(folder, approval), join(folder, 'review-000009-again.json'));
  expect((await as(ann)(...REVIEWED('p'))).err).toContain('eve@example.com rejected ledger:p');
  // A plan with a rejection is not removed.
  const removed = await as(ann)('plan', 'remove', 'ledger:p');
  expect([removed.code, removed.err]).toEqual([
    5,
    expect.stringContaining('eve@example.com rejected ledger:p, which blocks equal plans as well.'),
  ]);
  await as(eve)('plan', 'review', 'ledger:p', '--approve');
  const used = await readFile(join(folder, approval), 'utf8');
  expect((await as(ann)(...REVIEWED('p'))).code).toBe(0);

  // The same change once more: its approvals were used.
  const [group] = (await found.workspace.call('GET', '/settings/usergroups')).body.results.filter(
    (one: { name: string }) => one.name === 'G0',
  );
  await found.workspace.administer('DELETE', `/settings/usergroups/${group.guid}`);
  await as(ann)('plan', '--out', 'ledger:q');
  await as(ann)('plan', '--out', 'ledger:r');
  const { plan } = JSON.parse(await readFile(join(folderOf(found, 'q'), 'plan.json'), 'utf8'));
  await writeFile(
    join(folderOf(found, 'q'), 'review-000001-copy.json'),
    used.replaceAll(JSON.parse(used).digest, plan.digest),
  );
  expect((await as(ann)(...REVIEWED('q'))).code).toBe(5);

  // One key under two names, times that cannot be, and a longer life than the configuration gives.
  await project.write('allowed_signers', `bob@example.com,robert@example.com ${bob.publicKey}\n`);
  await push();
  const { changes } = JSON.parse((await as(ann)('show', 'ledger:r', '--json')).out);
  const at = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();
  for (const [statement, why] of [
    [{ at: at(-3), expires: at(3) }, 'is before the plan that it is about'],
    [{ at: at(3), expires: at(9) }, 'is still to come'],
    [{ at: '1;id>pwned;x' }, 'its statement cannot be read'],
    [{ stack: 'other' }, 'it is about stack "other"'],
  ] as const) {
    await forge(folderOf(found, 'r'), bob, {
      ...(await statementOn(folderOf(found, 'r'), 'bob@example.com')),
      subject: changes,
      ...statement,
    });
    expect((await as(ann)(...REVIEWED('r'))).err).toContain(why);
  }
  expect((await as(bob)('plan', 'verify', 'ledger:r')).code).toBe(5);
  for (const signer of ['bob@example.com', 'robert@example.com'])
    await forge(folderOf(found, 'r'), bob, { ...(await statementOn(folderOf(found, 'r'), signer)), subject: changes });
  expect((await as(ann)(...REVIEWED('r'), '--approvals', '2')).err).toContain('ledger:r has 1 of 2 approvals');
  // Nothing of a statement is run by the script of a bundle.
  await as(ann)('review', 'export', 'ledger:r', '--out', 'evidence');
  await run('sh', [join(project.folder, 'evidence/verify.sh')]).catch(() => undefined);
  expect(await readdir(join(project.folder, 'evidence'))).not.toContain('pwned');
});

test('authors do not approve by having somebody else plan, and a plan that waits is judged by its own time', async () => {
  const { ann, bob, eve, zoe } = await people('ann', 'bob', 'eve', 'zoe');
  const found = await signedProject({ 'manifests/all.yaml': groups(1) }, [bob, eve]);
  const { as, project, push } = found;
  // Bob planned and approved his change; after the merge a pipeline plans the same.
  await as(bob)('plan', '--out', 'ledger:proposed');
  await as(bob)('plan', 'review', 'ledger:proposed', '--approve');
  await as(ann)('plan', '--out', 'ledger:merged');
  expect((await as(ann)(...REVIEWED('merged'))).err).toContain('bob@example.com is an author of the changes');
  // Zoe became a signer after this plan: it is not applied on the way to another one.
  await project.write('allowed_signers', [bob, eve, zoe].map((one) => signerLine(one)).join(''));
  await push();
  await as(zoe)('plan', 'review', 'ledger:merged', '--approve');
  await project.write('manifests/all.yaml', groups(2));
  await as(ann)('plan', '--out', 'ledger:both');
  await as(eve)('plan', 'review', 'ledger:both', '--approve');
  await rm(folderOf(found, 'proposed'), { recursive: true });
  const applied = await as(ann)(...REVIEWED('both'));
  expect([applied.code, applied.text]).toEqual([0, expect.not.stringContaining('ledger:merged')]);
});
