import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { git } from '../../harness/git.js';
import { manifest } from '../../harness/manifest.js';
import { noPostgres } from '../../harness/postgres.js';
import { sample } from '../../harness/sample.js';
import { freshRunner, inGit, inPostgres, machine, type TeamLedger } from '../../harness/team-ledger.js';
import { finished, testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import { group, groups } from '../lease-project.js';

const kept = manifest('UserGroup', 'Kept', { description: 'x' }, { protect: true });
const BRANCH = 'refs/heads/dexsync-ledger';
const WITNESS = 'refs/dexsync/witness/dexsync-ledger';

/** Two applies: G0, then Kept, which the second one protects and which then leaves the manifests. */
async function appliedTwice(ledger: TeamLedger, between: (place: string) => Promise<void> = async () => undefined) {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': groups(1) });
  const own = await ledger.place(project);
  const place = own.TEST_LEDGER ?? /remote: "(.+)"/.exec(await project.read('sync.config.yaml'))?.[1] ?? '';
  const common = { ...workspace.variables, ...own };
  const variables = { ...common, ...machine() };
  const run = (...args: string[]) => project.run(args, variables);
  expect((await run('apply', '--yes')).err).toBe('');
  await between(place);
  await project.write('manifests/kept.yaml', kept);
  expect((await run('apply', '--yes')).err).toBe('');
  const { out } = await run('history', '--json');
  await rm(join(project.folder, 'manifests/kept.yaml'));
  const other = await freshRunner(project);
  const elsewhere = (...args: string[]) => other.project.run(args, { ...common, ...other.variables });
  return { workspace, project, place, run, elsewhere, out };
}

type Stage = Awaited<ReturnType<typeof appliedTwice>>;

const RELYING = [
  ['plan'],
  ['apply', '--yes', '--prune'],
  ['destroy', '--yes', '--confirm', 'Embedded Workspace'],
  ['drift'],
];

/** Every command that relies on the ledger says what is lost, and nothing of the workspace is deleted. */
async function expectRefused({ workspace }: Stage, run: Stage['run']): Promise<string> {
  let lost = '';
  for (const args of sample(RELYING, 2)) {
    const { code, out, err } = await run(...args);
    expect([code, err], `${args.join(' ')}\n${out}`).toEqual([
      1,
      expect.stringContaining('is older than what was seen of it'),
    ]);
    lost = /`dexsync ledger accept (\S+)`/.exec(err)?.[1] ?? '';
    expect(lost, args.join(' ')).toMatch(/^j00000002_/);
  }
  expect((await workspace.usage()).filter(({ method }) => method === 'DELETE')).toEqual([]);
  const shown = await run('history');
  expect([shown.code, shown.out + shown.err]).toEqual([
    0,
    expect.stringContaining('is older than what was seen of it'),
  ]);
  expect(await run('ledger', 'check')).toMatchObject({ code: 1, out: expect.stringContaining(lost.slice(0, -6)) });
  return lost;
}

async function expectAccepted(run: Stage['run'], elsewhere: Stage['run'], lost: string): Promise<void> {
  expect(await run('ledger', 'accept', lost)).toMatchObject({ code: 0, err: '' });
  for (const one of [run, elsewhere]) {
    expect((await one('plan')).err).toBe('');
    expect(await one('ledger', 'check')).toMatchObject({ code: 0 });
  }
  expect((await run('history')).out).toContain(`went on without ${lost}`);
}

const revision = async (remote: string, ref: string): Promise<string> =>
  (await git(remote, 'rev-parse', '--verify', '--quiet', ref).catch(() => '')).trim();

const LOSSES = ['rewound', 'deleted'] as const;

describe.each(sample(LOSSES, 1))('a branch that was %s at the remote', (how) => {
  async function lost() {
    let first = '';
    const stage = await appliedTwice(inGit, async (remote) => {
      first = await revision(remote, BRANCH);
    });
    const whole = await revision(stage.place, BRANCH);
    const lose = () => git(stage.place, 'update-ref', ...(how === 'rewound' ? [BRANCH, first] : ['-d', BRANCH]));
    await lose();
    return { ...stage, whole, left: how === 'rewound' ? first : '' };
  }

  test('is refused by the clone that pushed it and by one that never saw it, nothing is pushed, and the hint brings all back', async () => {
    const stage = await lost();
    for (const run of [stage.elsewhere, stage.run]) await expectRefused(stage, run);
    expect(await revision(stage.place, BRANCH)).toBe(stage.left);
    const { err } = await stage.elsewhere('plan');
    execFileSync('sh', ['-c', /Push it back: `(.+?)`/.exec(err)?.[1] ?? 'false']);
    expect(await revision(stage.place, BRANCH)).toBe(stage.whole);
    for (const run of [stage.run, stage.elsewhere]) {
      expect(await run('plan', '--prune')).toMatchObject({ code: 4, out: expect.stringContaining('protected') });
      expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
    }
  });

  test('is accepted by name, once for all clones', async () => {
    const stage = await lost();
    const name = await expectRefused(stage, stage.elsewhere);
    await expectAccepted(stage.elsewhere, stage.run, name);
    await stage.project.write('manifests/more.yaml', group('More'));
    expect(await stage.run('apply', '--yes')).toMatchObject({ code: 0, err: '' });
    expect(await revision(stage.place, WITNESS)).toBe(await revision(stage.place, BRANCH));
  });

  test('is rebuilt', async () => {
    const stage = await lost();
    await stage.project.write('manifests/kept.yaml', kept);
    expect((await stage.run('ledger', 'rebuild', '--yes')).code).toBe(0);
    for (const run of [stage.run, stage.elsewhere]) expect(await run('ledger', 'check')).toMatchObject({ code: 0 });
    expect(await stage.run('plan', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
  });

  test('together with its witness is refused by the clone that saw it', async () => {
    const stage = await lost();
    await git(stage.place, 'update-ref', ...(how === 'rewound' ? [WITNESS, stage.left] : ['-d', WITNESS]));
    await expectAccepted(stage.run, stage.elsewhere, await expectRefused(stage, stage.run));
  });
});

test('each loss of several workspaces in one branch is accepted by itself', async () => {
  const stage = await appliedTwice(inGit);
  const second = await testWorkspace();
  const variables = { ...second.variables, ...machine() };
  const there = (...args: string[]) => stage.project.run(args, variables);
  for (const name of ['One', 'Two']) {
    await stage.project.write('manifests/kept.yaml', group(name));
    expect((await there('apply', '--yes')).code).toBe(0);
  }
  await rm(join(stage.project.folder, 'manifests/kept.yaml'));
  await git(stage.place, 'update-ref', '-d', BRANCH);
  const nameIn = (err: string): string => /`dexsync ledger accept (\S+)`/.exec(err)?.[1] ?? '';
  await expectAccepted(stage.run, stage.elsewhere, nameIn((await stage.run('plan')).err));
  const { code, err } = await there('plan');
  expect(code).toBe(1);
  expect(await there('ledger', 'accept', nameIn(err))).toMatchObject({ code: 0, err: '' });
  for (const run of [there, stage.run, stage.elsewhere]) expect((await run('apply', '--yes')).err).toBe('');
  expect(await revision(stage.place, WITNESS)).toBe(await revision(stage.place, BRANCH));
});

test('a forge that accepts only branches is used without a witness, and the clone that pushed notices the loss', async () => {
  let first = '';
  const stage = await appliedTwice(inGit, async (remote) => {
    first = await revision(remote, BRANCH);
    await git(remote, 'config', 'receive.hideRefs', 'refs/dexsync');
    await git(remote, 'update-ref', '-d', WITNESS);
  });
  expect(await revision(stage.place, WITNESS)).toBe('');
  await git(stage.place, 'update-ref', BRANCH, first);
  await expectRefused(stage, stage.run);
});

describe.skipIf(noPostgres !== undefined)('PostgreSQL', () => {
  const ledger = inPostgres();

  test.each(sample(['the newest journal', 'all journals'], 1))(
    '%s deleted: refused by every machine, and accepted by name',
    async (what) => {
      const stage = await appliedTwice(ledger);
      const client = new pg.Client(stage.place);
      await client.connect();
      const which = what === 'all journals' ? '' : " where name like 'j00000002%'";
      for (const table of ['dexsync_part', 'dexsync_journal']) await client.query(`delete from ${table}${which}`);
      await client.end();
      const name = await expectRefused(stage, stage.elsewhere);
      await expectRefused(stage, stage.run);
      await expectAccepted(stage.run, stage.elsewhere, name);
    },
  );
});

test('a remote that vanishes during an apply: the apply ends with 4, and the next one records its steps', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': groups(1) });
  await inGit.place(project);
  const place = /remote: "(.+)"/.exec(await project.read('sync.config.yaml'))?.[1] ?? '';
  await workspace.arm([{ method: 'POST', path: '/settings/usergroups', do: 'pass' }], () =>
    renameSync(place, `${place}.gone`),
  );
  const variables = { ...workspace.variables, ...machine() };
  const { code, out } = await finished(project.start(['apply', '--yes'], variables));
  expect([code, out]).toEqual([4, expect.stringMatching(/ledger-behind[\s\S]*run the command again/)]);
  renameSync(`${place}.gone`, place);
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  expect((await project.run(['plan', '--detailed-exitcode'], variables)).code).toBe(0);
  expect((await project.run(['ledger', 'check'], variables)).code).toBe(0);
  expect(
    (await workspace.usage()).filter(({ method, path }) => method === 'POST' && path.endsWith('/usergroups')),
  ).toHaveLength(1);
});
