import { expect, test } from 'vitest';
import { fleetProject, resultsIn, type Site } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';
import { Session } from '../harness/session.js';
import { finished } from '../harness/test-project.js';

const SAVE = ['fleet', 'plan', 'sites', '--out', 'rollout.json'];
const APPLY = ['fleet', 'apply', 'rollout.json', '--yes', '--json'];
const RESUME = ['fleet', 'resume', 'sites', '--json'];
const POST = { method: 'POST', path: '/settings/usergroups', times: 'always' } as const;

test('what was begun when the process was killed is finished, though the budget was used up meanwhile', async () => {
  const { run, sites, descriptions, project, variables, served } = await fleetProject(4, 'waves: [1], concurrency: 2');
  await run(...SAVE);
  const [, bad, slow] = sites.map(({ email }) => email) as [string, string, string];
  await served.arm({
    faults: [
      { ...POST, user: bad, do: 'status', status: 400 },
      { ...POST, user: slow, do: 'latency', milliseconds: 60_000 },
    ],
  });
  const child = project.start(APPLY, variables);
  const ended = finished(child);
  await new Promise((done) =>
    child.stdout?.on('data', (text) => String(text).includes('"event":{"is":"failed"') && done(0)),
  );
  child.kill('SIGKILL');
  await ended;
  await served.arm({ faults: [] });
  const { code, status } = await run(...RESUME);
  expect([code, resultsIn(status)]).toEqual([1, { s1: 'done', s2: 'failed', s3: 'done', s4: 'waiting' }]);
  expect(status.next).toMatchObject({ is: 'over-budget' });
  expect(await descriptions(sites[3] as Site)).toEqual([]);
});

test('a rollout whose first environment left the table is reviewed, resumed and ended as any other', async () => {
  const { run, sites, writeSites, descriptions } = await fleetProject(3, 'check: { approval: true }');
  await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
  expect((await run('fleet', 'apply', 'ledger:r1', '--yes')).code).toBe(4);
  await writeSites(sites.slice(1));
  expect((await run('fleet', 'pause', 'sites')).code).toBe(0);
  expect((await run('fleet', 'review', 'sites', '--approve')).code).toBe(3);
  await run(...RESUME);
  expect((await run('fleet', 'review', 'sites', '--approve')).code).toBe(0);
  expect((await run(...RESUME)).code).toBe(0);
  expect(await descriptions(sites[2] as Site)).toEqual(['First']);
});

test('an environment that left the fleet while it was worked on is unknown, and an orphan', async () => {
  const { run, sites, writeSites, project, variables, served } = await fleetProject(2, 'waves: [1]');
  await run(...SAVE);
  const { email: user = '' } = sites[1] ?? {};
  await served.arm({ faults: [{ ...POST, user, do: 'hang', when: 'after' }] });
  const child = project.start(APPLY, variables);
  const ended = finished(child);
  while (((await served.report())[0]?.struck ?? 0) === 0) await new Promise((go) => setTimeout(go, 20));
  child.kill('SIGKILL');
  await ended;
  await served.arm({ faults: [] });
  await writeSites(sites.slice(0, 1));
  const { code, status } = await run(...RESUME);
  expect([code, resultsIn(status)]).toEqual([1, { s1: 'done', s2: 'unknown' }]);
  expect(JSON.parse((await run('fleet', 'orphans', 'sites', '--json')).out).orphans).toMatchObject([
    { environment: 's2' },
  ]);
});

test('nothing begins without the canary: one that cannot be planned or means nothing is refused, one without changes is replaced', async () => {
  const { run, project, served, sites } = await fleetProject(3, 'canary: s1');
  await served.arm({
    faults: [
      { method: 'POST', path: '/login', user: sites[0]?.email ?? '', times: 'always', do: 'status', status: 503 },
    ],
  });
  const unreachable = await run(...SAVE, '--timeout', '1');
  expect([unreachable.code, unreachable.err]).toEqual([
    1,
    expect.stringContaining('The canary "s1" of the fleet sites cannot be planned: '),
  ]);
  await served.arm({ faults: [] });
  expect((await run('apply', '--env', 's1', '--yes')).code).toBe(0);
  expect((await run(...SAVE)).out).toContain('Wave 1: s2\nWave 2: s3\n');
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', config.replace('canary: s1', 'canary: s9'));
  const wrong = await run('fleet', 'plan', 'sites', '--out', 'other.json');
  expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('no environment that its `canary` "s9" means')]);
  await project.write('sync.config.yaml', config.replace('canary: s1', 'waves: [0]'));
  expect((await run('fleet', 'plan', 'sites')).code).toBe(3);
});

test('a rollout that was planned before another one that was begun is refused, and so is a rollout that is stopped by name before it began', async () => {
  const { run } = await fleetProject(2);
  for (const name of ['r1', 'r2']) await run('fleet', 'plan', 'sites', '--out', `ledger:${name}`);
  const early = await run('fleet', 'stop', 'ledger:r2');
  expect([early.code, early.err]).toEqual([3, expect.stringContaining('r2 of the fleet sites was not begun')]);
  expect((await run('fleet', 'apply', 'ledger:r2', '--yes')).code).toBe(0);
  const late = await run('fleet', 'apply', 'ledger:r1', '--yes');
  expect([late.code, late.err]).toEqual([
    5,
    expect.stringContaining('r1 was planned before r2, which was begun since'),
  ]);
});

test('a rollout without anything to do ends at once; one that adopts objects is refused before it begins', async () => {
  const { run, project, served, sites } = await fleetProject(2);
  await run(...SAVE);
  expect((await run(...APPLY)).code).toBe(0);
  await run('fleet', 'plan', 'sites', '--out', 'empty.json');
  const nothing = await run('fleet', 'apply', 'empty.json', '--yes');
  expect([nothing.code, nothing.out]).toEqual([0, expect.stringContaining('No environment has anything to do.')]);

  const session = await Session.open(served, sites[0]?.email, sites[0]?.id);
  await session.post('/settings/usergroups', { name: 'Mine', description: null, enabled: true, assignability: [] });
  await project.write('manifests/groups.yaml', manifest('UserGroup', 'Mine', { description: 'Ours' }));
  await run('fleet', 'plan', 'sites', '--out', 'adopts.json');
  const adopts = await run('fleet', 'apply', 'adopts.json', '--yes');
  expect([adopts.code, adopts.err]).toMatchObject([3, expect.stringContaining('CONFIRMATION_NEEDED')]);
});

test('an interrupted check does not count as refused, and nothing that it started survives', async () => {
  const { run, project, variables } = await fleetProject(2, 'check: { command: "echo $$ > pid; sleep 60" }');
  await run(...SAVE);
  const child = project.start(APPLY, variables);
  const ended = finished(child);
  let pid = 0;
  while (pid === 0) {
    await new Promise((go) => setTimeout(go, 50));
    pid = Number(await project.read('pid').catch(() => '0'));
  }
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  expect(() => process.kill(pid, 0)).toThrow();
  expect((await run('fleet', 'status', 'sites', '--json')).status.next).toEqual({ is: 'check', wave: 1 });
});
