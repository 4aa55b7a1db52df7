import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fleetProject, resultsIn, type Site } from '../harness/fleet-project.js';
import { noPostgres } from '../harness/postgres.js';
import { inFolder, inGit, inPostgres } from '../harness/team-ledger.js';
import { finished } from '../harness/test-project.js';

const BACKENDS = [inFolder, inGit, ...(noPostgres === undefined ? [inPostgres()] : [])];
const CHECK = 'check: { command: "while test -e busy; do sleep 0.05; done; test -e milk" }';
const RETRY = ['fleet', 'retry', 'sites', '--failed', '--json'];

test.each(BACKENDS)('a rollout moves to $name with its notes and plans, and goes on there', async (ledger) => {
  const { project, sites, ask, descriptions, variables } = await fleetProject(3, CHECK);
  await project.write('milk', '');
  await project.run(['fleet', 'plan', 'sites', '--out', 'ledger:r1'], variables);
  expect((await project.run(['fleet', 'apply', 'ledger:r1', '--yes'], variables)).code).toBe(0);
  await ask('Second');
  await project.write(
    'sync.config.yaml',
    (await project.read('sync.config.yaml')).replace('test -e milk', 'test -e more'),
  );
  await project.run(['fleet', 'plan', 'sites', '--out', 'ledger:r2'], variables);
  await project.write('busy', '');
  const child = project.start(['fleet', 'apply', 'ledger:r2', '--yes', '--json'], variables);
  const ended = finished(child);
  await new Promise((go) => child.stdout?.on('data', (text) => String(text).includes('"is":"done"') && go(0)));

  const before = await project.read('sync.config.yaml');
  const both = { ...variables, ...(await ledger.place(project)) };
  const after = await project.read('sync.config.yaml');
  const run = async (...args: string[]) => {
    const result = await project.run(args, both);
    return {
      ...result,
      events: result.out.split('\n').flatMap((line) => (line.startsWith('{"') ? [JSON.parse(line)] : [])),
    };
  };
  const move = (site: string) => run('ledger', 'move', '--from', 'file', '--env', site);
  const busy = await move('s1');
  expect([busy.code, busy.err]).toEqual([7, expect.stringContaining('The fleet sites is worked on by ')]);
  await rm(join(project.folder, 'busy'));
  expect((await ended).code).toBe(1);

  const moved = await move('s1');
  expect([moved.code, moved.out]).toEqual([0, expect.stringContaining(' and 2 rollouts of environment s1')]);
  const again = await move('s1');
  expect([again.code, again.out]).toEqual([0, expect.not.stringContaining('rollout')]);
  const status = JSON.parse((await run('fleet', 'status', 'sites', '--json')).out);
  expect([status.name, resultsIn(status), status.next]).toMatchObject([
    'r2',
    { s1: 'done', s2: 'waiting', s3: 'waiting' },
    { is: 'ask', because: 'refused' },
  ]);
  expect((await run('fleet', 'status', 'ledger:r1')).code).toBe(0);
  await project.write('sync.config.yaml', before);
  expect((await run('fleet', 'status', 'sites')).err).toContain('The ledger has no rollout of the fleet "sites".');
  await project.write('sync.config.yaml', after);

  // The ledgers of the others did not move yet.
  await project.write('more', '');
  const early = await run(...RETRY);
  const last = early.events.findLast(({ event }) => event?.is === 'status').event;
  expect([early.code, resultsIn(last)]).toEqual([4, { s1: 'done', s2: 'deferred', s3: 'deferred' }]);
  expect(last.targets[1].code).toBe('LEDGER_ELSEWHERE');
  for (const site of ['s2', 's3']) expect((await move(site)).code).toBe(0);
  const done = await run(...RETRY);
  expect(done.code).toBe(0);
  expect(done.events.flatMap(({ event }) => (event?.is === 'begun' ? [event.environment] : [])).sort()).toEqual([
    's2',
    's3',
  ]);
  for (const site of sites) expect(await descriptions(site as Site)).toEqual(['Second']);
});

test('a rollout of environments that nothing was applied to moves, too, and is applied in the new place', async () => {
  const { project, run, sites, descriptions } = await fleetProject(2);
  await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
  await inFolder.place(project);
  const moved = await run('ledger', 'move', '--from', 'file', '--env', 's2');
  expect([moved.code, moved.out]).toEqual([0, expect.stringMatching(/^Moved 1 rollout of environment s2 .*\n$/)]);
  expect((await run('ledger', 'move', '--from', 'file', '--env', 's2')).code).toBe(3);
  expect((await run('fleet', 'apply', 'ledger:r1', '--yes')).code).toBe(0);
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
});

test('rollouts of a fleet without the environment stay where they are', async () => {
  const { project, run } = await fleetProject(2);
  const config = await project.read('sync.config.yaml');
  await project.write(
    'sync.config.yaml',
    config
      .replace('fleets:\n', 'fleets:\n  others: { environments: s1 }\n  none: { where: labels.region == "MOON" }\n')
      .replace('name: ${row.Code}\n', 'name: ${row.Code}\n    labels: { region: EARTH }\n'),
  );
  await run('fleet', 'plan', 'others', '--out', 'ledger:o1');
  await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
  await inFolder.place(project);
  const moved = await run('ledger', 'move', '--from', 'file', '--env', 's2', '--json');
  expect(JSON.parse(moved.out)).toMatchObject({ applies: 0, rollouts: 1 });
  expect((await run('fleet', 'status', 'others')).code).toBe(3);
  expect((await run('ledger', 'move', '--from', 'file', '--env', 's1')).code).toBe(0);
  expect((await run('fleet', 'apply', 'ledger:o1', '--yes')).code).toBe(0);
});
