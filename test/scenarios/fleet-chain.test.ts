import { expect, test } from 'vitest';
import { type FleetProject, fleetProject, resultsIn } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';

const SMOKE = `gates: [{ name: smoke, when: '"smoke" in before.passed', message: The smoke test is missing. }]`;

/** A chain of s1 and s2 that ends with the fleet of s3 to s5. */
async function chainedFleet(stage: string, settings = '') {
  const fleet = await fleetProject(5, settings);
  const { project, run } = fleet;
  const config = await project.read('sync.config.yaml');
  const chain = `promotion: [s1, s2, { fleet: sites, ${stage} }]\n`;
  await project.write('sync.config.yaml', `${config.replace('environments: "*"', 'environments: "s3,s4,s5"')}${chain}`);
  const must = async (...args: string[]) => {
    const ended = await run(...args);
    expect(ended.code, `${args.join(' ')}\n${ended.out}${ended.err}`).toBe(0);
    return ended;
  };
  /** Releases s1 and brings that to s2. */
  const release = async (description: string) => {
    await fleet.ask(description);
    await must('apply', '--env', 's1', '--yes');
    await must('release', 'create', 's1');
    await must('promote', '--to', 's2', '--out', 'plan.json');
    await must('apply', 'plan.json', '--yes');
  };
  return { ...fleet, must, release };
}

const inFleet = async ({ sites, descriptions }: FleetProject): Promise<(string | undefined)[]> => {
  const found: (string | undefined)[] = [];
  for (const site of sites.slice(2)) found.push((await descriptions(site))[0]);
  return found;
};

const APPLY = ['--yes', '--json'];

test('releases go along the chain into the fleet, one after the other and back', async () => {
  const fleet = await chainedFleet(SMOKE, 'check: { approval: true }');
  const { run, must, release } = fleet;
  const none = await run('fleet', 'plan', 'sites');
  expect([none.code, none.err]).toEqual([
    3,
    expect.stringContaining('There is no release of environment "s1" to promote to fleet "sites".'),
  ]);
  await release('First');
  const closed = await run('fleet', 'plan', 'sites');
  expect([closed.code, closed.err]).toEqual([
    4,
    expect.stringContaining('s1/r1 may not go to fleet "sites" yet: gate "smoke": The smoke test is missing.'),
  ]);
  await must('release', 'check', 'r1', '--at', 's2', '--name', 'smoke');
  expect((await must('fleet', 'plan', 'sites', '--out', 'ledger:one')).out).toContain('Promotes release s1/r1.\n');

  // A hold refuses a rollout that was planned before.
  await must('release', 'hold', 'r1', '--to', 'sites', '--reason', 'audit');
  const held = await run('fleet', 'apply', 'ledger:one', '--yes');
  expect([held.code, held.err]).toEqual([4, expect.stringMatching(/fleet "sites" yet: gate "hold": .*: audit\./)]);
  await must('release', 'lift', 'r1', '--to', 'sites');
  expect((await run('fleet', 'apply', 'ledger:one', '--yes')).code).toBe(4);
  expect((await must('status')).out).toContain('\nFleet sites: s1/r1 in 1 of 3 environments.\n');
  expect((await must('status', '--md')).out).toContain('\n- Fleet sites: s1/r1 in 1 of 3 environments');
  expect((await must('status', '--html')).out).toContain('<p>Fleet sites: s1/r1 in 1 of 3 environments.</p>');
  expect((await must('release', 'list')).out).toMatch(/^s1\/r1 .* s2, sites 1 of 3\n$/m);
  await must('fleet', 'review', 'sites', '--approve');
  await must('fleet', 'resume', 'sites');
  expect(await inFleet(fleet)).toEqual(['First', 'First', 'First']);

  // The next release waits for its gate; the fleet keeps what it has.
  await release('Second');
  const waiting = await must('fleet', 'plan', 'sites', '--json');
  expect(waiting.err).toContain('s1/r2 does not go to fleet "sites" yet: gate "smoke": The smoke test is missing.');
  expect(JSON.parse(waiting.out)).toMatchObject({ release: 's1/r1', groups: [], problems: [] });
  expect((await must('status', 's3')).out).toMatch(/s1\/r1, 1 behind .* s1\/r2 \(smoke\)/);
  expect((await run('fleet', 'plan', 'sites', '--override', 'smoke')).err).toContain('`--override` needs `--reason`');
  const forced = ['fleet', 'plan', 'sites', '--override', 'smoke', '--reason', 'urgent'];
  expect((await must(...forced)).out).toContain('Gate "smoke" is overridden: The smoke test is missing.');
  await must('release', 'check', 'r2', '--at', 's2', '--name', 'smoke');
  await must('fleet', 'plan', 'sites', '--out', 'ledger:two');
  expect((await run('fleet', 'apply', 'ledger:two', ...APPLY)).status.release).toBe('s1/r2');

  // A gate that closes meanwhile defers the rest, until it is open again.
  await must('release', 'hold', 'r2', '--reason', 'complaints');
  await must('fleet', 'review', 'sites', '--approve');
  const deferred = await run('fleet', 'resume', 'sites', '--json');
  expect([deferred.code, resultsIn(deferred.status)]).toEqual([4, { s3: 'done', s4: 'deferred', s5: 'deferred' }]);
  expect(deferred.status.targets[1].message).toMatch(/gate "hold": .*: complaints\./);
  await must('release', 'lift', 'r2');
  await must('fleet', 'resume', 'sites');
  expect(await inFleet(fleet)).toEqual(['Second', 'Second', 'Second']);

  // Back to r1: r2 is not taken again by itself.
  await must('fleet', 'plan', 'sites', '--release', 'r1', '--out', 'ledger:back');
  expect((await run('fleet', 'apply', 'ledger:back', '--yes')).code).toBe(4);
  await must('fleet', 'review', 'sites', '--approve');
  await must('fleet', 'resume', 'sites');
  expect(await inFleet(fleet)).toEqual(['First', 'First', 'First']);
  const stays = await must('fleet', 'plan', 'sites', '--json');
  expect(stays.err).toMatch(/s1\/r2 does not go .* gate "rollback": Environment "s3" went back .* s1\/r2 --to sites`/);
  expect(JSON.parse(stays.out)).toMatchObject({ release: 's1/r1', groups: [] });
  await must('release', 'lift', 'r2', '--to', 'sites');
  expect((await must('fleet', 'plan', 'sites')).out).toContain('Promotes release s1/r2.\n');
});

test('what one environment was taken back from does not go to the others of the fleet by itself', async () => {
  const fleet = await chainedFleet(SMOKE, 'check: { approval: true }');
  const { run, must, release } = fleet;
  for (const [index, description] of ['First', 'Second'].entries()) {
    await release(description);
    await must('release', 'check', `r${index + 1}`, '--at', 's2', '--name', 'smoke');
    await must('fleet', 'plan', 'sites', '--out', `ledger:${description}`);
    expect((await run('fleet', 'apply', `ledger:${description}`, '--yes')).code).toBe(4);
    if (index > 0) continue;
    await must('fleet', 'review', 'sites', '--approve');
    await must('fleet', 'resume', 'sites');
  }
  expect(await inFleet(fleet)).toEqual(['Second', 'First', 'First']);
  await must('fleet', 'stop', 'sites', '--reason', 'r2 is bad');
  await must('fleet', 'plan', 'sites', '--release', 'r1', '--out', 'ledger:back');
  await must('fleet', 'apply', 'ledger:back', '--yes');
  expect(await inFleet(fleet)).toEqual(['First', 'First', 'First']);
  const next = await must('fleet', 'plan', 'sites', '--json');
  expect(next.err).toMatch(/s1\/r2 does not go .* gate "rollback": Environment "s3" went back/);
  expect(JSON.parse(next.out)).toMatchObject({ release: 's1/r1', groups: [] });
});

test('the approvals of the stage count for each group, and what comes from no release is refused', async () => {
  const { run, must, release, project, variables } = await chainedFleet('approvals: 1');
  await release('First');
  await must('fleet', 'plan', 'sites', '--out', 'rollout.json');
  const file = await run('fleet', 'apply', 'rollout.json', '--yes');
  expect([file.code, file.err]).toEqual([3, expect.stringContaining('rollout.json is a file, which has no reviews')]);
  await must('fleet', 'plan', 'sites', '--out', 'ledger:one');
  const early = await run('fleet', 'apply', 'ledger:one', '--yes');
  expect([early.code, early.err]).toEqual([5, expect.stringContaining('have 0 of 1 approvals')]);
  const bob = { ...variables, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'bob' };
  await project.run(['fleet', 'review', 'ledger:one', '--approve'], bob);
  expect(resultsIn((await run('fleet', 'apply', 'ledger:one', ...APPLY)).status)).toEqual({
    ...{ s3: 'done', s4: 'done', s5: 'done' },
  });

  const outside = await run('apply', '--env', 's4', '--yes');
  expect([outside.code, outside.err]).toEqual([4, expect.stringContaining('Environment "s4" gets releases of "s1"')]);
  await project.write('other/groups.yaml', manifest('UserGroup', 'Other', {}));
  await must('fleet', 'plan', 'sites', '-f', 'other', '--out', 'ledger:other');
  const other = await run('fleet', 'apply', 'ledger:other', '--yes');
  expect([other.code, other.err]).toEqual([4, expect.stringContaining('The fleet "sites" gets releases of "s1"')]);
});

test('one environment may be held alone, one that is as the release is has it too, and each may be promoted to alone', async () => {
  const { run, must, release } = await chainedFleet('approvals: ~');
  await release('First');
  // As the release is, but from none.
  await must('apply', '--env', 's5', '--yes', '--outside-chain', '--reason', 'by hand');
  await must('release', 'hold', 'r1', '--to', 's4', '--reason', 'inventory');
  const planned = await run('fleet', 'plan', 'sites', '--out', 'rollout.json', '--json');
  expect(planned.code).toBe(4);
  expect(JSON.parse(planned.out)).toMatchObject({
    ...{ release: 's1/r1', unchanged: ['s5'] },
    problems: [
      { environment: 's4', code: 'GATES_CLOSED', message: expect.stringMatching(/may not go there yet: gate "hold"/) },
    ],
  });
  expect(resultsIn((await run('fleet', 'apply', 'rollout.json', ...APPLY)).status)).toEqual({ s3: 'done', s5: 'done' });
  expect((await must('status')).out).toContain('\nFleet sites: s1/r1 in 2 of 3 environments.\n');
  await must('release', 'lift', 'r1', '--to', 's4');
  await must('promote', '--to', 's4', '--out', 'plan.json');
  await must('apply', 'plan.json', '--yes');
  const all = await must('status', '--json');
  expect(JSON.parse(all.out).fleets).toEqual([
    { fleet: 'sites', environments: 3, releases: [{ name: 's1/r1', environments: 3 }] },
  ]);
  expect((await run('fleet', 'plan', 'sites', '--out', 'ledger:again', '--json')).status).toMatchObject({ groups: [] });
  expect((await run('fleet', 'apply', 'ledger:again', ...APPLY)).status.targets).toEqual([]);
});

test('a fleet with an earlier stage in it is an error, and a promotion to it is refused with the command that does it', async () => {
  const { run, project } = await chainedFleet(SMOKE);
  const promoted = await run('promote', '--to', 'sites');
  expect([promoted.code, promoted.err]).toEqual([3, expect.stringContaining('`dexsync fleet plan sites`')]);
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', config.replace('"s3,s4,s5"', 's*'));
  const overlapping = await run('fleet', 'plan', 'sites');
  expect([overlapping.code, overlapping.err]).toEqual([
    3,
    expect.stringContaining('Environment "s1" is a stage of the chain, and in the fleet "sites" at its end, too.'),
  ]);
});
