import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { mistakesInLine } from '../harness/event-lines.js';
import { linesOf } from '../harness/manifest.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { exchangeProject } from './exchange-project.js';
import { applyingProcess, applyUnderWay, group, groups, holding, isWrite, leaseOf, said } from './lease-project.js';

const IN_USE =
  /^Error: Environment remote is in use by "dexsync apply" of \S+ on \S+ \(process \d+, "release 12"\), since \d\d:\d\d \([\w ]+\); last seen [\w ]+ ago\.\nUse `--wait` to wait for it; `dexsync lock show` shows who holds the lock\.\n\[LOCKED, exit 7\]\n$/;

const leases = async (folder: string): Promise<string[]> => {
  const all = await readdir(join(folder, '.dexsync/leases'), { recursive: true }).catch(() => []);
  return all.filter((name) => name.endsWith('.json')).map((name) => join(folder, '.dexsync/leases', name));
};

describe('during an apply', () => {
  test('others learn whose it is, log in nowhere and send nothing; then it ends undisturbed', async () => {
    const { held, project, result } = await applyUnderWay();
    for (const args of [['plan'], ['apply', '--yes'], ['get', 'usergroups'], ['api', '/items']]) {
      const { code, out, err } = await project.run(args, held.variables);
      expect([code, out, err], args.join(' ')).toEqual([7, '', expect.stringMatching(IN_USE)]);
    }
    const json = await project.run(['apply', '--yes', '--json'], held.variables);
    expect(linesOf(json.out)).toMatchObject([
      { type: 'error', code: 'LOCKED', exitCode: 7 },
      { type: 'summary', exitCode: 7 },
    ]);
    expect(held.count('POST', '/login')).toBe(1);
    held.letGo();
    expect(await result).toMatchObject({ code: 0, err: '' });
    expect((await project.run(['plan', '--detailed-exitcode'], held.variables)).code).toBe(0);
    expect(await leases(project.folder)).toEqual([]);
  });

  test('lock show names the holder, without a login', async () => {
    const { held, project, result } = await applyUnderWay();
    const asked = { DEXSYNC_ENV: 'remote', TEST_URL: held.variables.TEST_URL as string };
    const shown = await project.run(['lock', 'show'], asked);
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect(shown.out).toMatch(
      /^In use: environment remote, by "dexsync apply" of \S+ on \S+ \(process \d+, "release 12"\), since .+ ago\. It is logged in as \S+@example\.com\.\n$/,
    );
    const { out } = await project.run(['lock', 'show', '--json'], asked);
    expect(JSON.parse(out)).toMatchObject({
      environment: 'remote',
      service: new URL(held.variables.TEST_URL as string).host,
      leases: [
        { state: 'held', command: 'dexsync apply', reason: 'release 12', pid: process.pid, environment: 'remote' },
      ],
    });
    const { code, err } = await project.run(['lock', 'release'], asked);
    expect([code, err]).toEqual([
      7,
      expect.stringMatching(/is in use by "dexsync apply".*Nothing was released\.\n.*--force/),
    ]);
    held.letGo();
    await result;
    expect((await project.run(['lock', 'show'], asked)).out).toBe('Environment remote is not in use.\n');
  });

  test('--wait waits, says so once, and continues', async () => {
    const { held, project, result } = await applyUnderWay();
    const plan = project.begin(['plan', '--detailed-exitcode', '--wait'], held.variables);
    const waited = plan.result;
    await plan.wrote(/waiting for "dexsync apply"/);
    const json = project.begin(['apply', '--yes', '--json', '--wait', '60'], held.variables);
    const applied = json.result;
    await json.wrote(/"type":"locked"/);
    const document = project.begin(['plan', '--json', '--wait'], held.variables);
    const planned = document.result;
    await document.wrote(/waiting for "dexsync apply"/);
    held.letGo();
    expect((await result).code).toBe(0);
    const { code, out } = await waited;
    expect([code, out.match(/waiting for/g)]).toEqual([0, ['waiting for']]);
    expect(out).toMatch(
      /^waiting for "dexsync apply" of \S+ on \S+ \(process \d+, "release 12"\), since \d\d:\d\d \([\w ]+\)\nPlan for .+\n\nNo changes/,
    );
    const events = linesOf((await applied).out);
    expect(events.map(mistakesInLine).filter((mistake) => mistake !== null)).toEqual([]);
    expect(events.filter(({ type }) => type === 'locked')).toMatchObject([
      { environment: 'remote', most: 60, by: expect.stringContaining('"dexsync apply"'), holder: { pid: process.pid } },
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'summary', exitCode: 0, done: 0 });
    const third = await planned;
    expect(JSON.parse(third.out).steps).toEqual([]);
    expect(third.err).toMatch(/^waiting for .+\n$/);
  });

  test('--wait SECONDS ends with 7, and Ctrl-C ends it with 130', async () => {
    const { held, project } = await applyUnderWay();
    const bounded = await project.run(['apply', '--yes', '--wait', '1'], held.variables);
    expect([bounded.code, bounded.err]).toEqual([
      7,
      expect.stringMatching(/is in use by .+ ago\. Waited for 1 second\.\n/),
    ]);
    expect(bounded.out).toMatch(/^waiting up to 1 s for .+\n$/);
    const waiting = project.start(['plan', '--wait'], held.variables);
    const result = finished(waiting);
    await said(waiting, /waiting for/);
    waiting.kill('SIGINT');
    expect(await result).toMatchObject({ code: 130, err: expect.stringContaining('[INTERRUPTED, exit 130]') });
    expect(held.count('POST', '/login')).toBe(1);
  });

  test('a separate user for reading need not wait', async () => {
    const { held, project, workspace } = await applyUnderWay();
    const config = await project.read('sync.config.yaml');
    const reading = 'readCredentials: { email: cleo@example.com, password: "${env.READER}" }';
    await project.write('sync.config.yaml', config.replace('"${env.TEST_URL}" }', `"\${env.TEST_URL}", ${reading} }`));
    const variables = { ...held.variables, READER: workspace.variables.DEXSYNC_REMOTE_PASSWORD as string };
    const plan = await project.run(['plan', '--detailed-exitcode'], variables);
    expect([plan.code, plan.err]).toEqual([2, '']);
    const check = await project.run(['env', 'check', '--json'], variables);
    expect(JSON.parse(check.out)).toMatchObject({ user: 'cleo@example.com' });
    expect((await project.run(['apply', '--yes'], variables)).code).toBe(7);
    const { EMAIL } = { EMAIL: workspace.variables.DEXSYNC_REMOTE_EMAIL as string };
    await project.write(
      'sync.config.yaml',
      (await project.read('sync.config.yaml')).replace('cleo@example.com', EMAIL.toUpperCase()),
    );
    expect((await project.run(['plan'], variables)).code).toBe(7);
  });
});

describe('the end of a lease', () => {
  test('kill -9: the next apply takes it at once', async () => {
    const { held, project, child, result } = await applyingProcess();
    child.kill('SIGKILL');
    await result;
    held.letGo();
    expect(await leases(project.folder)).toHaveLength(2);
    const { out } = await project.run(['lock', 'show'], held.variables);
    expect(out).toMatch(/^Left behind: .+\. That process has ended; the next command that writes takes the lock\.\n$/);
    const next = await project.run(['apply', '--yes'], held.variables);
    expect(next.err).toBe('');
    expect(await leases(project.folder)).toEqual([]);
  });

  test('kill -9, then reading: nobody is blocked, and lock release tidies up', async () => {
    const { held, project, child, result } = await applyingProcess();
    child.kill('SIGKILL');
    await result;
    held.letGo();
    expect((await project.run(['plan'], held.variables)).err).toBe('');
    const released = await project.run(['lock', 'release'], held.variables);
    expect([released.code, released.out]).toEqual([
      0,
      expect.stringMatching(/^Released: the lock of "dexsync apply" of /),
    ]);
    const again = await project.run(['lock', 'release'], held.variables);
    expect([again.code, again.out]).toEqual([0, 'Environment remote is not in use. There was nothing to release.\n']);
  });

  test.each(['SIGINT', 'SIGTERM'] as const)('%s: it is released', async (signal) => {
    const { held, project, child, result } = await applyingProcess();
    child.kill(signal);
    await said(child, /Stopping/);
    expect(await leases(project.folder)).toHaveLength(2);
    held.letGo();
    expect((await result).code).toBe(130);
    expect(await leases(project.folder)).toEqual([]);
  });

  test('errors: it is released', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/groups.yaml': groups(1) });
    const wrong = { ...workspace.variables, DEXSYNC_REMOTE_PASSWORD: 'wrong' };
    expect((await project.run(['apply', '--yes'], wrong)).code).toBe(6);
    expect(await leases(project.folder)).toEqual([]);
  });
});

describe('a lease that is lost in the middle', () => {
  const LOST = /The lock on environment remote was lost: its file was removed\./;

  test('by lock release --force: no further write is sent, and the message says why', async () => {
    // One at a time, so that most are still to be sent.
    const workspace = await testWorkspace();
    const held = await holding(workspace, isWrite);
    const project = await testProject({ 'manifests/groups.yaml': groups(5) });
    const { result } = project.begin(['apply', '--yes', '--parallelism', '1'], held.variables);
    await held.reached;
    const unsure = await project.run(['lock', 'release', '--force'], held.variables);
    expect([unsure.code, unsure.err]).toEqual([3, expect.stringContaining('[CONFIRMATION_NEEDED, exit 3]')]);
    const released = await project.run(['lock', 'release', '--force', '--yes'], held.variables);
    expect([released.code, released.out]).toEqual([
      0,
      expect.stringContaining('Released: the lock of "dexsync apply"'),
    ]);
    held.letGo();
    const { code, out } = await result;
    expect([code, out]).toEqual([7, expect.stringMatching(LOST)]);
    expect(out).toMatch(/Result: 0 done, 2 failed, 3 skipped\./);
    expect(out).toContain('The write succeeded, but was not recorded');
    expect(held.count('POST', '/settings/usergroups')).toBe(1);
    const next = await project.run(['apply', '--yes'], held.variables);
    expect(next.err).toBe('');
    expect((await project.run(['plan', '--detailed-exitcode'], held.variables)).code).toBe(0);
  });

  test('before the first write: the journal is not started', async () => {
    const { held, project, result } = await applyUnderWay(
      groups(1),
      ({ method, path }) => method === 'GET' && path.startsWith('/settings/usergroups'),
    );
    for (const file of await leases(project.folder)) await rm(file);
    held.letGo();
    const { code, err } = await result;
    expect([code, err]).toEqual([
      7,
      expect.stringMatching(/^Error: The lock on environment remote was lost: .+\n.+\n\[LEASE_LOST, exit 7\]\n$/),
    ]);
    expect(held.count('POST', '/settings/usergroups')).toBe(0);
    expect(await readdir(join(project.folder, '.dexsync'))).not.toContain('ledger');
  });

  test('to another apply, which the message names', async () => {
    const { held, project, result } = await applyUnderWay(groups(1), ({ method }) => method === 'GET');
    for (const file of await leases(project.folder)) await rm(file);
    const { TEST_URL = '', DEXSYNC_REMOTE_EMAIL = '' } = held.variables;
    await leaseOf(project, { service: new URL(TEST_URL).host, login: DEXSYNC_REMOTE_EMAIL });
    held.letGo();
    const { code, err } = await result;
    expect([code, err]).toEqual([
      7,
      expect.stringMatching(
        /was lost: it was taken by "dexsync apply" of \S+ on \S+ \(process \d+\), since .+ ago\.\n/,
      ),
    ]);
  });
});

describe('one workspace has one lease for every login and place', () => {
  const ANN = { DEXSYNC_REMOTE_EMAIL: 'ann@example.com' };
  const manifests = { 'manifests/groups.yaml': groups(3) };

  test('another user in the same folder is warned and writes nothing, or waits', async () => {
    const { held, project, result } = await applyUnderWay();
    const refused = await project.run(['apply', '--yes'], { ...held.variables, ...ANN });
    expect([refused.code, refused.out, refused.err]).toEqual([7, '', expect.stringMatching(IN_USE)]);
    expect((await project.run(['plan'], { ...held.variables, ...ANN })).code).toBe(0);
    const waiting = project.begin(['apply', '--yes', '--wait'], { ...held.variables, ...ANN });
    await waiting.wrote(/waiting for "dexsync apply"/);
    held.letGo();
    expect((await result).code).toBe(0);
    expect(await waiting.result).toMatchObject({ code: 0, out: expect.stringContaining('No changes') });
    expect(held.count('POST', '/settings/usergroups')).toBe(3);
  });

  test('a clone in another folder is warned, without a login of that user, and with one of another', async () => {
    const { held, project, result } = await applyUnderWay();
    const clone = await testProject(manifests);
    for (const args of [['apply', '--yes'], ['plan']]) {
      expect(await clone.run(args, held.variables)).toMatchObject({ code: 7, err: expect.stringMatching(IN_USE) });
    }
    expect(held.count('POST', '/login')).toBe(1);
    const other = await clone.run(['apply', '--yes'], { ...held.variables, ...ANN });
    expect([other.code, other.err]).toEqual([7, expect.stringMatching(IN_USE)]);
    const shown = await clone.run(['lock', 'show'], held.variables);
    expect(shown.out).toMatch(/^In use: environment remote, by "dexsync apply" of [^\n]+\n$/);
    held.letGo();
    expect(await result).toMatchObject({ code: 0, err: '' });
    for (const one of [project, clone]) {
      expect((await one.run(['lock', 'show'], held.variables)).out).toBe('Environment remote is not in use.\n');
    }
  });

  test('two users in two clones with --wait create everything once', async () => {
    const workspace = await testWorkspace();
    const [one, two] = [await testProject(manifests), await testProject(manifests)];
    const apply = ['apply', '--yes', '--wait'];
    const children = [one.start(apply, workspace.variables), two.start(apply, { ...workspace.variables, ...ANN })];
    const results = await Promise.all(children.map(finished));
    expect(results.map(({ code }) => code)).toEqual([0, 0]);
    const { body } = await workspace.call('GET', '/settings/usergroups');
    const names = body.results.map(({ name }: { name: string }) => name).filter((name: string) => /^G\d$/.test(name));
    expect(names.sort()).toEqual(['G0', 'G1', 'G2']);
  });

  test('lock release --force in a clone removes all of it', async () => {
    const { held, project, result } = await applyUnderWay();
    const clone = await testProject(manifests);
    const released = await clone.run(['lock', 'release', '--force', '--yes'], held.variables);
    expect([released.code, released.out.trim().split('\n').length]).toEqual([0, 1]);
    held.letGo();
    expect(await result).toMatchObject({ code: 7, out: expect.stringContaining('was lost') });
    expect((await project.run(['lock', 'show'], held.variables)).out).toBe('Environment remote is not in use.\n');
  });

  test('clones meet in the folder of temporary files where the state folder cannot be written', async () => {
    const workspace = await testWorkspace();
    const held = await holding(workspace, isWrite);
    const [one, two] = [await testProject(manifests), await testProject({ ...manifests, nowhere: '' })];
    const variables = { ...held.variables, XDG_STATE_HOME: join(two.folder, 'nowhere') };
    const { result } = one.begin(['apply', '--yes'], variables);
    await held.reached;
    expect((await two.run(['apply', '--yes'], { ...variables, ...ANN })).code).toBe(7);
    held.letGo();
    expect((await result).code).toBe(0);
  });

  test('kill -9 in one clone: another takes it at once', async () => {
    const { held, child, result } = await applyingProcess();
    child.kill('SIGKILL');
    await result;
    held.letGo();
    expect((await (await testProject(manifests)).run(['apply', '--yes'], { ...held.variables, ...ANN })).code).toBe(0);
  });
});

describe('two commands at once', () => {
  test('applies started at the same instant: one proceeds, the other is refused', async () => {
    const workspace = await testWorkspace();
    const held = await holding(workspace, ({ path }) => path === '/login');
    const project = await testProject({ 'manifests/groups.yaml': groups(3) });
    const children = [1, 2, 3].map(() => project.start(['apply', '--yes'], held.variables));
    const results = children.map(finished);
    await new Promise<void>((done) => {
      let refused = 0;
      for (const result of results) {
        void result.then(({ code }) => {
          refused += code === 7 ? 1 : 0;
          if (refused === 2) done();
        });
      }
    });
    held.letGo();
    expect((await Promise.all(results)).map(({ code }) => code).sort()).toEqual([0, 7, 7]);
    expect(held.count('POST', '/login')).toBe(1);
    expect(held.count('POST', '/settings/usergroups')).toBe(3);
  });

  test('applies with --wait: both succeed, everything is created once, and the plan is empty', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/groups.yaml': groups(6) });
    const results = await Promise.all(
      [1, 2, 3].map(() => project.run(['apply', '--yes', '--wait'], workspace.variables)),
    );
    expect(results.map(({ code, err }) => [code, err])).toEqual(results.map(() => [0, '']));
    const writes = (await workspace.usage()).filter(({ method }) => method === 'POST');
    expect(writes).toHaveLength(6);
    expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
  });

  test('one saved plan with --wait: it is applied once, and the other is informed', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/groups.yaml': groups(3) });
    expect((await project.run(['plan', '--out', 'plan.json'], workspace.variables)).code).toBe(0);
    const results = await Promise.all(
      [1, 2].map(() => project.run(['apply', 'plan.json', '--yes', '--wait'], workspace.variables)),
    );
    expect(results.map(({ code }) => code).sort(), results.map(({ err }) => err).join()).toEqual([0, 5]);
    expect((await workspace.usage()).filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  test('plans of one user, who end the sessions of each other: all of them succeed', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/groups.yaml': groups(3) });
    const results = await Promise.all([1, 2, 3].map(() => project.run(['plan'], workspace.variables)));
    expect(results.map(({ code, err }) => [code, err])).toEqual(results.map(() => [0, '']));
  });

  test('a plan whose session an apply ended is reported as such', async () => {
    const workspace = await testWorkspace();
    const reading = await holding(workspace, ({ method }) => method === 'GET');
    const project = await testProject({ 'manifests/groups.yaml': groups(1) });
    const plan = project.begin(['plan'], reading.variables);
    const planned = plan.result;
    await reading.reached;
    const { TEST_URL = '', DEXSYNC_REMOTE_EMAIL = '' } = reading.variables;
    await leaseOf(project, { service: new URL(TEST_URL).host, login: DEXSYNC_REMOTE_EMAIL });
    await workspace.administer('GET', '/items');
    reading.letGo();
    expect(await planned).toMatchObject({ code: 7, err: expect.stringContaining('[LOCKED, exit 7]') });
    expect(reading.count('POST', '/login')).toBe(1);
  });

  test('exports into one folder are kept apart', async () => {
    const { workspace, project } = await exchangeProject('reference');
    const held = await holding(workspace, ({ method, path }) => method === 'POST' && path.endsWith('/runs'));
    const run = ['exports', 'run', 'Parts', '--out', 'out'];
    const { result: done } = project.begin(run, held.variables);
    await held.reached;
    const second = await project.run(run, held.variables);
    expect([second.code, second.err]).toEqual([7, expect.stringMatching(/in use by "dexsync exports run" of /)]);
    const third = project.begin([...run, '--wait'], held.variables);
    await third.wrote(/waiting for "dexsync exports run"/);
    held.letGo();
    expect((await done).code).toBe(0);
    expect(await third.result).toMatchObject({ code: 3, err: expect.stringContaining('is not empty') });
    expect((await readdir(join(project.folder, 'out'))).sort()).toEqual(['BOM.csv', 'SPECS.csv']);
  });
});

describe('the embedded workspace', () => {
  const key = { service: 'embedded/local.db', login: 'embedded' };

  test('is locked like any other while something writes to it', async () => {
    const project = await testProject({ 'manifests/groups.yaml': groups(1) });
    const lease = await leaseOf(project, key);
    for (const args of [['plan'], ['apply', '--yes'], ['env', 'check']]) {
      const { code, err } = await project.run(args);
      expect([code, err]).toEqual([
        7,
        expect.stringMatching(/^Error: Environment local is in use by "dexsync apply" of /),
      ]);
    }
    const waiting = project.begin(['plan', '--wait']);
    await waiting.wrote(/waiting for/);
    await lease.release();
    expect(await waiting.result).toMatchObject({ code: 0, err: '' });
  });

  test('gives turns to commands that read, and one that writes waits for them', async () => {
    const project = await testProject({ 'manifests/groups.yaml': groups(1) });
    expect((await project.run(['apply', '--yes'])).code).toBe(0);
    await project.write('manifests/more.yaml', group('More'));
    const args = [['plan'], ['get', 'usergroups'], ['plan', '--json'], ['apply', '--yes', '--wait']];
    const results = await Promise.all(args.map((one) => project.run([...one, '--wait'])));
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
  });

  test('is free after kill -9 of an apply: the next one continues at once', async () => {
    const project = await testProject({ 'manifests/groups.yaml': groups(8) });
    const child = project.start(['apply', '--yes', '--json', '--parallelism', '1']);
    const result = finished(child);
    await said(child, /"status":\{"is":"done"\}/);
    child.kill('SIGKILL');
    await result;
    const next = await project.run(['apply', '--yes']);
    expect([next.code, next.err]).toEqual([0, '']);
    expect((await project.run(['plan', '--detailed-exitcode'])).code).toBe(0);
  });
});

const READS: readonly (readonly string[])[] = [
  ['plan'],
  ['get', 'usergroups'],
  ['describe', 'UserGroup/G0'],
  ['output', 'UserGroup/G0'],
  ['quota'],
  ['env', 'check'],
  ['plan', '--out', 'plan.json'],
  ['plan', '--explain', 'UserGroup/G0'],
  ['drift'],
  ['orphans'],
  ['events', 'list', 'ERP'],
  ['events', 'show', 'ERP', '4K7Q'],
  ['exports', 'run', 'Parts', '--out', 'out', '--latest'],
  ['extracts', 'run', 'Nightly', '--out', 'out', '--latest'],
  ['api', '/items'],
];

const WRITES: readonly (readonly string[])[] = [
  ['apply', '--yes'],
  ['destroy', '--yes', '--confirm', 'Embedded Workspace'],
  ['adopt', 'UserGroup/G0'],
  ['forget', 'UserGroup/G0'],
  ['import', 'a.csv', '--definition', 'D'],
  ['reservations', 'release', 'R', '--yes'],
  ['exports', 'run', 'Parts', '--out', 'out'],
  ['extracts', 'run', 'Nightly', '--out', 'out'],
  ['events', 'reconcile', 'ERP', '4K7Q'],
  ['events', 'unreconcile', 'ERP', '4K7Q'],
  ['api', 'POST', '/items', '-f', 'a=b'],
  ['api', 'PUT', '/items/X', '-f', 'a=b'],
  ['api', 'DELETE', '/items/X'],
];

describe('commands', () => {
  test('all that log in avoid a lease; all others ignore it', { timeout: 120_000 }, async () => {
    const project = await testProject({ 'manifests/groups.yaml': groups(1), 'a.csv': 'Part\nX\n' });
    await leaseOf(project, { service: 'embedded/local.db', login: 'embedded' });
    for (const args of [...READS, ...WRITES]) {
      const { code, err } = await project.run(args);
      expect([code, err], args.join(' ')).toEqual([7, expect.stringContaining('[LOCKED, exit 7]')]);
    }
    for (const args of [['validate'], ['fmt', '--check'], ['kinds'], ['lock', 'show']]) {
      expect((await project.run(args)).code, args.join(' ')).not.toBe(7);
    }
  });

  test('all that write have a lease of their own name, and those that only read have none', {
    timeout: 120_000,
  }, async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/groups.yaml': groups(1), 'a.csv': 'Part\nX\n' });
    const named = async (args: readonly string[]): Promise<(string | undefined)[]> => {
      const held = await holding(workspace, ({ path }) => path === '/login');
      const { result } = project.begin(args, held.variables);
      await held.reached;
      const { out } = await project.run(['lock', 'show', '--json'], held.variables);
      held.letGo();
      await result;
      return JSON.parse(out).leases.map(({ command }: { command: string }) => command);
    };
    for (const args of WRITES) {
      const words = args.slice(0, /^(reservations|exports|extracts|events)$/.test(args[0] ?? '') ? 2 : 1);
      expect(await named(args)).toEqual([['dexsync', ...words].join(' ')]);
    }
    for (const args of READS.slice(0, 3)) expect(await named(args)).toEqual([]);
  });

  test('--wait before a command does not take it for a number', async () => {
    const { code, err } = await (await testProject()).run(['--wait', 'plan']);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('Give seconds from 0.001 to 86400. Without a number, put the option last'),
    ]);
  });
});
