import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { type FleetProject, fleetProject, resultsIn, type Site } from '../harness/fleet-project.js';
import {
  begunBy,
  descriptionsOf,
  startWorker,
  until,
  type Worker,
  type WorkerEvent,
} from '../harness/fleet-workers.js';
import { newDatabase, noPostgres, startOwnPostgres, type TestPostgres } from '../harness/postgres.js';
import { webhook } from '../harness/receivers.js';
import { IS_WHOLE } from '../harness/sample.js';
import { Session } from '../harness/session.js';
import { freshRunner, inPostgres, type TeamLedger } from '../harness/team-ledger.js';
import type { TestProject } from '../harness/test-project.js';

/** The whole with DEXSYNC_WHOLE=yes. */
const MANY = IS_WHOLE ? 200 : 40;

/** A server of its own, since it is stopped meanwhile. */
async function ownServer(): Promise<{ server: TestPostgres; ledger: TeamLedger }> {
  const server = await startOwnPostgres();
  atEnd(() => server.stop());
  const ledger: TeamLedger = {
    name: 'PostgreSQL',
    async place(project) {
      await project.write(
        'sync.config.yaml',
        `${await project.read('sync.config.yaml')}ledger: "\${env.TEST_LEDGER}"\n`,
      );
      return { TEST_LEDGER: await newDatabase(server) };
    },
  };
  return { server, ledger };
}

const inOrder = (workers: readonly Worker[]): WorkerEvent[] =>
  workers.flatMap((worker) => worker.events()).sort((one, other) => one.time.localeCompare(other.time));

const doneIn = (workers: readonly Worker[]): number => inOrder(workers).filter(({ is }) => is === 'done').length;

async function withFaults(fleet: FleetProject): Promise<string> {
  const { project, sites, served, variables } = fleet;
  const [hangs, fails, full] = sites.slice(-4).map(({ email }) => email) as [string, string, string];
  const drifted = sites.at(-1)?.code ?? '';
  await project.write('other/groups.yaml', (await project.read('manifests/groups.yaml')).replace('First', 'By hand'));
  await project.run(['apply', '--env', drifted, '-f', 'other', '--yes'], variables);
  await served.arm({
    faults: [
      { method: 'GET', path: '/settings/usergroups', user: hangs, times: 'always', do: 'hang' },
      { method: 'POST', path: '/settings/usergroups', user: fails, times: 'always', do: 'status', status: 500 },
      { method: 'POST', path: '/login', user: full, times: 'always', do: 'status', status: 429 },
    ],
  });
  return drifted;
}

describe.skipIf(noPostgres !== undefined)(`${MANY} workspaces and three workers`, () => {
  test('kills of workers and of the one that coordinates, a restart of the database, and targets that hang, fail, lack quota or drifted: each change once, or named', async () => {
    const { server, ledger } = await ownServer();
    const fleet = await fleetProject(
      MANY,
      'workers: true, waves: [1, 10%, 50%], budget: 2',
      ['--workspace', 'a', '--workspace', 'b'],
      ledger,
    );
    const { sites, run } = fleet;
    expect((await run('fleet', 'plan', 'sites', '--out', 'ledger:r1')).code).toBe(0);
    const drifted = await withFaults(fleet);
    const all: Worker[] = [];
    const start = async (): Promise<Worker> => {
      const worker = await startWorker(fleet, '--timeout', '2');
      all.push(worker);
      return worker;
    };
    let running: Worker[] = await Promise.all([start(), start(), start()]);
    /** Kills the one that coordinates, or another one, while environments are worked on. */
    const killOne = async (what: 'coordinator' | 'other'): Promise<void> => {
      await until(() => running.some((worker) => worker.isBusy()));
      const coordinates = (worker: Worker): boolean => worker.events().some(({ is }) => is === 'wave');
      const chosen = running.find((worker) => coordinates(worker) === (what === 'coordinator')) ?? running[0];
      chosen?.kill();
      running = [...running.filter((worker) => worker !== chosen), await start()];
    };
    expect((await run('fleet', 'apply', 'ledger:r1', '--yes')).code).toBe(4);
    await killOne('coordinator');
    await until(() => doneIn(all) > 3);
    await killOne('other');
    await until(() => doneIn(all) > MANY * 0.2);
    await killOne('coordinator');
    await server.restart?.();
    await until(() => doneIn(all) > MANY * 0.7);
    await killOne('other');
    await killOne('coordinator');
    const ended = async () => (await run('fleet', 'status', 'sites', '--json')).status;
    let status = await ended();
    while (status.next.is === 'work') {
      await sleep(500);
      status = await ended();
    }
    const results = resultsIn(status);
    const named = sites.filter(({ code }) => results[code] !== 'done').map(({ code }) => code);
    expect(named).toEqual(sites.slice(-4).map(({ code }) => code));
    expect([results[drifted], status.exitCode]).toEqual(['failed', 4]);
    await fleet.served.arm({ faults: [] });
    for (const site of sites) {
      const found = await fleet.descriptions(site);
      expect([site.code, found]).toEqual([site.code, results[site.code] === 'done' ? ['First'] : expect.any(Array)]);
      expect(found.length).toBeLessThanOrEqual(1);
    }
    await fleet.project.write(
      'other/groups.yaml',
      (await fleet.project.read('other/groups.yaml')).replace('By hand', 'First'),
    );
    await run('fleet', 'stop', 'sites');
    const planned = await run('fleet', 'plan', 'sites', '--json');
    const { groups } = JSON.parse(planned.out);
    expect(groups.flatMap(({ environments }: { environments: string[] }) => environments)).toEqual(
      expect.arrayContaining([drifted]),
    );
  });

  test('a database that is away for longer than a lease lasts costs nothing but time', async () => {
    const { server, ledger } = await ownServer();
    const fleet = await fleetProject(8, 'workers: true, waves: [1]', [], ledger);
    const { run, served } = fleet;
    await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    await Promise.all([startWorker(fleet), startWorker(fleet)]);
    await served.arm({
      faults: [{ method: 'POST', path: '/settings/usergroups', times: 'always', do: 'latency', milliseconds: 2000 }],
    });
    await run('fleet', 'apply', 'ledger:r1', '--yes');
    await until(async () => ((await served.report())[0]?.struck ?? 0) > 2);
    await server.restart?.(75_000);
    await served.arm({ faults: [] });
    // What a worker notices late is deferred after the first of these, and each of them tries that again.
    let last = await run('fleet', 'resume', 'sites', '--json');
    while (last.status?.next.is !== 'ended') {
      await sleep(2000);
      last = await run('fleet', 'resume', 'sites', '--json');
    }
    const { code, status } = last;
    expect([code, new Set(Object.values(resultsIn(status)))]).toEqual([0, new Set(['done'])]);
    expect(await descriptionsOf(fleet)).toEqual(fleet.sites.map(() => ['First']));
    expect((await run('plan', 's5')).code).toBe(0);
  });

  test('stacks whose ledgers are in one database have workers of their own', async () => {
    const { ledger } = await ownServer();
    const one = await fleetProject(2, 'workers: true', [], ledger);
    const place = async (project: TestProject): Promise<Readonly<Record<string, string>>> => {
      const config = await project.read('sync.config.yaml');
      await project.write(
        'sync.config.yaml',
        `${config.replace('stack: test', 'stack: other')}ledger: "\${env.TEST_LEDGER}"\n`,
      );
      return { TEST_LEDGER: one.variables.TEST_LEDGER ?? '' };
    };
    const other = await fleetProject(2, 'workers: true', [], { name: 'the same database', place });
    for (const fleet of [one, other]) {
      await startWorker(fleet);
      await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    }
    const applied = await Promise.all(
      [one, other].map((fleet) => fleet.run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json')),
    );
    expect(applied.map(({ code, status }) => [code, status.stack])).toEqual([
      [0, 'test'],
      [0, 'other'],
    ]);
    for (const fleet of [one, other]) expect(await descriptionsOf(fleet)).toEqual([['First'], ['First']]);
  });

  test('once the budget is used up, no worker applies anything that it had not begun before', async () => {
    const { ledger } = await ownServer();
    const fleet = await fleetProject(MANY / 2, 'workers: true, waves: [1]', [], ledger);
    const { run, served, sites, variables } = fleet;
    await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const bad = sites.slice(3, 6).map(({ email }) => email);
    await served.arm({
      faults: bad.map((user) => ({ method: 'POST', path: '/settings/usergroups', user, do: 'status', status: 400 })),
    });
    await Promise.all([1, 2, 3].map(() => startWorker(fleet, '--concurrency', '2')));
    const { status } = await run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json');
    expect(status.next.is).toBe('over-budget');
    const client = new pg.Client(variables.TEST_LEDGER);
    await client.connect();
    const { rows } = await client.query<{ body: string }>('select body from dexsync_review order by number');
    await client.end();
    const notes = rows.map(({ body }) => JSON.parse(body) as { is: string; environment?: string });
    const failure = notes.findIndex(({ is }) => is === 'failed');
    const before = new Set(
      notes.slice(0, failure).flatMap(({ is, environment }) => (is === 'begun' ? [environment] : [])),
    );
    const after = notes.slice(failure).filter(({ is }) => is === 'done' || is === 'failed');
    expect(after.filter(({ environment }) => !before.has(environment))).toEqual([]);
    expect(Object.values(resultsIn(status))).toContain('waiting');
  });

  test('a stop in the second wave begins nothing else', async () => {
    const { ledger } = await ownServer();
    const fleet = await fleetProject(MANY / 2, 'workers: true, waves: [1, 30%]', [], ledger);
    const { run, served, sites } = fleet;
    await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    await served.arm({
      faults: [{ path: '/settings/usergroups', times: 'always', do: 'latency', milliseconds: 300 }],
    });
    const workers = await Promise.all([1, 2, 3].map(() => startWorker(fleet)));
    const applied = run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json');
    await until(() => doneIn(workers) > 1);
    const stopped = await run('fleet', 'stop', 'sites', '--json');
    expect(stopped.status.next.is).toBe('stopped');
    const at = new Date(Date.now() + 1500).toISOString();
    expect((await applied).code).toBe(1);
    await sleep(5000);
    const events = inOrder(workers);
    expect(events.filter(({ is, time }) => is === 'begun' && time > at)).toEqual([]);
    const done = events.flatMap(({ is, environment }) => (is === 'done' ? [environment] : []));
    await served.arm({ faults: [] });
    for (const site of sites) {
      const found = await fleet.descriptions(site);
      expect([site.code, found]).toEqual([site.code, done.includes(site.code) ? ['First'] : []]);
    }
  });
});

describe.skipIf(noPostgres !== undefined)('a worker', () => {
  const ledger = inPostgres();
  const open = (count: number, settings = ''): Promise<FleetProject> =>
    fleetProject(count, `workers: true${settings}`, [], ledger);

  test('a worker that is asked to end stops between two steps, and the others finish what it began', async () => {
    const fleet = await open(6);
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const workers = [await startWorker(fleet), await startWorker(fleet)];
    await fleet.served.arm({
      faults: [{ path: '/settings/usergroups', times: 'always', do: 'latency', milliseconds: 400 }],
    });
    const applied = fleet.run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json');
    await until(() => workers.some((worker) => worker.isBusy()));
    const [busy, other] = workers[0]?.isBusy() ? workers : workers.toReversed();
    expect(await busy?.end()).toBe(0);
    const { code } = await applied;
    expect(code).toBe(0);
    expect(await descriptionsOf(fleet)).toEqual(fleet.sites.map(() => ['First']));
    expect(begunBy(other as Worker).length).toBeGreaterThan(0);
  });

  test('on a schedule workers look for drift in each environment, `status` shows what they found, and it is said once', async () => {
    const fleet = await open(3, ', drift: { schedule: "* * * * * *", timeZone: Europe/Vienna, within: 1s }');
    const hook = await webhook();
    const configured = await fleet.project.read('sync.config.yaml');
    await fleet.project.write(
      'sync.config.yaml',
      `${configured}notify: [{ webhook: "\${env.HOOK}", on: [drifted] }]\n`,
    );
    Object.assign(fleet.variables, { HOOK: hook.url });
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const worker = await startWorker(fleet);
    await fleet.run('fleet', 'apply', 'ledger:r1', '--yes', '--wait');
    const [{ email, id }] = fleet.sites as [Site];
    // The worker logs in as the same user, which ends the session of the test.
    await until(async () => {
      const session = await Session.open(fleet.served, email, id);
      const { body } = await session.send('GET', '/settings/usergroups');
      const { guid } = body.results?.find((group: { name: string }) => group.name === 'Quality') ?? {};
      const changed = { name: 'Quality', description: 'By hand' };
      return (await session.send('PUT', `/settings/usergroups/${guid}`, changed)).status === 200;
    });
    const found = (environment: string, objects: number): boolean =>
      worker
        .events()
        .some((event) => event.is === 'drift' && event.environment === environment && event.objects === objects);
    await until(() => found('s1', 1) && found('s2', 0) && found('s3', 0));
    expect(await worker.end()).toBe(0);
    const status = await fleet.run('status', '--env', 's1', '--json');
    expect(JSON.stringify(JSON.parse(status.out))).toContain('"drifted":1');
    expect(hook.got).toEqual([expect.objectContaining({ is: 'drifted', environment: 's1' })]);

    const config = await fleet.project.read('sync.config.yaml');
    await fleet.project.write('sync.config.yaml', config.replace('* * * * * *', 'every morning'));
    const other = await startWorker(fleet);
    await until(() => other.warnings().some((text) => text.includes('Nobody looks for drift in the fleet sites')));
  });

  test('a worker with an older table defers what it does not know, and one with the new table does it', async () => {
    const fleet = await open(2);
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const older = await freshRunner(fleet.project);
    await older.project.write('sites.csv', (await fleet.project.read('sites.csv')).replace(/^s2.*\n/m, ''));
    const worker = await startWorker({ ...fleet, project: older.project });
    await fleet.run('fleet', 'apply', 'ledger:r1', '--yes');
    await until(() => worker.events().some(({ is }) => is === 'deferred'));
    const { status } = await fleet.run('fleet', 'status', 'sites', '--json');
    expect([resultsIn(status), status.exitCode]).toEqual([{ s1: 'done', s2: 'deferred' }, 4]);
    expect(await worker.end()).toBe(0);
  });
});
