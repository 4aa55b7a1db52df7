import { randomUUID } from 'node:crypto';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownProcess } from '#base/files/process-facts.js';
import { gitBackend } from '#ledger/git/git-backend.js';
import { type Forge, openForge, type Runner } from '../../harness/forge.js';
import { git } from '../../harness/git.js';
import { itemsDefinition, manifest } from '../../harness/manifest.js';
import { newDatabase, noPostgres, sharedPostgres } from '../../harness/postgres.js';
import { IS_WHOLE, scaled } from '../../harness/sample.js';
import { finished } from '../../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../../harness/test-workspace.js';
import { groups, type Held, holding, isWrite } from '../lease-project.js';

/** A ledger that pipelines share: what the configuration says, and the variables of the runners. */
interface Shared {
  readonly name: string;
  readonly config: string;
  variables(): Promise<Readonly<Record<string, string>>>;
}

const inGit: Shared = {
  name: 'git',
  config: 'ledger: { git: { branch: dexsync-ledger } }',
  variables: async () => ({}),
};

if (noPostgres !== undefined) process.stderr.write(`${noPostgres}\n`);
const postgres = noPostgres === undefined ? sharedPostgres() : undefined;
const inPostgres: Shared = {
  name: 'PostgreSQL',
  config: 'ledger: "${env.TEST_LEDGER}"',
  variables: async () => ({ TEST_LEDGER: postgres === undefined ? '' : await newDatabase(await postgres()) }),
};

const CONFIG = `stack: test
manifests: [manifests]
environments:
  remote:
    url: "\${env.TEST_URL}"
`;

interface Team {
  readonly workspace: TestWorkspace;
  readonly forge: Forge;
}

async function team(
  { config, variables }: Shared,
  given: Held | undefined = undefined,
  workspace?: TestWorkspace,
): Promise<Team> {
  const own = workspace ?? (await testWorkspace());
  const forge = await openForge({ ...own.variables, ...given?.variables, ...(await variables()) });
  const ignore = '.dexsync/\nplan.json\n';
  await forge.push('main', { 'sync.config.yaml': `${CONFIG}${config}\n`, '.gitignore': ignore });
  return { workspace: own, forge };
}

const RUNNERS = scaled(20, 6);

const specs = itemsDefinition('Specs', { Part: 'number', Name: 'name' });
const load = manifest('Import', 'Parts', { definition: 'Specs', source: { file: 'parts.csv' } });
const PARTS = 'Part,Name\nT-1,One\nT-2,Two\n';

const ok = async (runner: Runner, ...args: string[]): Promise<string> => {
  const { code, out, err } = await runner.run(...args);
  expect([code, err], out).toEqual([0, '']);
  return out;
};

const posted = async ({ workspace }: Team, path: RegExp): Promise<number> =>
  (await workspace.usage()).filter((one) => one.method === 'POST' && path.test(one.path)).length;

const groupNames = async ({ workspace }: Team): Promise<string[]> => {
  const names = (await workspace.pages('/settings/usergroups')).map(({ name }: { name: string }) => name);
  return names.filter((name: string) => /^G\d+$/.test(name)).sort();
};

describe.each([inGit, ...(noPostgres === undefined ? [inPostgres] : [])])(
  'a team with its ledger in $name',
  (shared) => {
    // Each starts many programs: `npm test` takes it in one of both, or leaves it to the whole.
    const runIn = (name: string) => test.runIf(IS_WHOLE || shared.name === name);

    runIn('none')(
      'a plan is reviewed on a branch, applied after the merge on another machine, and never twice',
      async () => {
        const made = await team(shared);
        const { forge } = made;
        await forge.push('main', { 'manifests/specs.yaml': specs });
        await ok(await forge.clone('main'), 'apply', '--yes');
        await forge.push('parts', { 'manifests/load.yaml': load + groups(2), 'manifests/parts.csv': PARTS });

        const reviewer = await forge.clone('parts');
        const shown = await ok(reviewer, 'plan', '--validate-imports', '--out', 'plan.json');
        expect(shown).toMatch(/2 rows/);
        expect(await posted(made, /\/runs$/)).toBe(1);
        await forge.merge('parts');

        const [first, second] = [await forge.clone('main'), await forge.clone('main')];
        for (const runner of [first, second])
          await copyFile(join(reviewer.folder, 'plan.json'), join(runner.folder, 'plan.json'));
        expect(await ok(first, 'apply', 'plan.json', '--yes')).toMatch(/2 rows/);
        const again = await second.run('apply', 'plan.json', '--yes');
        expect([again.code, again.err]).toEqual([
          5,
          expect.stringMatching(/^Error: plan\.json was applied to environment/),
        ]);
        expect([await posted(made, /\/runs$/), await posted(made, /\/usergroups$/)]).toEqual([1, 2]);

        const next = await forge.clone('main');
        expect((await next.run('plan', '--detailed-exitcode')).code).toBe(0);
        expect(await ok(next, 'import', 'list')).toContain('Parts');
        expect(JSON.parse(await ok(next, 'history', '--json')).applies).toHaveLength(3);
        expect(await ok(next, 'ledger', 'check')).toContain('Every journal is as it was written.');
      },
    );

    runIn('none')('a runner is killed in the middle, and another one goes on: nothing is made twice', async () => {
      const made = await team(shared);
      const { forge, workspace } = made;
      await forge.push('main', {
        'manifests/all.yaml': specs + load + groups(4),
        'manifests/parts.csv': PARTS,
      });
      let kill: () => void = () => undefined;
      await workspace.arm([{ method: 'POST', path: '/settings/usergroups/**', do: 'reset' }], () => kill());
      const dying = (await forge.clone('main')).start('apply', '--yes', '--parallelism', '1');
      kill = () => dying.kill('SIGKILL');
      expect((await finished(dying)).code).toBeNull();

      const next = await forge.clone('main');
      await ok(next, 'apply', '--yes');
      expect(await groupNames(made)).toEqual(['G0', 'G1', 'G2', 'G3']);
      expect(await posted(made, /\/runs$/)).toBe(1);
      const third = await forge.clone('main');
      expect((await third.run('plan', '--prune', '--detailed-exitcode')).code).toBe(0);
      const [done, died] = JSON.parse(await ok(third, 'history', '--json')).applies;
      expect([done.state, died.state]).toEqual(['ended', 'unfinished']);
      expect(await ok(third, 'ledger', 'check')).toContain('1 did not finish');
    });

    runIn('git')(`of ${RUNNERS} runners at once one applies, and the others end with who holds the lock`, async () => {
      const workspace = await testWorkspace();
      const held = await holding(workspace, isWrite);
      const made = await team(shared, held, workspace);
      await made.forge.push('main', { 'manifests/groups.yaml': groups(2) });
      const runners = await Promise.all(Array.from({ length: RUNNERS }, () => made.forge.clone('main')));
      let ended = 0;
      const results = runners.map(async (runner) => {
        const result = await runner.run('apply', '--yes', '--reason', 'release 12');
        ended += 1;
        return result;
      });
      await expect.poll(() => ended, { timeout: 50_000, interval: 50 }).toBe(RUNNERS - 1);
      held.letGo();
      const all = await Promise.all(results);
      expect(all.map(({ code }) => code).sort()).toEqual([0, ...Array.from({ length: RUNNERS - 1 }, () => 7)]);
      for (const { code, err } of all) {
        if (code === 7)
          expect(err).toMatch(
            /^Error: Environment remote is in use by "dexsync apply" of .+ \(process \d+, "release 12"\)/,
          );
      }
      expect(held.count('POST', '/login')).toBe(1);
      expect(held.count('POST', '/settings/usergroups')).toBe(2);
    });

    runIn('PostgreSQL')('waiting runners come one after another, and everything is created once', async () => {
      const made = await team(shared);
      await made.forge.push('main', { 'manifests/groups.yaml': groups(2) });
      const runners = await Promise.all(Array.from({ length: 3 }, () => made.forge.clone('main')));
      const results = await Promise.all(runners.map((runner) => runner.run('apply', '--yes', '--wait')));
      expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(await posted(made, /\/usergroups$/)).toBe(2);
    });

    runIn('none')('a runner that was suspended while its lock was taken writes nothing when it wakes up', async () => {
      const workspace = await testWorkspace();
      const held = await holding(workspace, isWrite);
      const made = await team(shared, held, workspace);
      await made.forge.push('main', { 'manifests/groups.yaml': groups(4) });
      const sleeper = (await made.forge.clone('main')).start('apply', '--yes', '--parallelism', '1');
      onTestFinished(() => void sleeper.kill('SIGKILL'));
      const result = finished(sleeper);
      await held.reached;
      sleeper.kill('SIGSTOP');
      const asleep = sleep(7000);

      const other = await made.forge.clone('main');
      await ok(other, 'lock', 'release', '--force', '--yes');
      held.letGo();
      await ok(other, 'apply', '--yes');
      const before = held.count('POST', '/settings/usergroups');
      await asleep;
      sleeper.kill('SIGCONT');
      const { code, out } = await result;
      expect([code, out]).toEqual([7, expect.stringContaining('The lock on environment remote was lost')]);
      expect(held.count('POST', '/settings/usergroups')).toBe(before);
      expect(await groupNames(made)).toEqual(['G0', 'G1', 'G2', 'G3']);
      expect((await other.run('plan', '--detailed-exitcode')).code).toBe(0);
      expect(await ok(other, 'ledger', 'check')).toContain('Every journal is as it was written.');
    });

    runIn('PostgreSQL')('as many requests to the service as with files', async () => {
      const counts: number[] = [];
      for (const config of [shared, { ...shared, config: 'ledger: { file: {} }' }]) {
        const made = await team(config);
        await made.forge.push('main', { 'manifests/groups.yaml': groups(3) });
        const runner = await made.forge.clone('main');
        await ok(runner, 'apply', '--yes');
        await ok(runner, 'plan');
        counts.push((await made.workspace.usage()).length);
      }
      expect(counts[0]).toBe(counts[1]);
    });
  },
);

/** Locks the environment as a machine that nobody hears of, or that goes on. */
async function lockElsewhere(made: Team, beatEvery: number): Promise<void> {
  const { TEST_URL = '', DEXSYNC_REMOTE_EMAIL = '' } = made.workspace.variables;
  const clone = await made.forge.clone('main');
  const self = async () => ({ ...(await ownProcess()), host: 'runner-7' });
  const anHourAgo = () => new Date(Date.now() - 3_600_000);
  const timing = { clock: anHourAgo, nonce: randomUUID, lifetime: 4000, beatEvery, self };
  const where = { remote: 'origin', branch: 'dexsync-ledger', project: clone.folder, data: clone.folder };
  const { leases } = await gitBackend({ ...where, variables: process.env, ...timing });
  const key = { service: new URL(TEST_URL).host, login: DEXSYNC_REMOTE_EMAIL, environment: 'remote' };
  const got = await leases.take({ ...key, command: 'dexsync apply' });
  if (got.is === 'held') throw new Error('held');
  onTestFinished(() => got.lease.release());
}

test('a lock that looks abandoned is watched, and taken when it is abandoned', async () => {
  const made = await team(inGit);
  await made.forge.push('main', { 'manifests/groups.yaml': groups(1) });
  await lockElsewhere(made, 3_600_000);
  const runner = await made.forge.clone('main');
  expect((await runner.run('lock', 'show')).out).toMatch(
    /^In use: environment remote, by "dexsync apply" of .+ on runner-7/,
  );
  const { code, out } = await runner.run('apply', '--yes');
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/watching up to \d s for a sign of "dexsync apply" of .+ on runner-7/),
  ]);
});

test('a lock of a living holder is not taken, even if its clock is an hour slow', async () => {
  const made = await team(inGit);
  await made.forge.push('main', { 'manifests/groups.yaml': groups(1) });
  await lockElsewhere(made, 500);
  const { code, err } = await (await made.forge.clone('main')).run('apply', '--yes');
  expect([code, err]).toEqual([7, expect.stringContaining('Environment remote is in use by "dexsync apply"')]);
});

test('people can read the branch of a ledger, and the project does not mention it', async () => {
  const made = await team(inGit);
  await made.forge.push('main', { 'manifests/groups.yaml': groups(2) });
  const runner = await made.forge.clone('main');
  await ok(runner, 'apply', '--yes');
  const log = await git(made.forge.remote, 'log', '--format=%s', '--reverse', 'dexsync-ledger');
  expect(
    log
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')
      .replaceAll(/\d{6,}/g, 'ID')
      .replaceAll(/of \S+ on \S+/g, 'of WHO'),
  ).toMatchInlineSnapshot(`
    "remote (HOST): "dexsync apply" of WHO locks login admin@example.com
    remote (HOST): "dexsync apply" of WHO locks workspace HOST/ID
    HOST/ID: apply 1 begins
    HOST/ID: apply 1, 7 more records
    remote (HOST): "dexsync apply" of WHO ends
    "
  `);
  expect(await git(runner.folder, 'status', '--porcelain')).toBe('');
  expect(await git(runner.folder, 'branch', '--all')).not.toContain('dexsync-ledger');
});
