import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhook } from '../harness/receivers.js';
import { freshRunner, inGit } from '../harness/team-ledger.js';
import { watching, watchingProcess } from '../harness/watching.js';
import { describeAs, group, notifying } from './notify-project.js';

const EVERY_SECOND = ['--policy', 'none', '--interval', '1s'];

test('drift is said once over many rounds and a restart, then that it is gone, and again when it comes back', async () => {
  const hook = await webhook();
  const { workspace, project } = await notifying('  - { webhook: "${env.HOOK}", on: [drifted, recovered] }\n');
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
  expect(await readdir(join(project.folder, '.dexsync/ledger'))).not.toContain('notices');
});

test('if the ledger cannot keep what was said, it is said once by each process, which warns of that', async () => {
  const hook = await webhook();
  const { workspace, project } = await notifying('  - { webhook: "${env.HOOK}", on: [drifted, waiting] }\n');
  const variables = { ...workspace.variables, HOOK: hook.url };
  await project.run(['apply', '--yes'], variables);
  await describeAs('by hand', workspace);
  await project.write('.dexsync/notices', 'not a folder');
  const watch = watching(project, EVERY_SECOND, variables);
  for (let round = 0; round < 3; round += 1) await watch.round();
  await watch.stop();
  expect(hook.got.map(({ is }) => is)).toEqual(['waiting', 'drifted']);
  const warned = watch.lines.flatMap((line) => (line.type === 'diagnostic' ? [line.diagnostic.message] : []));
  expect(warned).toEqual([expect.stringContaining('The ledger cannot keep what was said: ')]);
});

test('of two machines that watch, one says it', async () => {
  const hook = await webhook();
  const { workspace, project } = await notifying('  - { webhook: "${env.HOOK}", on: [waiting, drifted] }\n');
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
  const { workspace, project } = await notifying(targets.join(''));
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
  const { workspace, project } = await notifying('  - { webhook: "${env.HOOK}", on: [failed, recovered] }\n');
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
