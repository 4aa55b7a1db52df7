import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { atEnd } from '../harness/at-end.js';
import { fleetProject, resultsIn, type Site } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';
import { minutesLater } from '../harness/minutes-later.js';
import { finished } from '../harness/test-project.js';

const SAVE = ['fleet', 'plan', 'sites', '--out', 'rollout.json'];
const APPLY = ['fleet', 'apply', 'rollout.json', '--yes', '--json'];
const RESUME = ['fleet', 'resume', 'sites', '--json'];

/** A port of this machine at which nobody listens. */
async function deadUrl(): Promise<string> {
  const server = createServer();
  const port = await new Promise<number>((done) =>
    server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port)),
  );
  await new Promise((done) => server.close(done));
  return `http://127.0.0.1:${port}`;
}

const writesIn = (stderr: string): number => stderr.split('\n').filter((line) => /POST|PUT|DELETE/.test(line)).length;

test('a rollout is applied wave by wave; afterwards no plan has a step, and applying it again sends nothing', async () => {
  const { run, sites, descriptions } = await fleetProject(4, 'waves: [1, 50%]');
  const { out } = await run(...SAVE);
  expect(out).toContain('Wave 1: s1\nWave 2: s2, s3\nWave 3: s4\nSaved to rollout.json.');
  const { code, status, out: events } = await run(...APPLY);
  expect([code, resultsIn(status)]).toEqual([0, { s1: 'done', s2: 'done', s3: 'done', s4: 'done' }]);
  expect(status.next).toEqual({ is: 'ended' });
  const waves = events.split('\n').filter((line) => line.includes('"is":"wave"'));
  expect(waves).toHaveLength(3);
  const steps = events.split('\n').filter((line) => line.includes('"type":"step"'));
  expect(new Set(steps.map((line) => JSON.parse(line).environment))).toEqual(new Set(['s1', 's2', 's3', 's4']));
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
  const planned = await run('fleet', 'plan', 'sites', '--json');
  expect(JSON.parse(planned.out)).toMatchObject({ groups: [], problems: [] });
  expect((await run('fleet', 'plan', 'sites', '--detailed-exitcode')).code).toBe(0);

  const again = await run(...APPLY);
  expect([again.code, again.out.includes('"is":"begun"')]).toEqual([0, false]);
  const shown = await run('fleet', 'status', 'sites');
  expect([shown.code, shown.out]).toEqual([0, expect.stringContaining('All environments are done.')]);
  expect(writesIn(shown.err)).toBe(0);
});

test('a canary that fails keeps all others from beginning; what drifted is refused, and retried once it is as planned', async () => {
  const { run, sites, ask, descriptions, project, variables } = await fleetProject(3);
  await run(...SAVE);
  await run(...APPLY);
  await ask('Second');
  await run(...SAVE);
  await project.write('other/groups.yaml', (await project.read('manifests/groups.yaml')).replace('Second', 'By hand'));
  const edited = await project.run(['apply', '--env', 's1', '-f', 'other', '--yes'], variables);
  expect(edited.code).toBe(0);
  const { code, status } = await run(...APPLY);
  expect([code, resultsIn(status)]).toEqual([1, { s1: 'failed', s2: 'waiting', s3: 'waiting' }]);
  expect(status.targets[0]).toMatchObject({ code: 'PLAN_STALE' });
  expect(status.next).toEqual({ is: 'over-budget', failed: 1, budget: 0 });
  for (const site of sites.slice(1)) expect(await descriptions(site)).toEqual(['First']);
  expect((await run(...RESUME)).code).toBe(1);

  await project.write('other/groups.yaml', (await project.read('other/groups.yaml')).replace('By hand', 'First'));
  await project.run(['apply', '--env', 's1', '-f', 'other', '--yes'], variables);
  const retried = await run('fleet', 'retry', 'sites', '--failed', '--json');
  expect([retried.code, resultsIn(retried.status)]).toEqual([0, { s1: 'done', s2: 'done', s3: 'done' }]);
  for (const site of sites) expect(await descriptions(site)).toEqual(['Second']);
});

test('a row that leads to another service since the plan is refused, and counts as failed until it leads back', async () => {
  const { run, sites, writeSites, descriptions } = await fleetProject(3, 'canary: s1');
  await run(...SAVE);
  const url = await deadUrl();
  await writeSites(sites.map((site) => (site.code === 's1' ? { ...site, url } : site)));
  expect((await run(...APPLY)).status.targets[0]).toMatchObject({ is: 'failed', code: 'PLAN_OTHER_WORKSPACE' });
  await writeSites(sites);
  const { code, status } = await run('fleet', 'retry', 'sites', '--failed', '--json');
  expect([code, status.next]).toEqual([0, { is: 'ended' }]);
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
});

test('environments that cannot be reached or fail at the login are deferred: in a wave they hold up nobody', async () => {
  const { run, sites, descriptions, served } = await fleetProject(5, 'waves: [1, 2]');
  await run(...SAVE);
  const login = { method: 'POST', path: '/login' } as const;
  const [, second, third] = sites.map(({ email }) => email);
  await served.arm({
    faults: [
      { ...login, user: second as string, times: 'always', do: 'reset' },
      { ...login, user: third as string, times: 'always', do: 'status', status: 503 },
    ],
  });
  const all = await run(...APPLY, '--timeout', '1');
  expect([all.code, resultsIn(all.status)]).toEqual([
    4,
    { s1: 'done', s2: 'deferred', s3: 'deferred', s4: 'waiting', s5: 'waiting' },
  ]);
  await served.arm({ faults: [{ ...login, user: third as string, times: 'always', do: 'status', status: 503 }] });
  const some = await run(...RESUME, '--timeout', '1');
  expect([some.code, resultsIn(some.status)]).toEqual([
    4,
    { s1: 'done', s2: 'done', s3: 'deferred', s4: 'done', s5: 'done' },
  ]);
  expect(some.status.next).toMatchObject({ is: 'wait', because: 'deferred', wave: 3 });
  await served.arm({ faults: [] });
  expect((await run(...RESUME)).code).toBe(0);
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
});

test('a canary that is deferred keeps all others from beginning', async () => {
  const { run, sites, descriptions, served } = await fleetProject(3, 'canary: "s1,s2"');
  await run(...SAVE);
  const { email: user = '' } = sites[1] ?? {};
  await served.arm({ faults: [{ method: 'POST', path: '/login', user, times: 'always', do: 'status', status: 503 }] });
  const { code, status } = await run(...APPLY, '--timeout', '1');
  expect([code, resultsIn(status)]).toEqual([4, { s1: 'done', s2: 'deferred', s3: 'waiting' }]);
  expect(await descriptions(sites[2] as Site)).toEqual([]);
});

test('one that fails in a wave is within a budget of one, and the exit code says so; what is unknown is not done', async () => {
  const { run, sites, descriptions, served } = await fleetProject(4, 'waves: [1], budget: 1');
  await run(...SAVE);
  const { email: user = '' } = sites[2] ?? {};
  await served.arm({
    faults: [{ method: 'POST', path: '/settings/usergroups', user, times: 'always', do: 'status', status: 400 }],
  });
  const { code, status } = await run(...APPLY);
  expect([code, resultsIn(status)]).toEqual([1, { s1: 'done', s2: 'done', s3: 'failed', s4: 'done' }]);
  expect(status.targets[2].message).toContain(
    '1 failed. UserGroup/Quality: POST /settings/usergroups was answered with 400',
  );
  expect(status.next).toEqual({ is: 'ended' });
  await served.arm({ faults: [] });
  const retried = await run('fleet', 'retry', 'sites', '--failed', '--json');
  expect([retried.code, resultsIn(retried.status)]).toMatchObject([0, { s3: 'done' }]);
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
});

test('between waves a rollout soaks, is checked and asks a person, and each of them needs no running process', async () => {
  const check = `check: { condition: "wave.failed == 0", command: "echo $DEXSYNC_WAVE >> waves", approval: true }`;
  const { run, sites, descriptions, project } = await fleetProject(2, `soak: 30m, ${check}`);
  await run(...SAVE);
  const first = await run(...APPLY);
  expect([first.code, first.status.next]).toEqual([
    4,
    { is: 'wait', wave: 1, because: 'soak', until: expect.any(String) },
  ]);
  expect((await run(...RESUME)).status.next).toMatchObject({ because: 'soak' });
  minutesLater(31);
  const asked = await run(...RESUME);
  expect([asked.code, asked.status.next]).toEqual([4, { is: 'ask', wave: 1, because: 'approval' }]);
  expect(await project.read('waves')).toBe('1\n');
  expect(await descriptions(sites[1] as Site)).toEqual([]);
  expect((await run('fleet', 'review', 'sites', '--reject', '--reason', 'slow', '--json')).status.next).toMatchObject({
    because: 'refused',
    message: 'slow',
  });
  expect((await run(...RESUME)).code).toBe(1);
  expect((await run('fleet', 'review', 'sites', '--approve')).code).toBe(0);
  const done = await run(...RESUME);
  expect([done.code, resultsIn(done.status)]).toEqual([0, { s1: 'done', s2: 'done' }]);
  expect(await project.read('waves')).toBe('1\n');
});

test('a check that ends with an error holds the next wave, with its last line', async () => {
  const { run, project } = await fleetProject(
    2,
    'check: { command: "test -e milk || (echo no milk for $SITE_PASSWORD >&2; exit 3)" }',
  );
  await run(...SAVE);
  const { code, status } = await run(...APPLY);
  expect([code, status.next]).toMatchObject([
    1,
    { is: 'ask', because: 'refused', message: 'The check ended with 3: no milk for [redacted]' },
  ]);
  const { out } = await run('fleet', 'status', 'sites');
  expect(out).toContain('The check refused wave 1: The check ended with 3: no milk for [redacted].');
  expect((await run(...RESUME)).code).toBe(1);
  await project.write('milk', '');
  expect((await run('fleet', 'retry', 'sites', '--failed')).code).toBe(0);
});

test('a process that is killed anywhere leaves a rollout that can be resumed: each change happens exactly once', async () => {
  const { run, sites, descriptions, project, variables } = await fleetProject(8, 'waves: [1], concurrency: 4');
  await run(...SAVE);
  for (const line of ['"is":"begun"', '"is":"done"', '"wave":2']) {
    const child = project.start(['fleet', 'apply', 'rollout.json', '--yes', '--json'], variables);
    const ended = finished(child);
    child.stdout?.on('data', (text) => {
      if (String(text).includes(line)) child.kill('SIGKILL');
    });
    await ended;
  }
  const { code, status } = await run(...RESUME);
  expect([code, new Set(Object.values(resultsIn(status)))]).toEqual([0, new Set(['done'])]);
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
});

test.each([
  ['a creation', 'POST', 'First', ['First']],
  ['an update', 'PUT', 'Second', ['Second']],
  ['a deletion', 'DELETE', undefined, []],
] as const)(
  '%s that is in flight when the process is killed is found done, and nothing is sent again',
  async (_, method, asked, expected) => {
    const { run, sites, descriptions, project, variables, served, ask } = await fleetProject(2);
    if (method !== 'POST') expect([(await run(...SAVE)).code, (await run(...APPLY)).code]).toEqual([0, 0]);
    if (asked === undefined) await project.write('manifests/groups.yaml', manifest('UserGroup', 'Other'));
    else await ask(asked);
    await run(...SAVE, '--prune');
    const path = method === 'POST' ? '/settings/usergroups' : '/settings/usergroups/*';
    await served.arm({ faults: [{ method, path, do: 'hang', when: 'after' }] });
    const child = project.start(['fleet', 'apply', 'rollout.json', '--yes', '--json'], variables);
    const ended = finished(child);
    while (((await served.report())[0]?.struck ?? 0) === 0) await new Promise((go) => setTimeout(go, 20));
    child.kill('SIGKILL');
    await ended;
    await served.arm({ faults: [] });
    const { code, status } = await run(...RESUME);
    expect([code, status?.next]).toEqual([0, { is: 'ended' }]);
    for (const site of sites) expect(await descriptions(site)).toEqual(expected);
  },
);

test('a rollout that somebody pauses or stops meanwhile begins nothing else; a second process is refused', async () => {
  const { run, sites, descriptions, project, variables } = await fleetProject(3, 'soak: 1s, waves: [1, 1]');
  await run(...SAVE);
  const child = project.start(['fleet', 'apply', 'rollout.json', '--yes', '--json', '--wait'], variables);
  atEnd(() => void child.kill('SIGKILL'));
  const ended = finished(child);
  await new Promise((done) => child.stdout?.on('data', (text) => String(text).includes('"is":"begun"') && done(0)));
  const second = await run(...RESUME);
  expect([second.code, second.out]).toEqual([7, expect.stringContaining('The fleet sites is worked on by ')]);
  expect((await run('fleet', 'pause', 'sites', '--reason', 'wait')).out).toContain('Paused by ');
  expect((await ended).code).toBe(4);
  expect(await descriptions(sites[2] as Site)).toEqual([]);
  expect((await run('fleet', 'status', 'sites', '--json')).status.next).toMatchObject({
    is: 'paused',
    message: 'wait',
  });

  await run('fleet', 'stop', 'sites');
  const stopped = await run(...RESUME);
  expect([stopped.code, stopped.status.next.is]).toEqual([1, 'stopped']);
  expect((await run('plan', 'list', '--env', 's3')).out).not.toContain('rollout-');
  const next = await run(...SAVE);
  expect(next.code).toBe(0);
  expect((await run(...APPLY, '--wait')).code).toBe(0);
});

test('rows that left the table are named and not touched, and are orphans of their fleet; a second rollout waits for the first', async () => {
  const { run, sites, descriptions, writeSites, ask } = await fleetProject(3, 'waves: [1], soak: 1h');
  await run(...SAVE);
  await run(...APPLY);
  await run('fleet', 'plan', 'sites', '--out', 'second.json');
  const second = await run('fleet', 'apply', 'second.json', '--yes');
  expect([second.code, second.err]).toEqual([3, expect.stringContaining('of the fleet sites has not ended.')]);
  minutesLater(61);
  await writeSites([...sites.slice(0, 2), { ...(sites[2] as Site), code: 's4' }]);
  const { code, status, out: events } = await run(...RESUME);
  expect(events).toContain('The fleet sites has environments that this rollout was not planned for: s4.');
  expect([code, resultsIn(status)]).toEqual([0, { s1: 'done', s2: 'done', s3: 'gone' }]);
  expect(await descriptions(sites[2] as Site)).toEqual([]);
  await writeSites(sites.slice(1));
  await ask('Second');
  const { out } = await run('fleet', 'orphans', 'sites', '--json');
  expect(JSON.parse(out).orphans).toMatchObject([{ environment: 's1' }]);
});

test('a rollout in the ledger is applied only with its approvals, group by group, and never after a rejection', async () => {
  const { run, sites, descriptions, project } = await fleetProject(2);
  await project.write('overlays/late.yaml', '');
  const saved = await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
  expect(saved.out).toContain('Apply it with: dexsync fleet apply ledger:r1');
  const apply = ['fleet', 'apply', 'ledger:r1', '--yes', '--json'];
  expect((await run(...apply, '--approvals', '1')).code).toBe(5);
  expect((await run('fleet', 'review', 'ledger:r1', '--reject', '--reason', 'no')).out).toContain('rejected by ');
  const refused = await run(...apply);
  expect([refused.code, refused.out]).toEqual([5, expect.stringContaining('PLAN_REJECTED')]);
  expect((await run('fleet', 'review', 'ledger:r1', '--approve', '--group', 'abc')).code).toBe(3);
  const own = await run('fleet', 'review', 'ledger:r1', '--approve');
  expect(own.err).toContain('You planned this rollout, so your approval does not count.');
  expect((await run(...apply, '--approvals', '1')).code).toBe(5);
  expect((await run(...apply)).code).toBe(0);
  for (const site of sites) expect(await descriptions(site)).toEqual(['First']);
  expect((await run('fleet', 'plan', 'sites', '--out', 'ledger:r1')).code).toBe(3);
});

test('a file that was changed or that is another one is refused before anything is sent', async () => {
  const { run, project } = await fleetProject(2);
  await run(...SAVE);
  const text = await project.read('rollout.json');
  const wrong: [string, number, string][] = [
    [text.replace('"budget":0', '"budget":9'), 5, 'was changed after it was saved'],
    [text.replace(/(\n.*)"First"/, '$1"Other"'), 5, 'are not those that were saved with it'],
    [text.split('\n').slice(0, 2).join('\n'), 5, 'are not those that were saved with it'],
    ['{"format":"dexsync-plan/1"}', 3, 'is not a rollout'],
    ['', 3, 'is not a rollout'],
  ];
  for (const [content, code, message] of wrong) {
    await project.write('wrong.json', content);
    const found = await run('fleet', 'apply', 'wrong.json', '--yes');
    expect([found.code, found.err]).toEqual([code, expect.stringContaining(message)]);
  }
  const unsigned = await project.run(['fleet', 'apply', 'rollout.json', '--yes'], {
    DEXSYNC_PLAN_KEY: 'key-of-a-team',
  });
  expect([unsigned.code, unsigned.err]).toEqual([5, expect.stringContaining('is not signed')]);
  expect((await run('fleet', 'apply', 'missing.json', '--yes')).code).toBe(3);
});

test('approvals of a group count for the plans of its environments, also where the chain of releases asks for them', async () => {
  const { run, sites, descriptions, project, variables } = await fleetProject(3);
  const config = await project.read('sync.config.yaml');
  await project.write(
    'sync.config.yaml',
    `${config.replace('environments: "*"', 'environments: s2')}promotion: [s1, { environment: s2, approvals: 1 }]\n`,
  );
  expect((await run('apply', '--env', 's1', '--yes')).code).toBe(0);
  expect((await run('release', 'create', 's1')).code).toBe(0);
  expect((await run('fleet', 'plan', 'sites', '--release', 'r1', '--out', 'ledger:r1')).code).toBe(0);
  const early = await run('fleet', 'apply', 'ledger:r1', '--yes', '--json', '--approvals', '1');
  expect([early.code, early.out]).toEqual([5, expect.stringContaining('PLAN_UNAPPROVED')]);
  const bob = { ...variables, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'bob' };
  const review = await project.run(['fleet', 'review', 'ledger:r1', '--approve'], bob);
  expect([review.code, review.out]).toEqual([0, expect.stringContaining('approved by ')]);
  const { code, status } = await run('fleet', 'apply', 'ledger:r1', '--yes', '--json', '--approvals', '1');
  expect([code, resultsIn(status)]).toEqual([0, { s2: 'done' }]);
  expect(await descriptions(sites[1] as Site)).toEqual(['First']);
  const { out } = await run('history', '--env', 's2', '--json');
  expect(out).toContain('approved');
});
