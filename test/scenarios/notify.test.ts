import { expect, test } from 'vitest';
import { fleetProject } from '../harness/fleet-project.js';
import { manifest } from '../harness/manifest.js';
import { mailServer, webhook } from '../harness/receivers.js';
import { freshRunner, inGit } from '../harness/team-ledger.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';
import { watching, watchingProcess } from '../harness/watching.js';

const group = (description: string): string => manifest('UserGroup', 'Quality', { description });

const EVERY_SECOND = ['--policy', 'none', '--interval', '1s'];

/** A workspace with a group as its manifest asks, and who hears of it. */
async function applied(notify: string): Promise<{ workspace: TestWorkspace; project: TestProject }> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/group.yaml': group('one') });
  await project.write('sync.config.yaml', `${await project.read('sync.config.yaml')}notify:\n${notify}`);
  return { workspace, project };
}

async function describeAs(description: string, { call, administer }: TestWorkspace): Promise<void> {
  const { body } = await call('GET', '/settings/usergroups?limit=400');
  const { guid } = body.results.find(({ name }: { name: string }) => name === 'Quality');
  await administer('PUT', `/settings/usergroups/${guid}`, { name: 'Quality', description });
}

test('drift is said once over many rounds and a restart, then that it is gone, and again when it comes back', async () => {
  const hook = await webhook();
  const { workspace, project } = await applied('  - { webhook: "${env.HOOK}", on: [drifted, recovered] }\n');
  const variables = { ...workspace.variables, HOOK: hook.url };
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  const first = watching(project, EVERY_SECOND, variables);
  await first.round();
  await describeAs('by hand', workspace);
  expect(await hook.first(({ is }) => is === 'drifted')).toEqual({
    ...{ is: 'drifted', stack: 'test', environment: 'remote', command: 'dexsync drift --env remote' },
    text: '1 object changed outside dexsync: UserGroup/Quality',
    line: '[test] remote: 1 object changed outside dexsync: UserGroup/Quality. Next: dexsync drift --env remote',
    at: expect.stringMatching(/Z$/),
  });
  await first.round(({ drifted }) => drifted.length > 0);
  await first.round();
  expect((await first.stop()).err).toBe('');
  const second = watching(project, EVERY_SECOND, variables);
  await second.round(({ drifted }) => drifted.length > 0);
  await second.round();
  await describeAs('one', workspace);
  expect((await hook.first(({ is }) => is === 'recovered')).line).toBe(
    '[test] remote: what was changed outside dexsync no longer differs. Next: dexsync drift --env remote',
  );
  await describeAs('again', workspace);
  await second.round(({ drifted }) => drifted.length > 0);
  await second.round();
  await second.stop();
  expect(hook.got.map(({ is }) => is)).toEqual(['drifted', 'recovered', 'drifted']);
});

test('of two machines that watch, one says it', async () => {
  const hook = await webhook();
  const { workspace, project } = await applied('  - { webhook: "${env.HOOK}", on: [waiting, drifted] }\n');
  const variables = { ...workspace.variables, HOOK: hook.url, ...(await inGit.place(project)) };
  expect((await project.run(['apply', '--yes'], variables)).code).toBe(0);
  await describeAs('by hand', workspace);
  const other = await freshRunner(project);
  const watches = [
    watchingProcess(project, EVERY_SECOND, variables),
    watchingProcess(other.project, EVERY_SECOND, { ...variables, ...other.variables }),
  ];
  for (const watch of watches) await watch.round();
  for (const watch of watches) await watch.round();
  for (const watch of watches) expect((await watch.stop()).code).toBe(0);
  expect(hook.got.map(({ is }) => is).sort()).toEqual(['drifted', 'waiting']);
});

test('a webhook that is down, hangs or redirects delays nothing, is named once without its URL, and is notified once it is back', async () => {
  const good = await webhook();
  let status = 500;
  const down = await webhook((response) => response.writeHead(status).end());
  const hung = await webhook(() => undefined);
  const elsewhere = await webhook((response) => response.writeHead(302, { location: good.url }).end());
  const all = { GOOD: good.url, DOWN: down.url, HUNG: hung.url, ELSEWHERE: elsewhere.url };
  const targets = Object.keys(all).map((name) => `  - { webhook: "\${env.${name}}", on: [drifted] }\n`);
  const { workspace, project } = await applied(targets.join(''));
  const variables = { ...workspace.variables, ...all };
  await project.run(['apply', '--yes'], variables);
  await describeAs('by hand', workspace);
  const watch = watching(project, [...EVERY_SECOND, '--timeout', '2'], variables);
  for (let round = 0; round < 3; round += 1) expect(await watch.round()).toMatchObject({ result: 'held' });
  await down.first(() => true);
  status = 200;
  const before = down.got.length;
  while (down.got.length === before) await watch.round();
  const { code } = await watch.stop();
  expect(code).toBe(0);
  expect(good.got).toHaveLength(1);
  const warned = watch.lines.flatMap((line) => (line.type === 'diagnostic' ? [line.diagnostic.message] : []));
  expect(warned.sort()).toEqual([
    '`notify[1]` (json webhook) was not notified: it answered with status 500.',
    '`notify[2]` (json webhook) was not notified: no answer within 2 s.',
    '`notify[3]` (json webhook) was not notified: it answered with status 302.',
  ]);
  expect(JSON.stringify(watch.lines)).not.toContain('secret-of-hook');
});

test('a round that fails is said with its code, and that the next one worked', async () => {
  const hook = await webhook();
  const { workspace, project } = await applied('  - { webhook: "${env.HOOK}", on: [failed, recovered] }\n');
  const variables = { ...workspace.variables, HOOK: hook.url };
  await project.run(['apply', '--yes'], variables);
  await project.write('manifests/group.yaml', 'kind: Nothing\n');
  const watch = watching(project, EVERY_SECOND, variables);
  await hook.first(({ is }) => is === 'failed');
  await watch.round();
  await project.write('manifests/group.yaml', group('one'));
  await hook.first(({ is }) => is === 'recovered');
  await watch.stop();
  expect(hook.got.map(({ line }) => line)).toEqual([
    '[test] remote: it could not be compared (MANIFESTS_INVALID). Next: dexsync plan --env remote',
    '[test] remote: what failed is done, or is no longer needed. Next: dexsync history --env remote',
  ]);
});

test('a plan that is saved in the ledger waits for review, over Slack, Teams and mail', async () => {
  const [slack, teams] = [await webhook(), await webhook((response) => response.writeHead(202).end())];
  const mail = await mailServer('ann', 'p@ss word');
  const { workspace, project } = await applied(
    '  - { webhook: "${env.SLACK}", as: slack }\n' +
      '  - { webhook: "${env.TEAMS}", as: teams }\n' +
      '  - { webhook: "${env.SLACK}", as: slack, on: [drifted] }\n' +
      '  - { webhook: "${env.SLACK}", as: slack, environments: loc* }\n' +
      '  - mail: { server: "smtp://ann:${env.MAIL_PASSWORD}@${env.MAIL}", from: sync@example.com, to: [plm@example.com] }\n',
  );
  const secrets = {
    SLACK: slack.url,
    TEAMS: teams.url,
    MAIL: mail.url,
    MAIL_PASSWORD: encodeURIComponent('p@ss word'),
  };
  const variables = { ...workspace.variables, ...secrets, DEXSYNC_ENV: 'remote' };
  const { code, err } = await project.run(['plan', '--out', 'ledger:p-1'], variables);
  expect([code, err.includes('notify')]).toEqual([0, false]);
  const line = '[test] remote: the plan p-1 with 1 change waits for review. Next: ';
  const command = 'dexsync show ledger:p-1 --env remote';
  expect(slack.got).toEqual([expect.objectContaining({ text: `${line}${command}` })]);
  const [card] = teams.got.map(({ attachments: [{ contentType, content }] }) => ({ contentType, content }));
  expect(card).toMatchObject({
    contentType: 'application/vnd.microsoft.card.adaptive',
    content: { type: 'AdaptiveCard', body: [{ type: 'RichTextBlock', inlines: [{ text: line }, { text: command }] }] },
  });
  const [letter = ''] = mail.got;
  expect(letter).toContain('Subject: [test] remote: the plan p-1 with 1 change waits for review');
  expect(letter.replaceAll('=\r\n', '')).toContain(`${line}${command}`);
  expect((await project.run(['plan', '--out', 'p.json'], variables)).code).toBe(0);
  expect(slack.got).toHaveLength(1);
});

test('`env check --notify` tries each target, and says which one got nothing and why', async () => {
  const hook = await webhook();
  const { workspace, project } = await applied(
    '  - { webhook: "${env.HOOK}", on: [failed] }\n' +
      '  - { webhook: "${env.NOT_SET}" }\n' +
      '  - mail: { server: "smtp://127.0.0.1:1", from: sync@example.com, to: [plm@example.com] }\n',
  );
  const variables = { ...workspace.variables, HOOK: hook.url };
  const { code, out } = await project.run(['env', 'check', 'remote', '--notify'], variables);
  expect(code).toBe(1);
  expect(out).toContain('✓ `notify[0]` (json webhook) got a test message.\n');
  expect(out).toContain('✗ `notify[1]` (json webhook): the variable NOT_SET is not set\n');
  expect(out).toMatch(/✗ `notify\[2\]` \(mail\): the mail server failed: .*ECONNREFUSED/);
  expect(hook.got).toEqual([expect.objectContaining({ is: 'test', environment: 'remote' })]);
});

test('targets that are none, name no environment or have a secret in plain text are refused where they stand', async () => {
  const { project } = await applied(
    '  - { webhook: "https://hooks.example.com/T0/abc" }\n' +
      '  - { on: [failed] }\n' +
      '  - mail: { server: "smtp://ann:secret@mail.example.com", from: a@example.com, to: [b@example.com] }\n' +
      '    environments: remot\n',
  );
  const { code, err, out } = await project.run(['validate']);
  expect(code).toBe(3);
  expect(`${out}${err}`.match(/sync.config.yaml:\d+:\d+ +error +[\w-]+/g)).toEqual([
    'sync.config.yaml:8:16  error  notify-secret',
    'sync.config.yaml:9:5  error  notify-target',
    'sync.config.yaml:10:21  error  notify-secret',
    'sync.config.yaml:11:19  error  notify-environment',
  ]);
  expect(`${out}${err}`).not.toContain('ann:secret');
});

test('a rollout says once that a wave waits, what failed, and that it is done', async () => {
  const hook = await webhook();
  const fleet = await fleetProject(2, 'waves: [1], check: { approval: true }');
  const { project, served } = fleet;
  await project.write(
    'sync.config.yaml',
    `${await project.read('sync.config.yaml')}notify:\n  - { webhook: "\${env.HOOK}" }\n`,
  );
  const run = (...args: string[]) => project.run(args, { ...fleet.variables, HOOK: hook.url });
  await run('fleet', 'plan', 'sites', '--out', 'ledger:r1');
  expect((await run('fleet', 'apply', 'ledger:r1', '--yes')).code).toBe(4);
  expect((await run('fleet', 'resume', 'sites')).code).toBe(4);
  await run('fleet', 'review', 'sites', '--approve');
  await served.arm({ faults: [{ method: 'POST', path: '/settings/usergroups', times: 1, do: 'status', status: 400 }] });
  expect((await run('fleet', 'resume', 'sites')).code).toBe(1);
  expect((await run('fleet', 'resume', 'sites')).code).toBe(1);
  expect((await run('fleet', 'retry', 'sites', '--failed')).code).toBe(0);
  expect((await run('fleet', 'resume', 'sites')).code).toBe(0);
  expect(hook.got.map(({ line }) => line)).toEqual([
    '[test] fleet sites: the rollout r1 waits for review, for 2 environments: s1, s2. Next: dexsync fleet status ledger:r1',
    '[test] fleet sites: wave 1 of rollout r1 waits for a person: to be approved. Next: dexsync fleet status sites',
    '[test] fleet sites: rollout r1 failed in 1 environment: s2. Next: dexsync fleet retry sites --failed',
    '[test] fleet sites: rollout r1 is done in 2 environments: s1, s2. Next: dexsync fleet status sites',
  ]);
});
