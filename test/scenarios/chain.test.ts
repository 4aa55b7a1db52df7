import { expect, test } from 'vitest';
import { variablesOf } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const CONFIG = `stack: test
manifests: [manifests]
environments:
  dev: { url: "\${env.DEV_URL}" }
  test: { url: "\${env.TEST_URL}" }
  prod: { url: "\${env.PROD_URL}", guards: { deletes: { percent: 100 } } }
promotion:
  - dev
  - test
  - environment: prod
    approvals: 1
    gates:
      - { name: smoke, when: '"smoke" in before.passed', message: The smoke test has not passed in test. }
      - { name: soaked, when: 'now - before.appliedAt >= duration("0s")' }
`;

const group = (name: string, description: string): string => manifest('UserGroup', name, { description });

async function chainProject(config = CONFIG) {
  const workspaces = await Promise.all([testWorkspace([]), testWorkspace([]), testWorkspace([])]);
  const [dev, middle, prod] = workspaces;
  const project = await testProject({ 'sync.config.yaml': config });
  const variables = { ...variablesOf('DEV', dev), ...variablesOf('TEST', middle), ...variablesOf('PROD', prod) };
  const run = (...args: string[]) => project.run(args, variables);
  const must = async (...args: string[]) => {
    const ended = await run(...args);
    expect(ended.code, `${args.join(' ')}\n${ended.out}${ended.err}`).toBe(0);
    return ended;
  };
  const asOther = (...args: string[]) =>
    project.run(args, { ...variables, CI: 'true', GITHUB_ACTIONS: 'true', GITHUB_ACTOR: 'bob' });
  const write = async (description: string) => {
    await project.write('manifests/groups.yaml', group('Quality', description));
    await must('apply', '--env', 'dev', '--yes');
  };
  const release = async (description: string) => {
    await write(description);
    return must('release', 'create', 'dev');
  };
  const promoteTo = async (environment: string, ...args: string[]) => {
    await must('promote', '--to', environment, '--out', 'plan.json', ...args);
    return must('apply', 'plan.json', '--yes');
  };
  return { middle, prod, run, must, asOther, write, release, promoteTo };
}

test('releases go along the chain as its gates let them, and nothing else does', async () => {
  const { run, must, asOther, release, promoteTo, prod } = await chainProject();
  const none = await run('promote', '--to', 'test');
  expect([none.code, none.err]).toEqual([3, expect.stringContaining('There is no release of environment "dev"')]);
  await release('first');

  // What comes from no release needs a word.
  const outside = await run('apply', '--env', 'prod', '--yes');
  expect([outside.code, outside.err]).toEqual([
    4,
    expect.stringContaining('Environment "prod" gets releases of "dev"'),
  ]);
  expect((await run('apply', '--env', 'prod', '--yes', '--outside-chain')).code).toBe(4);

  // The stage before comes first.
  const early = await run('promote', '--to', 'prod');
  expect([early.code, early.err]).toEqual([
    4,
    expect.stringContaining(
      'dev/r1 may not go to environment "prod" yet: gate "applied": It was not applied to environment "test".',
    ),
  ]);
  await promoteTo('test');
  const unchecked = await run('promote', '--release', 'r1', '--to', 'prod');
  expect([unchecked.code, unchecked.err]).toEqual([
    4,
    expect.stringContaining('gate "smoke": The smoke test has not passed in test.'),
  ]);
  expect(unchecked.err).toContain('--override smoke --reason TEXT');
  await must('release', 'check', 'r1', '--at', 'test', '--name', 'smoke', '--failed');
  expect((await run('promote', '--to', 'prod')).code).toBe(4);
  await must('release', 'check', 'r1', '--at', 'test', '--name', 'smoke');

  // The plan needs an approval of somebody else.
  await must('promote', '--to', 'prod', '--out', 'ledger:first');
  const unapproved = await run('apply', 'ledger:first', '--env', 'prod', '--yes');
  expect([unapproved.code, unapproved.err]).toEqual([5, expect.stringContaining('0 of 1 approvals')]);
  await asOther('plan', 'review', 'ledger:first', '--env', 'prod', '--approve');
  // A hold refuses a plan that was approved before.
  await must('release', 'hold', 'r1', '--to', 'prod', '--reason', 'audit');
  const held = await run('apply', 'ledger:first', '--env', 'prod', '--yes');
  expect([held.code, held.err]).toEqual([4, expect.stringMatching(/gate "hold": .* holds it since .*: audit\./)]);
  await must('release', 'lift', 'r1', '--to', 'prod');
  await must('apply', 'ledger:first', '--env', 'prod', '--yes');
  expect(await prod.pages('/settings/usergroups')).toEqual(
    expect.arrayContaining([expect.objectContaining({ name: 'Quality' })]),
  );
});

test('the newest release that may go is taken, an override is shown and needs a reason, and a rollback stays', async () => {
  const { run, must, asOther, release, promoteTo } = await chainProject();
  const toProd = async (name: string, ...args: string[]) => {
    const planned = await must('promote', '--to', 'prod', '--out', `ledger:${name}`, ...args);
    await asOther('plan', 'review', `ledger:${name}`, '--env', 'prod', '--approve');
    await must('apply', `ledger:${name}`, '--env', 'prod', '--yes');
    return planned;
  };
  for (const text of ['first', 'second']) {
    await release(text);
    await promoteTo('test');
  }
  await must('release', 'check', 'r1', '--at', 'test', '--name', 'smoke');
  const first = await toProd('first');
  expect(first.out).toContain('dev/r2 does not go to environment "prod" yet: gate "smoke"');
  expect(first.out).toContain('dev/r1');

  expect((await run('promote', '--to', 'prod', '--override', 'smoke')).err).toContain('`--override` needs `--reason`');
  expect((await run('promote', '--to', 'prod', '--override', 'smok', '--reason', 'x')).err).toContain('no gate "smok"');
  const second = await toProd('second', '--override', 'smoke', '--reason', 'customer waits');
  expect(second.out).toContain('Gate "smoke" is overridden: The smoke test has not passed in test.');

  // Back to r1: r2 is not taken again by itself, r3 is.
  const back = await toProd('back', '--release', 'previous');
  expect(back.out).toContain('Promotes release dev/r1 of environment dev');
  expect((await run('promote', '--to', 'prod', '--release', 'previous')).err).toContain(
    'Environment "prod" had no release before the one that it has.',
  );
  await must('release', 'check', 'r2', '--at', 'test', '--name', 'smoke');
  const waiting = await must('promote', '--to', 'prod');
  expect(waiting.out).toContain('gate "rollback": Environment "prod" went back from dev/r2 to r1.');
  expect((await must('status')).out).toMatch(/test +dev\/r2 .*\n.*prod +dev\/r1, 1 behind .*dev\/r2 \(rollback\)/);
  // What prod has is never replaced by something older, though nobody may take it now.
  await must('release', 'hold', 'r1', '--to', 'prod', '--reason', 'audit');
  expect((await run('promote', '--to', 'prod')).code).toBe(4);
  await must('release', 'lift', 'r1', '--to', 'prod');
  await must('release', 'lift', 'r2', '--to', 'prod');
  expect((await must('promote', '--to', 'prod')).out).toContain('"first" -> "second"');
});

test('a release that finds nothing to do at a stage has been there', async () => {
  const { run, must, write, release, promoteTo, middle } = await chainProject();
  await release('first');
  await promoteTo('test');
  const found = await middle.pages('/settings/usergroups');
  await middle.call('PUT', `/settings/usergroups/${found.find(({ name }) => name === 'Quality')?.guid}`, {
    ...{ name: 'Quality', description: 'second' },
  });
  await release('second');
  await promoteTo('test');
  await must('release', 'check', 'r2', '--at', 'test', '--name', 'smoke');
  expect((await must('promote', '--to', 'prod')).out).toContain('dev/r2');

  // Named as the source, dev is released first, as often as it changes.
  await write('third');
  const named = await must('promote', '--from', 'dev', '--to', 'test');
  expect(named.out).toContain('Promotes release dev/r3 of environment dev');
  expect((await must('promote', 'dev', 'test')).out).toContain('dev/r3');
  const gated = await run('promote', 'dev', 'prod');
  expect([gated.code, gated.out + gated.err]).toEqual([
    0,
    expect.stringContaining('dev/r3 does not go to environment "prod" yet'),
  ]);
});

test('a gate knows the drift that somebody saw since the last apply, and so does status', async () => {
  const calm = '      - { name: calm, when: "before.drifted == 0", message: People changed the test workspace. }\n';
  const { run, must, release, promoteTo, middle } = await chainProject(`${CONFIG}${calm}`);
  await release('first');
  await promoteTo('test');
  await must('release', 'check', 'r1', '--at', 'test', '--name', 'smoke');
  const unseen = await run('promote', '--to', 'prod');
  expect(unseen.err).toContain(
    'gate "calm": Nobody looked for drift in environment "test" since its last apply; `dexsync drift --env test` does.',
  );

  const [quality] = (await middle.pages('/settings/usergroups')).filter(({ name }) => name === 'Quality');
  await middle.call('PUT', `/settings/usergroups/${quality?.guid}`, { name: 'Quality', description: 'by hand' });
  await run('drift', '--env', 'test');
  expect((await run('promote', '--to', 'prod')).err).toContain('gate "calm": People changed the test workspace.');
  expect((await must('status', 'test')).out).toMatch(/test .* 1 drifted, \d+ requests left/);
  const waiting = await run('status', 'test', '--md', '--exit-code');
  expect([waiting.code, waiting.out]).toEqual([
    2,
    expect.stringMatching(/^\| ENVIRONMENT \| RELEASE .*\n\| --- .*\n\| test \| dev\/r1 \| .* 1 drifted, .*\n$/),
  ]);
  await release('second');
  await promoteTo('test', '--take', 'release', 'UserGroup/Quality');
  await must('release', 'check', 'r2', '--at', 'test', '--name', 'smoke');
  expect((await must('status', 'test')).out).toContain('before that apply');
  await must('drift', '--env', 'test');
  await must('status', 'test', '--exit-code');
  expect((await must('status', '--json')).out).toContain('"drifted": 0');
  await must('promote', '--to', 'prod');
});
