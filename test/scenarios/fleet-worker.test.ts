import { describe, expect, test } from 'vitest';
import { type FleetProject, fleetProject, resultsIn } from '../harness/fleet-project.js';
import { begunBy, descriptionsOf, startWorker, until } from '../harness/fleet-workers.js';
import { noPostgres } from '../harness/postgres.js';
import { inPostgres } from '../harness/team-ledger.js';

const ledger = inPostgres();
const SHARED = ['--workspace', 'a', '--workspace', 'b'];

const open = (count: number, settings = '', flags: readonly string[] = []): Promise<FleetProject> =>
  fleetProject(count, `workers: true${settings}`, flags, ledger);

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
