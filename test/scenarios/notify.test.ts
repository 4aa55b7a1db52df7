import { expect, test } from 'vitest';
import { fleetProject } from '../harness/fleet-project.js';
import { mailServer, webhook } from '../harness/receivers.js';
import { notifying } from './notify-project.js';

test('a plan that is saved in the ledger waits for review, over Slack, Teams and mail', async () => {
  const [slack, teams] = [await webhook(), await webhook((response) => response.writeHead(202).end())];
  const mail = await mailServer('ann', 'p@ss word');
  const { workspace, project } = await notifying(
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
  const { workspace, project } = await notifying(
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
  const { project } = await notifying(
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
