import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import papaparse from 'papaparse';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { edit, group, historyProject, journalFiles, makeOld, steady, type Told } from './history-project.js';

/** JSON with sorted keys, by this test's own hand. */
function sorted(value: Told): string {
  if (Array.isArray(value)) return `[${value.map(sorted).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${sorted(value[key])}`).join(',')}}`;
}

describe('records', () => {
  test('an apply is recorded with who, where, from which commit, why, and the digest of its plan', async () => {
    const { project, run, told } = await historyProject();
    const git = (...args: string[]): string =>
      execFileSync('git', args, { cwd: project.folder, encoding: 'utf8' }).trim();
    git('init', '--initial-branch=topic/one');
    git('-c', 'user.name=n', '-c', 'user.email=e@example.com', 'commit', '--allow-empty', '-m', 'one');
    await run('apply', '--yes', '--reason', ' PLM-17: first groups ', '--var', 'secret=hunter2', '--var=other=hunter2');
    const { version } = JSON.parse(await readFile('package.json', 'utf8')) as { version: string };
    const shown = await told('show', '1');
    expect(shown).toMatchObject({
      number: 1,
      state: 'ended',
      apply: {
        command: 'apply',
        environment: 'remote',
        stack: 'test',
        actor: { login: 'admin@example.com', user: userInfo().username },
        host: hostname(),
        version,
        // The manifests are not committed.
        git: { commit: git('rev-parse', 'HEAD'), branch: 'topic/one', dirty: 'yes' },
        reason: 'PLM-17: first groups',
        digest: createHash('sha256').update(sorted(shown.plan)).digest('hex'),
      },
      counts: { done: { create: 1 }, failed: 0, unknown: 0 },
      digest: 'matches',
      steps: [{ address: 'UserGroup/Quality', action: 'create', outcome: 'done', writes: { planned: 1, done: 1 } }],
    });
    expect(shown.apply.arguments.join(' ')).toBe(
      'apply --yes --reason  PLM-17: first groups  --var secret=… --var=other=…',
    );
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    git('add', '--all');
    git('-c', 'user.name=n', '-c', 'user.email=e@example.com', 'commit', '-m', 'two');
    git('checkout', '--quiet', '--detach');
    await project.write('manifests/group.yaml', group('Quality', 'Second'));
    git('-c', 'user.name=n', '-c', 'user.email=e@example.com', 'commit', '--all', '-m', 'three');
    await run('apply', '--yes');
    const { apply } = await told('show', '2');
    // Files that dexsync itself keeps in the folder do not count as a change, whether git ignores them or not.
    expect(apply.git).toEqual({ commit: git('rev-parse', 'HEAD'), dirty: 'no' });
    expect(apply).not.toHaveProperty('reason');
  });

  test('import and reservations release are recorded as well', async () => {
    const { project, run, told } = await historyProject();
    await project.write('manifests/d.yaml', itemsDefinition('D', { Part: 'number' }, 'EDIT'));
    await project.write('a.csv', 'Part\nDX-0001\n');
    expect((await run('apply', '--yes')).code).toBe(0);
    await run('import', 'a.csv', '--definition', 'D', '--reason', 'new parts');
    const reservation = { category: 'Item\\Mechanical', quantity: 2 };
    await project.write('manifests/r.yaml', manifest('NumberReservation', 'R', reservation));
    const reserved = await run('apply', '--yes');
    expect([reserved.code, reserved.out]).toEqual([0, expect.stringContaining('NumberReservation/R')]);
    await run('reservations', 'release', 'R', '--yes', '--reason', 'not needed');
    const { applies } = await told();
    expect(applies).toMatchObject([
      { number: 4, apply: { command: 'reservations release', reason: 'not needed' }, counts: { done: { delete: 1 } } },
      { number: 3, apply: { command: 'apply' } },
      {
        number: 2,
        apply: { command: 'import', reason: 'new parts' },
        counts: { done: { import: 1 } },
        rows: { committed: 1, failed: 0 },
      },
      { number: 1, counts: { done: { create: 2 } } },
    ]);
    const { jobs } = await told('show', '2');
    expect(jobs).toMatchObject([
      { address: 'Import/a.csv', state: 'committed', number: 1, rows: 1, committed: 1, failed: 0 },
    ]);
    expect((await run('history', 'show', '2')).out).toContain(
      '  Import/a.csv  committed (run #1): 1 row, 1 committed, 0 failed\n',
    );
  });

  test.each([
    [
      { GITHUB_ACTIONS: 'true', GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'o/r', GITHUB_RUN_ID: '7' },
      { name: 'GitHub Actions', url: 'https://github.com/o/r/actions/runs/7' },
    ],
    [
      { GITLAB_CI: 'true', CI_JOB_URL: 'https://gitlab.example.com/o/r/-/jobs/7', GITLAB_USER_LOGIN: 'ann' },
      { name: 'GitLab CI', url: 'https://gitlab.example.com/o/r/-/jobs/7', by: 'ann' },
    ],
    [{ BUILD_URL: 'https://ci.example.com/job/7/' }, { name: 'Jenkins', url: 'https://ci.example.com/job/7/' }],
    [{ CI: 'true' }, { name: 'CI' }],
  ])('the run of a pipeline is recorded: %o', async (variables, ci) => {
    const { workspace, project, told } = await historyProject();
    await project.run(['apply', '--yes'], { ...workspace.variables, ...variables } as Record<string, string>);
    const [{ apply }] = (await told()).applies;
    expect(apply.ci).toEqual(ci);
  });

  test('an apply works without git, without a repository, and with a git that never answers', async () => {
    const { workspace, project, told } = await historyProject();
    const bin = join(project.folder, 'bin');
    await mkdir(bin);
    const apply = async (description: string, variables: Record<string, string>) => {
      await project.write('manifests/group.yaml', group('Quality', description));
      const begun = Date.now();
      const { code } = await project.run(['apply', '--yes'], { ...workspace.variables, ...variables });
      expect([code, Date.now() - begun]).toEqual([0, expect.toSatisfy((took: number) => took < 30_000)]);
    };
    await apply('no repository', {});
    await apply('no git', { PATH: bin });
    await writeFile(join(bin, 'git'), '#!/bin/sh\n/bin/sleep 50 &\nwait\n', { mode: 0o755 });
    await apply('a git that hangs, and what it started too', { PATH: bin });
    await writeFile(join(bin, 'git'), '#!/bin/sh\necho "# branch.oid (initial)"\n', { mode: 0o755 });
    await apply('no commit', { PATH: bin });
    const { applies } = await told();
    expect(applies).toHaveLength(4);
    for (const one of applies) expect(one.apply).not.toHaveProperty('git');
  });

  test('an empty reason is refused before anything is read', async () => {
    const { run } = await historyProject();
    const { code, err } = await run('apply', '--yes', '--reason', ' ');
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('argument " " is invalid. Give a reason, such as a ticket number.'),
    ]);
  });
});

describe('history', () => {
  /** Four applies, the first two a while ago. */
  async function fourApplies() {
    const made = await historyProject();
    const { project, run } = made;
    for (const description of ['First', 'Second', 'Third', 'Fourth']) {
      await project.write('manifests/group.yaml', group('Quality', description));
      await run('apply', '--yes', '--reason', `${description}: =1+1, "quoted"`);
    }
    return made;
  }

  test('is a table of all applies, the newest first; CSV has the same content as JSON', async () => {
    const { run, told } = await fourApplies();
    const { code, out, err } = await run('history');
    expect([code, err]).toEqual([0, '']);
    expect(steady(out).replaceAll(/ {2,}/g, '  ')).toMatchInlineSnapshot(`
      "N  WHEN (UTC)  WHO  COMMAND  RESULT  REASON
      4  <time>  admin@example.com (<user>)  apply  1 updated  Fourth: =1+1, "quoted"
      3  <time>  admin@example.com (<user>)  apply  1 updated  Third: =1+1, "quoted"
      2  <time>  admin@example.com (<user>)  apply  1 updated  Second: =1+1, "quoted"
      1  <time>  admin@example.com (<user>)  apply  1 created  First: =1+1, "quoted"
      "
    `);
    expect((await run('history', '--limit', '1')).out).toMatch(
      /^N.*\n4 .*\nOlder applies are not shown; use `--limit` to show more\.\n$/,
    );
    const { data, errors } = papaparse.parse<Record<string, string>>((await run('history', '--csv')).out.trimEnd(), {
      header: true,
    });
    const { applies } = await told();
    expect(errors).toEqual([]);
    expect(
      data.map(({ number, at, ended, digest, created, updated, reason }) => [
        number,
        at,
        ended,
        digest,
        created,
        updated,
        reason,
      ]),
    ).toEqual(
      applies.map(({ number, at, ended, apply, counts }: Told) => [
        String(number),
        at,
        ended,
        apply.digest,
        String(counts.done.create ?? 0),
        String(counts.done.update ?? 0),
        apply.reason,
      ]),
    );
  });

  test('keeps the name of an older apply when others follow', async () => {
    const { project, run, told } = await fourApplies();
    const before = await told('show', '2');
    await project.write('manifests/other.yaml', group('Other', 'Other'));
    await run('apply', '--yes');
    expect(await told('show', '2')).toEqual(before);
    expect((await told('--limit', '1')).applies).toMatchObject([{ number: 5, counts: { done: { create: 1 } } }]);
  });

  test('shows with --address the applies that named the object, and its outcome', async () => {
    const { project, run, told } = await fourApplies();
    await project.write('manifests/other.yaml', group('Other', 'UserGroup/Quality'));
    await run('apply', '--yes');
    const quality = await told('--address', 'usergroup/Quality');
    expect(quality.applies.map(({ number, object }: Told) => [number, object.action, object.outcome])).toEqual([
      [4, 'update', 'done'],
      [3, 'update', 'done'],
      [2, 'update', 'done'],
      [1, 'create', 'done'],
    ]);
    expect((await told('--address', 'UserGroup/Other')).applies).toMatchObject([{ number: 5 }]);
    expect((await run('history', '--address', 'UserGroup/Nobody')).out).toBe(
      'None of the 5 recorded applies of environment "remote" matches.\n',
    );
  });

  test('accepts dates and durations as --since', async () => {
    const { project, told } = await fourApplies();
    const [first = '', second = ''] = await journalFiles(project);
    const moved = async (file: string, to: string) => {
      const name = file.replace(/\d{8}T\d{9}Z/, to);
      await writeFile(name, await readFile(file));
      await rm(file);
    };
    await moved(first, '20240229T100000000Z');
    await moved(second, '20240301T100000000Z');
    const since = async (date: string) => (await told('--since', date)).applies.map(({ number }: Told) => number);
    expect(await since('2024-02-29')).toEqual([4, 3, 2, 1]);
    expect(await since('2024-02-29T10:00:01')).toEqual([4, 3, 2]);
    expect(await since('2024-02-29T12:00+02:00')).toEqual([4, 3, 2, 1]);
    expect(await since('2024-03-02')).toEqual([4, 3]);
    expect(await since('12h')).toEqual([4, 3]);
    expect(await since('7d')).toEqual([4, 3]);
    expect(await since('2999-01-01')).toEqual([]);
  });

  test('runs no cell of CSV as a formula, and writes no reason to the terminal', async () => {
    const { run, told } = await historyProject();
    const reason = '=HYPERLINK("http://evil")\u001b[2J\u202e\nsecond line';
    await run('apply', '--yes', '--reason', reason);
    expect((await told()).applies[0].apply.reason).toBe(reason);
    const { data } = papaparse.parse<Record<string, string>>((await run('history', '--csv')).out, { header: true });
    expect(data[0]?.reason).toBe(`'=HYPERLINK("http://evil")<U+001B>[2J<U+202E>\nsecond line`);
    const [table, shown] = [(await run('history')).out, (await run('history', 'show', '1')).out];
    expect(table).toContain('=HYPERLINK("http://evil")<U+001B>[2J<U+202E> second line\n');
    expect(shown).toContain('Reason     =HYPERLINK("http://evil")<U+001B>[2J<U+202E>\n             second line\n');
  });

  test('is empty for a workspace without an apply', async () => {
    const { run } = await historyProject();
    expect(await run('history')).toMatchObject({ code: 0, out: 'No apply is recorded for environment "remote".\n' });
    const shown = await run('history', 'show', '1');
    expect([shown.code, shown.err]).toEqual([
      3,
      'Error: Environment "remote" has no apply 1.\nNo applies are recorded.\n[UNKNOWN_NAME, exit 3]\n',
    ]);
  });

  test.each([
    [['--since', 'yesterday'], 'Give a date such as 2026-11-21'],
    [['--since', '2026-02-31'], 'Give a date such as 2026-11-21'],
    [['--since', '2026-11-21T25:00'], 'Give a date such as 2026-11-21'],
    [['--since', '7y'], 'Give a date such as 2026-11-21'],
    [['--limit', '0'], 'Give a whole number from 1 to 999999999.'],
    [['--json', '--csv'], 'Error: Option `--csv` cannot be used with option `--json`.'],
    [['--address', 'Quality'], '"Quality" is not an address.'],
    [['--address', 'UserGrup/Quality'], 'There is no kind or job "UserGrup".\nDid you mean "UserGroup"?'],
    [['show', '0'], 'Applies are numbered from 1.'],
    [['show', 'x'], 'Applies are numbered from 1.'],
    [['show'], 'Error: Missing required argument "n".\nSee `dexsync history show --help`.\n[USAGE, exit 3]'],
    [['12'], 'The configuration has no environment "12".'],
    [['--env', 'prod'], 'The configuration has no environment "prod"'],
  ])('%o is a mistake', async (args, message) => {
    const project = await testProject();
    const { code, out, err } = await project.run(['history', ...args]);
    const isJson = args.includes('--json');
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(out === '').toBe(!isJson);
  });
});

describe('the history reads local files and spends no request', () => {
  test('where the configuration names the workspace, without a password too', async () => {
    const { workspace, project, run } = await historyProject();
    await run('apply', '--yes');
    const before = (await workspace.usage()).length;
    const { DEXSYNC_REMOTE_PASSWORD: _, DEXSYNC_REMOTE_EMAIL: __, ...variables } = workspace.variables;
    const { code, out } = await project.run(['history'], variables);
    expect([code, out]).toEqual([0, expect.stringMatching(/^N .*\n1 .*\n$/)]);
    expect((await project.run(['history', 'show', '1'], variables)).code).toBe(0);
    expect(await workspace.usage()).toHaveLength(before);
  });

  test('where an earlier command learned the workspace; otherwise it logs in and learns it', async () => {
    const { workspace, project } = await historyProject();
    const { DEXSYNC_REMOTE_WORKSPACE_ID: _, ...variables } = workspace.variables;
    const { DEXSYNC_REMOTE_PASSWORD: __, ...withoutPassword } = variables;
    await project.run(['apply', '--yes'], variables);
    expect((await project.run(['history'], withoutPassword)).out).toMatch(/^N .*\n1 .*\n$/);
    await rm(join(project.folder, '.dexsync', 'workspaces'), { recursive: true });
    const asked = await project.run(['history'], withoutPassword);
    expect([asked.code, asked.err]).toEqual([3, expect.stringContaining('CREDENTIALS_MISSING')]);
    expect((await project.run(['history'], variables)).out).toMatch(/^N .*\n1 .*\n$/);
    expect((await project.run(['history'], withoutPassword)).code).toBe(0);
    // Another user may be led to another workspace.
    const other = await project.run(['history'], { ...withoutPassword, DEXSYNC_REMOTE_EMAIL: 'cleo@example.com' });
    expect(other.err).toContain('CREDENTIALS_MISSING');
  });

  test('of the embedded workspace without starting it; without its data the history is empty', async () => {
    const project = await testProject({ 'manifests/group.yaml': group('Quality', 'First') });
    expect((await project.run(['history'])).out).toBe('No apply is recorded for environment "local".\n');
    await project.run(['apply', '--yes']);
    const usage = await readFile(join(project.folder, '.dexsync', 'local.db'));
    expect((await project.run(['history'])).out).toMatch(/^N .*\n1 .*\n$/);
    expect((await readFile(join(project.folder, '.dexsync', 'local.db'))).equals(usage)).toBe(true);
    await rm(join(project.folder, '.dexsync', 'local.db'));
    expect((await project.run(['history'])).out).toBe('No apply is recorded for environment "local".\n');
    await project.run(['apply', '--yes']);
    expect((await project.run(['history'])).out).toMatch(/^N .*\n1 .*\n$/);
  });
});

describe('journals that differ from their first text', () => {
  async function threeApplies() {
    const made = await historyProject();
    for (const description of ['First', 'Second', 'Third']) {
      await made.project.write('manifests/group.yaml', group('Quality', description));
      await made.run('apply', '--yes', '--reason', description);
    }
    return { ...made, files: (await journalFiles(made.project)) as [string, string, string] };
  }

  test('of older versions are counted by their records; they do not show the user', async () => {
    const { files, run, told } = await threeApplies();
    const before = await told();
    await makeOld(files[1]);
    const { applies } = await told();
    const { apply: _, ...rest } = before.applies[1];
    expect(applies).toEqual([before.applies[0], { ...rest, apply: null }, before.applies[2]]);
    expect((await run('history')).out).toMatch(/\n2 +\S+ \S+ +\? +\? +1 updated\n/);
    const shown = await run('history', 'show', '2');
    expect([shown.code, shown.out]).toEqual([
      0,
      expect.stringContaining('Who        not recorded (journal of an older version)\n'),
    ]);
    expect((await told('show', '2')).digest).toBe('unknown');
    expect((await run('describe', 'UserGroup/Quality')).code).toBe(0);
  });

  test('have one damaged entry for a damaged line', async () => {
    const { files, run, told } = await threeApplies();
    const before = (await told()).applies;
    await edit(files[1], ([plan = '', ...rest]) => [plan, rest[0] ?? '', 'what is this', ...rest.slice(2)]);
    const [third, second, first] = (await told()).applies;
    expect([third, first]).toEqual([before[0], before[2]]);
    expect(second).toMatchObject({
      number: 2,
      state: 'damaged',
      damage: 'line 3 is not a record',
      apply: { reason: 'Second' },
    });
    const { code, out } = await run('history');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/\n2 .*1 updated, damaged: line 3 is not a record +Second\n/),
    ]);
    expect((await run('history', 'show', '2')).out).toContain(
      'State      the journal is damaged: line 3 is not a record\n',
    );
    expect((await run('history', 'show', '3')).code).toBe(0);
  });

  test('keep the time of the file and later records where the first line is gone', async () => {
    const { files, run, told } = await threeApplies();
    await edit(files[0], ([plan = '', ...rest]) => [plan.slice(0, 300), ...rest]);
    await writeFile(files[1], '');
    const { applies } = await told();
    expect(applies).toMatchObject([
      { number: 3, state: 'ended' },
      { number: 2, state: 'damaged', damage: 'line 1 is not a record', apply: null, counts: null, ended: null },
      { number: 1, state: 'damaged', damage: 'line 1 is not a record', apply: null, counts: { done: { create: 1 } } },
    ]);
    expect(applies[2].at).toMatch(/^20\d\d-\d\d-\d\dT.*Z$/);
    for (const number of ['1', '2']) {
      expect(await told('show', number)).toMatchObject({ plan: null, digest: 'unknown', steps: [] });
      expect((await run('history', 'show', number)).code).toBe(0);
    }
  });

  test('show that an edited plan lost its digest', async () => {
    const { files, run, told } = await threeApplies();
    await edit(files[1], (lines) => lines.map((line) => line.replace('"after":"Second"', '"after":"Other"')));
    expect((await told('show', '2')).digest).toBe('differs');
    const { code, out } = await run('history', 'show', '2');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/Digest {5}[0-9a-f]{64}: the plan was changed after it was recorded\n/),
    ]);
    expect((await told('show', '1')).digest).toBe('matches');
  });

  test('are reported where they cannot be read', async () => {
    const { files, told } = await threeApplies();
    await rm(files[1]);
    await mkdir(files[1]);
    const { applies } = await told();
    expect(applies[1]).toMatchObject({
      number: 2,
      state: 'damaged',
      damage: expect.stringMatching(/^it cannot be read: EISDIR/),
    });
    expect(applies[0]).toMatchObject({ number: 3, state: 'ended' });
  });
});

test('describe shows who applied last', async () => {
  const { project, run } = await historyProject();
  await run('apply', '--yes');
  await project.write('manifests/group.yaml', group('Quality', 'Second'));
  await run('apply', '--yes');
  const { lastApplied } = JSON.parse((await run('describe', 'UserGroup/Quality', '--json')).out);
  expect(lastApplied).toMatchObject({
    action: 'update',
    number: 2,
    actor: { login: 'admin@example.com', user: userInfo().username },
  });
  expect(steady((await run('describe', 'UserGroup/Quality')).out)).toContain(
    '  Last applied  <time> by admin@example.com (<user>): update (description differs from the manifest.), apply 2\n',
  );
});
