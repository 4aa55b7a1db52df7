import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const definition = manifest('ImportDefinition', 'D', {
  resource: 'ITEM_SPECS',
  mode: 'EDIT',
  options: { mapping: [{ resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' }] },
});

test('import FILE of committed content names its time and its run, and how to send it again', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/d.yaml': definition, 'a.csv': 'Part\nDX-0001\n' });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  const first = await project.run(['import', 'a.csv', '--definition', 'D'], workspace.variables);
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('  1 row validated, 0 failed')]);
  const again = await project.run(['import', 'a.csv', '--definition', 'D'], workspace.variables);
  const today = new Date().toISOString().slice(0, 10);
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringContaining(`Import/a.csv was committed by run #1 on ${today}. \`--force\` sends its rows again.\n`),
  ]);
  const forced = await project.run(['import', 'a.csv', '--definition', 'D', '--force'], workspace.variables);
  expect([forced.code, forced.out]).toEqual([0, expect.stringContaining('1 committed')]);
});

test('a pause for the service is reported while it lasts', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/g.yaml': manifest('UserGroup', 'Quality', {}) });
  const pause = { method: 'GET', path: '/settings/usergroups', do: 'status', status: 429, retryAfter: 1 } as const;
  await workspace.arm([pause]);
  const { variables } = workspace;
  const { code, out } = await project.run(['plan'], variables);
  expect([code, out]).toEqual([0, expect.stringMatching(/^waiting 1 s, as the service requested\nPlan for/)]);
  await workspace.arm([pause]);
  const json = await project.run(['apply', '--yes', '--json'], variables);
  expect(json.out).toContain('{"type":"waiting","seconds":1,"because":"service"}\n');
});

test('a slow `passwordCommand` is reported, and a stop ends it', async () => {
  const workspace = await testWorkspace();
  const { DEXSYNC_REMOTE_EMAIL, DEXSYNC_REMOTE_PASSWORD, TEST_URL } = workspace.variables;
  const config = (command: string): string =>
    `stack: test\nmanifests: [manifests]\nenvironments:\n  remote:\n    url: ${TEST_URL}\n    credentials: { email: ${DEXSYNC_REMOTE_EMAIL}, passwordCommand: '${command}' }\n`;
  const project = await testProject({ 'sync.config.yaml': config(`sleep 1.5; echo ${DEXSYNC_REMOTE_PASSWORD}`) });
  const says = 'waiting up to 60 s for the output of `passwordCommand`\n';
  const variables = { DEXSYNC_ENV: 'remote' };
  const listed = await project.run(['get', 'UserGroup'], variables);
  expect([listed.code, listed.err]).toEqual([0, says]);
  await project.write('sync.config.yaml', config('sleep 30; echo x'));
  const child = project.start(['plan'], variables);
  child.stdout?.on('data', (text: Buffer) => {
    if (text.includes(says.trim())) child.kill('SIGTERM');
  });
  const { code, err } = await finished(child);
  expect([code, err]).toEqual([
    130,
    expect.stringContaining('Interrupted while waiting for the `passwordCommand` of environment "remote".'),
  ]);
});

test('a plan that costs more than the remaining quota says so', async () => {
  const workspace = await testWorkspace();
  const names = Array.from({ length: 12 }, (_, index) => manifest('UserGroup', `G${index}`, {}));
  const project = await testProject({ 'manifests/g.yaml': names.join('') });
  const reset = 'Sun, 22 Nov 2026 08:00:00 GMT';
  const headers = { 'x-requests-remaining': '9', 'x-next-request-limit-reset': reset };
  await workspace.arm([{ times: 'always', do: 'set-head', headers }]);
  const { out } = await project.run(['plan'], workspace.variables);
  expect(out).toContain(`Warning: this apply needs 12 requests, but only 9 are left until 2026-11-22 08:00:00 UTC.\n`);
  await workspace.arm([]);
  expect((await project.run(['plan'], workspace.variables)).out).not.toContain('Warning');
});

test('the steps left out by a stop are one line', async () => {
  const workspace = await testWorkspace();
  const names = Array.from({ length: 40 }, (_, index) => manifest('UserGroup', `G${index}`, {}));
  const project = await testProject({ 'manifests/g.yaml': names.join('') });
  let stop: () => void = () => undefined;
  await workspace.arm([{ method: 'POST', path: '/settings/usergroups', nth: 3, do: 'pass' }], () => stop());
  const child = project.start(['apply', '--yes'], workspace.variables);
  stop = () => child.kill('SIGINT');
  const { code, out } = await finished(child);
  expect([code, out]).toEqual([130, expect.stringMatching(/\n- \d+ steps skipped because the apply was stopped\n/)]);
  expect(out.match(/the apply was stopped/g)).toHaveLength(1);
});
