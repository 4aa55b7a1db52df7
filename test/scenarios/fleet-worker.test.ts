import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type FleetProject, fleetProject, resultsIn, type Site } from '../harness/fleet-project.js';
import { startWorker, type Worker } from '../harness/fleet-workers.js';
import { noPostgres } from '../harness/postgres.js';
import { Session } from '../harness/session.js';
import { freshRunner, inPostgres } from '../harness/team-ledger.js';

const ledger = inPostgres();
const SHARED = ['--workspace', 'a', '--workspace', 'b'];

const open = (count: number, settings = '', flags: readonly string[] = []): Promise<FleetProject> =>
  fleetProject(count, `workers: true${settings}`, flags, ledger);

const descriptionsOf = (fleet: FleetProject) => Promise.all(fleet.sites.map((site) => fleet.descriptions(site)));

const begunBy = (worker: Worker): (string | undefined)[] =>
  worker.events().flatMap(({ is, environment }) => (is === 'begun' ? [environment] : []));

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(20);
}

describe.skipIf(noPostgres !== undefined)('workers of fleets', () => {
  test('workers that start at the same moment share a rollout, wave by wave, and one user is worked on in turn', async () => {
    const fleet = await open(10, ', waves: [1, 50%]', SHARED);
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const workers = await Promise.all([1, 2, 3].map(() => startWorker(fleet, '--concurrency', '1')));
    await fleet.served.arm({
      faults: [{ path: '/settings/usergroups', times: 'always', do: 'latency', milliseconds: 150 }],
    });
    const { code, err, status } = await fleet.run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json');
    expect([code, err]).toEqual([0, '']);
    expect(new Set(Object.values(resultsIn(status)))).toEqual(new Set(['done']));
    expect(await descriptionsOf(fleet)).toEqual(fleet.sites.map(() => ['First']));
    const begun = workers.map(begunBy);
    expect(begun.flat().sort()).toEqual(fleet.sites.map((site) => site.code).sort());
    expect(begun.filter((own) => own.length > 0).length).toBeGreaterThan(1);
    const events = workers
      .flatMap((worker) => worker.events())
      .sort((one, other) => one.time.localeCompare(other.time));
    const shared = events.filter(({ environment = '' }) => ['s1', 's2', 's3'].includes(environment));
    expect(shared.map(({ is }) => is)).toEqual(['begun', 'done', 'begun', 'done', 'begun', 'done']);
    for (const worker of workers) expect(await worker.end()).toBe(0);
    const planned = await fleet.run('fleet', 'plan', 'sites', '--json');
    expect(JSON.parse(planned.out).groups).toEqual([]);
  });

  test('another worker does what one that was killed in the middle of a write left, and repeats nothing', async () => {
    const fleet = await open(4, ', waves: [1]');
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const first = await startWorker(fleet);
    await fleet.served.arm({ faults: [{ method: 'POST', path: '/settings/usergroups', do: 'hang', when: 'after' }] });
    const applied = fleet.run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json');
    await until(async () => ((await fleet.served.report())[0]?.struck ?? 0) > 0);
    first.kill();
    await fleet.served.arm({ faults: [] });
    await startWorker(fleet);
    const { code, status } = await applied;
    expect([code, Object.values(resultsIn(status))]).toEqual([0, ['done', 'done', 'done', 'done']]);
    expect(await descriptionsOf(fleet)).toEqual(fleet.sites.map(() => ['First']));
  });

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

  test('a rollout is begun, paused, resumed, approved and retried while workers run, and without --wait nobody waits', async () => {
    const fleet = await open(4, ', waves: [1, 1], check: { approval: true }');
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const alone = await fleet.run('fleet', 'apply', 'ledger:r1', '--yes');
    expect([alone.code, alone.out]).toEqual([
      4,
      expect.stringContaining('No worker of the stack test is running, so nothing is done yet.'),
    ]);
    await startWorker(fleet);
    const asked = await fleet.run('fleet', 'resume', 'sites', '--wait', '--json');
    expect([asked.code, asked.status.next]).toEqual([4, { is: 'ask', wave: 1, because: 'approval' }]);
    await fleet.run('fleet', 'pause', 'sites', '--reason', 'lunch');
    expect((await fleet.run('fleet', 'status', 'sites', '--json')).status.next.is).toBe('paused');
    await fleet.run('fleet', 'resume', 'sites');
    await fleet.served.arm({
      faults: [{ method: 'POST', path: '/settings/usergroups', times: 1, do: 'status', status: 400 }],
    });
    await fleet.run('fleet', 'review', 'sites', '--approve');
    const failed = await fleet.run('fleet', 'resume', 'sites', '--wait', '--json');
    expect([failed.code, failed.status.next]).toEqual([1, { is: 'over-budget', failed: 1, budget: 0 }]);
    const retried = await fleet.run('fleet', 'retry', 'sites', '--failed', '--wait', '--json');
    expect(retried.status.next).toEqual({ is: 'ask', wave: 2, because: 'approval' });
    await fleet.run('fleet', 'review', 'sites', '--approve');
    const ended = await fleet.run('fleet', 'resume', 'sites', '--wait', '--json');
    expect([ended.code, Object.values(resultsIn(ended.status))]).toEqual([0, ['done', 'done', 'done', 'done']]);
    expect(await descriptionsOf(fleet)).toEqual(fleet.sites.map(() => ['First']));
  });

  test('on a schedule workers look for drift in each environment, and `status` shows what they found', async () => {
    const fleet = await open(3, ', drift: { schedule: "* * * * * *", timeZone: Europe/Vienna, within: 1s }');
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

    const config = await fleet.project.read('sync.config.yaml');
    await fleet.project.write('sync.config.yaml', config.replace('* * * * * *', 'every morning'));
    const wrong = await fleet.run('fleet', 'worker');
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining("A fleet's `drift` has a wrong schedule: ")]);
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

test('workers need a fleet that is for them, and a ledger in PostgreSQL', async () => {
  const fleet = await fleetProject(2);
  const none = await fleet.run('fleet', 'worker');
  expect([none.code, none.err]).toEqual([3, expect.stringContaining('No fleet of the configuration is for workers.')]);
  await fleet.project.write(
    'sync.config.yaml',
    (await fleet.project.read('sync.config.yaml')).replace('environments: "*"', 'environments: "*", workers: true'),
  );
  for (const args of [['worker'], ['plan', 'sites', '--out', 'rollout.json']]) {
    const { code, err } = await fleet.run('fleet', ...args);
    expect([code, err]).toEqual([3, expect.stringContaining('and its ledger is not in PostgreSQL')]);
  }
});
