import { existsSync } from 'node:fs';
import { appendFile, cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { digestOfPlan } from '#core/engine/normal-form.js';
import { atEnd } from '../harness/at-end.js';
import { git } from '../harness/git.js';
import { TOKENS } from '../harness/pipelines/forge-state.js';
import { codes, GITHUB, GITLAB } from '../harness/pipelines/forges.js';
import type { HostedProject } from '../harness/pipelines/hosted-project.js';
import { repository } from '../harness/pipelines/repository.js';
import { runInProcess } from '../harness/run-in-process.js';
import { people, signerLine, variablesOf } from '../harness/signed-project.js';

const LONG = { timeout: 900_000 };

/** What compromised jobs of a pull request do in place of planning, with a token that pushes. */
const ATTACK = `#!/bin/sh
set -eu
PATH="node_modules/.bin:$PATH"
name=$(cat ci/name)
export GITHUB_ACTIONS=true GITHUB_ACTOR=bob GIT_AUTHOR_NAME=bob GIT_AUTHOR_EMAIL=bob@example.com
export GIT_COMMITTER_NAME=bob GIT_COMMITTER_EMAIL=bob@example.com
test -z "\${FORGE_TOKEN:-}" ||
  git remote set-url origin "$(echo "$CI_REPOSITORY_URL" | sed "s#//[^/@]*@#//dexsync:$FORGE_TOKEN@#")"
`;
const REVIEW = `${ATTACK}
echo "reviews: {}" >> sync.config.yaml
git commit --quiet --all --message signers
git push --quiet origin HEAD:refs/heads/signers
chmod 600 ci/mallory
DEXSYNC_REVIEWS_REF=origin/signers dexsync plan review "ledger:$name" --env prod --approve --key ci/mallory
sed -i "/^reviews/d" sync.config.yaml
dexsync plan review "ledger:$name" --env prod --approve
echo '{}' > plan.json
`;
const REPLACE = `${ATTACK}
git fetch --quiet origin dexsync-ledger
git worktree add --quiet ledger FETCH_HEAD
cp ci/forged.json ledger/plans/*/prod/"$name"/plan.json
git -C ledger commit --quiet --all --message approved
git -C ledger push --quiet origin HEAD:dexsync-ledger
node -e "console.log(JSON.stringify(require('./ci/forged.json').plan))" > plan.json
`;

/** What else the pull request changes: files, and texts in them. On GitHub, its jobs are those that it says. */
const EDITS = [
  ['sync.config.yaml', /reviews: .*\n/, ''],
  ['.github/workflows/dexsync.yml', 'contents: read, pull-requests: write', 'contents: write, pull-requests: write'],
] as const;
const EDIT_OF_ARTIFACT = ['.github/workflows/dexsync.yml', 'name: plan-${{ env.COMMIT }}', 'name: promotion'] as const;

async function editEach(desk: string, edits: readonly (readonly [string, string | RegExp, string])[]): Promise<void> {
  for (const [name, from, to] of edits.filter(([file]) => existsSync(join(desk, file)))) {
    const file = join(desk, name);
    await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
  }
}

/** A clone of a person. */
async function cloneOf({ clonedBy }: HostedProject): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'clone-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  await git(folder, 'clone', '--quiet', clonedBy(TOKENS.push), '.');
  return folder;
}

/** A plan that waits in the ledger of production, and the same document with another description. */
async function waitingPlan(host: HostedProject): Promise<{ name: string; forged: string; notes: number }> {
  const folder = await cloneOf(host);
  await git(folder, 'checkout', '--quiet', 'dexsync-ledger');
  const [stack = ''] = await readdir(join(folder, 'plans'));
  const plans = join(folder, 'plans', stack, 'prod');
  const name = (await readdir(plans)).sort().at(-1) ?? '';
  const text = await readFile(join(plans, name, 'plan.json'), 'utf8');
  const { plan, ...entry } = JSON.parse(text.replaceAll('"one"', '"evil"'));
  const { digest: _, ...rest } = plan;
  const forged = { ...entry, plan: { ...rest, digest: `sha256:${digestOfPlan(rest)}` } };
  return {
    name,
    forged: JSON.stringify(forged),
    notes: (await readdir(join(plans, name), { recursive: true })).filter((file) => /reviews\W.*\.json$/.test(file))
      .length,
  };
}

describe.each([GITHUB, GITLAB])('the pipeline of $name, with reviews', LONG, (forge) => {
  const [planned, applied] = forge === GITHUB ? ['promotion-plan', 'promotion'] : ['prod-plan', 'prod'];

  test('nothing of a compromised pull request reaches production, and what people approved does', async () => {
    const { bob, mallory } = await people('bob', 'mallory');
    const { host, runs, live, merged, prod } = await repository(forge, {
      environments: 'each',
      add: async (desk) => {
        await appendFile(join(desk, 'sync.config.yaml'), `reviews: { forge: { ${forge.name}: { approvals: 1 } } }\n`);
        await writeFile(join(desk, 'allowed_signers'), signerLine(bob));
      },
    });
    const refused = { [applied]: { code: expect.toSatisfy((code) => code !== 0) } };
    const { change, commit } = await merged('Buyers');
    expect(codes(await runs.merged(commit))).toEqual({ apply: 0, release: 0 });
    expect(Object.values(codes(await runs.promote('test')))).toEqual([0, 0]);
    const early = await runs.promote('prod');
    expect(early, JSON.stringify(early)).toMatchObject({ [planned]: { code: 0 }, ...refused });
    expect(early[applied]?.text).toContain('plan.json has 0 of 1 approvals, as `reviews` of origin/main (');

    const { name, forged } = await waitingPlan(host);
    const attack = async (script: string): Promise<string | undefined> => {
      const attacking = await host.propose('mallory', async (desk) => {
        await writeFile(join(desk, 'allowed_signers'), signerLine(bob) + signerLine(mallory));
        for (const suffix of ['', '.pub']) await cp(`${mallory.key}${suffix}`, join(desk, `ci/mallory${suffix}`));
        const files = { name, 'forged.json': forged, 'plan.sh': script };
        for (const [file, text] of Object.entries(files)) await writeFile(join(desk, 'ci', file), text);
        await editEach(desk, script === REPLACE ? [...EDITS, EDIT_OF_ARTIFACT] : EDITS);
      });
      const { plan } = await runs.change(attacking);
      expect(plan?.code, plan?.text).toBe(0);
      const after = await runs.applyAgain('prod');
      expect(after, JSON.stringify(after)).toMatchObject(refused);
      expect(await live('Buyers', prod)).toBeUndefined();
      return after[applied]?.text;
    };
    const reviewed = await attack(REVIEW);
    expect(await waitingPlan(host)).toMatchObject({ name, notes: 2 });
    expect(reviewed).toMatch(
      /plan\.json has 0 of 1 approvals.* the key \S+ is not one of mallory@example\.com in the allowed signers of origin\/main/,
    );
    expect(await attack(REPLACE)).toContain('plan.json has 0 of 1 approvals');

    expect(await runs.promote('prod')).toMatchObject({ [planned]: { code: 0 }, ...refused });
    const asked = `ledger:${(await waitingPlan(host)).name}`;
    const approved = await runInProcess({
      args: ['plan', 'review', asked, '--env', 'prod', '--approve'],
      folder: await cloneOf(host),
      variables: { PATH: process.env.PATH, ...variablesOf(bob) },
    });
    expect(approved.out, approved.err).toContain('The plan has the approvals that it needs.');
    const unapproved = await runs.applyAgain('prod');
    expect(unapproved, JSON.stringify(unapproved)).toMatchObject(refused);
    expect(unapproved[applied]?.text).toMatch(
      /has 0 of 1 approvals on Git(Hub|Lab), .* request 1 was approved by nobody/,
    );
    change.approvedBy = ['eve'];
    const last = await runs.applyAgain('prod');
    expect(codes(last), JSON.stringify(last)).toEqual({ [applied]: 0 });
    expect(await live('Buyers', prod)).toBe('one');
  });
});
