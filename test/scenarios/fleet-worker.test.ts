import type { ChildProcess } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { type FleetProject, fleetProject, resultsIn } from '../harness/fleet-project.js';
import { noPostgres } from '../harness/postgres.js';
import { inPostgres } from '../harness/team-ledger.js';
import { finished } from '../harness/test-project.js';

const ledger = inPostgres();

interface Worker {
  readonly child: ChildProcess;
  /** Everything that it printed so far. */
  readonly events: () => readonly Record<string, never>[];
}

async function openFleet(count: number, settings: string, flags: readonly string[] = []) {
  const fleet = await fleetProject(count, settings, flags);
  const own = { ...fleet.variables, ...(await ledger.place(fleet.project)) };
  const run = async (...args: readonly string[]) => {
    const { code, out, err } = await fleet.project.run(args, own);
    const events = out.split('\n').flatMap((text) => (text.startsWith('{"') ? [JSON.parse(text)] : []));
    const status = events.findLast(({ event }) => event?.is === 'status')?.event;
    return { code, out, err, events, status };
  };
  const startWorker = async (): Promise<Worker> => {
    const child = fleet.project.start(['fleet', 'worker', '--json'], own);
    atEnd(async () => {
      child.kill('SIGKILL');
    });
    let out = '';
    const isReady = new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (text) => {
        out += text;
        if (out.includes('"is":"worker"')) resolve();
      });
      let trouble = '';
      child.stderr?.on('data', (text) => (trouble += text));
      child.once('exit', (code) => reject(new Error(`The worker ended with ${code}: ${out}${trouble}`)));
    });
    await isReady;
    return {
      child,
      events: () => out.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : [])),
    };
  };
  return { ...fleet, run, startWorker };
}

const descriptionsOf = (fleet: FleetProject) =>
  Promise.all(fleet.sites.map(async (site) => [site.code, await fleet.descriptions(site)]));

describe.skipIf(noPostgres !== undefined)('fleet worker', () => {
  test('workers share the environments of a rollout that somebody began', async () => {
    const fleet = await openFleet(8, 'workers: true, waves: [1, 50%]');
    await fleet.run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
    const workers = await Promise.all([fleet.startWorker(), fleet.startWorker()]);
    const applied = await fleet.run('fleet', 'apply', 'ledger:r1', '--yes', '--wait', '--json');
    expect([applied.code, applied.err]).toEqual([0, '']);
    expect(Object.values(resultsIn(applied.status))).toEqual(Array(8).fill('done'));
    expect(await descriptionsOf(fleet)).toEqual(fleet.sites.map(({ code }) => [code, ['First']]));
    for (const { child } of workers) {
      const ended = finished(child);
      child.kill('SIGTERM');
      expect((await ended).code).toBe(0);
    }
  });
});
