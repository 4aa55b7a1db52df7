import { describe, expect, test } from 'vitest';
import { type FleetProject, fleetProject, resultsIn } from '../harness/fleet-project.js';
import { IS_WHOLE } from '../harness/sample.js';
import { inGit, inPostgres, type TeamLedger } from '../harness/team-ledger.js';
import { finished } from '../harness/test-project.js';

/** The whole with DEXSYNC_WHOLE=yes. */
const MANY = IS_WHOLE ? 200 : 60;
const APPLY = ['fleet', 'apply', 'rollout.json', '--yes', '--json', '--timeout', '2'];
const RESUME = ['fleet', 'resume', 'sites', '--json', '--timeout', '2'];

const inFiles: TeamLedger = { name: 'files', place: async () => ({}) };

const openFleet = (ledger: TeamLedger, count: number, settings: string): Promise<FleetProject> =>
  fleetProject(count, settings, ['--workspace', 'a', '--workspace', 'b'], ledger);

/** Runs the built program and kills it once it has printed a line so often. */
async function killedAt(fleet: FleetProject, args: readonly string[], line: string, times: number): Promise<void> {
  const child = fleet.project.start(args, fleet.variables);
  const ended = finished(child);
  let seen = 0;
  child.stdout?.on('data', (text) => {
    seen += String(text).split(line).length - 1;
    if (seen >= times) child.kill('SIGKILL');
  });
  await ended;
}

const statusOf = async (fleet: FleetProject, ...args: readonly string[]) => {
  const { code, out, err } = await fleet.project.run(args, fleet.variables);
  const events = out.split('\n').flatMap((text) => (text.startsWith('{') ? [JSON.parse(text)] : []));
  return { code, err, events, status: events.findLast(({ event }) => event?.is === 'status')?.event };
};

describe.each([inFiles, inGit, inPostgres()])(`${MANY} workspaces with the ledger in $name`, (ledger) => {
  const count = ledger === inGit ? MANY / 2 : MANY;

  test('kills in each wave, targets that hang, fail, lack quota or drifted, and users of several: each change once, or named', async () => {
    const fleet = await openFleet(ledger, count, 'waves: [1, 10%, 50%], budget: 2');
    const { sites, served, project, variables } = fleet;
    expect((await project.run(['fleet', 'plan', 'sites', '--out', 'rollout.json'], variables)).code).toBe(0);
    const [hangs, fails, full, drifts] = sites.slice(-4).map(({ email }) => email) as [string, string, string, string];
    const drifted = sites.at(-1)?.code ?? '';
    await project.write('other/groups.yaml', (await project.read('manifests/groups.yaml')).replace('First', 'By hand'));
    await project.run(['apply', '--env', drifted, '-f', 'other', '--yes'], variables);
    expect(drifts).toBe(sites.at(-1)?.email);
    await served.arm({
      faults: [
        { method: 'GET', path: '/settings/usergroups', user: hangs, times: 'always', do: 'hang' },
        { method: 'POST', path: '/settings/usergroups', user: fails, times: 'always', do: 'status', status: 500 },
        { method: 'POST', path: '/login', user: full, times: 'always', do: 'status', status: 429 },
      ],
    });
    await killedAt(fleet, APPLY, '"is":"begun"', 1);
    await killedAt(fleet, RESUME, '"is":"done"', 5);
    await killedAt(fleet, RESUME, '"is":"begun"', count / 4);
    await killedAt(fleet, RESUME, '"is":"done"', count / 8);
    const { code, status } = await statusOf(fleet, ...RESUME);
    const results = resultsIn(status);
    const named = sites.filter(({ code: name }) => results[name] !== 'done').map(({ code: name }) => name);
    const failed = status.targets.filter(({ is }: { is: string }) => is === 'failed' || is === 'unknown');
    expect(failed.map(({ environment, message }: Record<string, string>) => [environment, message])).toEqual([
      [sites.at(-3)?.code, expect.any(String)],
      [drifted, expect.stringContaining('The plan is stale')],
    ]);
    expect([code, named]).toEqual([4, sites.slice(-4).map(({ code: name }) => name)]);
    await served.arm({ faults: [] });
    for (const site of sites) {
      const found = await fleet.descriptions(site);
      expect([site.code, found]).toEqual([site.code, results[site.code] === 'done' ? ['First'] : expect.any(Array)]);
      expect(found.length).toBeLessThanOrEqual(1);
    }

    await project.write('other/groups.yaml', (await project.read('other/groups.yaml')).replace('By hand', 'First'));
    const retried = await statusOf(fleet, 'fleet', 'retry', 'sites', '--failed', '--json');
    expect(Object.entries(resultsIn(retried.status)).filter(([, is]) => is !== 'done')).toEqual([[drifted, 'failed']]);
    for (const site of sites.slice(0, -1)) expect(await fleet.descriptions(site)).toEqual(['First']);
    const planned = await project.run(['fleet', 'plan', 'sites', '--json'], variables);
    const { groups } = JSON.parse(planned.out);
    expect(groups.map(({ environments }: { environments: string[] }) => environments)).toEqual([[drifted]]);
  });

  test('a budget that is used up begins nothing else; a slow workspace does not hold up the others of its wave', async () => {
    const fleet = await openFleet(ledger, Math.floor(count / 3), 'waves: [1, 50%], concurrency: 4');
    const { sites, served, project, variables } = fleet;
    await project.run(['fleet', 'plan', 'sites', '--out', 'rollout.json'], variables);
    const half = Math.floor(sites.length / 2);
    // The first three have one user, and wait for each other.
    const [slow, bad] = [sites[4], sites[half + 3]];
    await served.arm({
      faults: [
        { path: '/settings/usergroups', user: slow?.email ?? '', times: 'always', do: 'latency', milliseconds: 3000 },
        {
          method: 'POST',
          path: '/settings/usergroups',
          user: bad?.email ?? '',
          times: 'always',
          do: 'status',
          status: 400,
        },
      ],
    });
    const { code, status, events } = await statusOf(fleet, ...APPLY, '--timeout', '20');
    expect(code).toBe(1);
    expect(status.next).toEqual({ is: 'over-budget', failed: 1, budget: 0 });
    const lines = events.flatMap(({ type, event }) => (type === 'fleet' ? [event] : []));
    const failure = lines.findIndex(({ is }) => is === 'failed');
    expect(lines.slice(failure).filter(({ is }) => is === 'begun')).toEqual([]);
    const ends = lines.filter(({ is }) => is === 'done').map(({ environment }) => environment);
    const second = ends.slice(1, half + 1);
    expect(second.at(-1)).toBe(slow?.code);
    await served.arm({ faults: [] });
    for (const site of sites) {
      const found = await fleet.descriptions(site);
      expect([site.code, found]).toEqual([site.code, ends.includes(site.code) ? ['First'] : []]);
    }
  });
});
