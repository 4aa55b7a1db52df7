import type { ChildProcess } from 'node:child_process';
import { expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { group, historyProject, journalFiles, makeOld, steady, type Told } from './history-project.js';

test('an apply in progress, and a killed one, are unfinished; their outcomes are shown step by step', async () => {
  const { workspace, project } = await historyProject();
  for (const name of ['A', 'B', 'C']) await project.write(`manifests/${name}.yaml`, group(name, 'x'));
  let child: ChildProcess | undefined;
  let reached: () => void = () => undefined;
  const stopped = new Promise<void>((done) => {
    reached = done;
  });
  await workspace.arm([{ method: 'POST', path: '/settings/usergroups', nth: 2, do: 'reset' }], () => {
    child?.kill('SIGSTOP');
    reached();
  });
  // As many steps as there are writes before it: one at a time.
  const args = ['apply', '--yes', '--parallelism', '1', '--reason', 'to be killed'];
  child = project.start(args, workspace.variables);
  const ended = new Promise((done) => child?.once('close', done));
  await stopped;
  const through = workspace.variables;
  const show = async () => JSON.parse((await project.run(['history', 'show', '1', '--json'], through)).out) as Told;
  expect(await show()).toMatchObject({
    state: 'unfinished',
    process: 'running',
    ended: null,
    apply: { pid: child.pid },
  });
  child.kill('SIGKILL');
  await ended;
  const shown = await show();
  expect(shown).toMatchObject({
    state: 'unfinished',
    process: 'gone',
    counts: { done: { create: 1 }, unknown: 1, skipped: 2, failed: 0 },
    digest: 'matches',
  });
  expect(shown.steps.map(({ outcome }: Told) => outcome)).toEqual(['done', 'unknown', 'skipped', 'skipped']);
  expect((await project.run(['history'], through)).out).toMatch(
    /\n1 .* apply +1 created, 1 unknown, 2 not started, unfinished +to be killed\n/,
  );
  expect(steady((await project.run(['history', 'show', '1'], through)).out)).toMatchInlineSnapshot(`
    "Apply 1 of environment "remote"
      When       <time>
      State      unfinished: its process was killed
      Who        admin@example.com, as <user> on <host> (process <pid>, dexsync <version>)
      Command    apply --yes --parallelism 1 --reason "to be killed"
      Stack      test
      Reason     to be killed
      Digest     <digest>: the plan is unchanged since it was recorded
      Journal    <journal>

    Plan for environment remote (workspace "Embedded Workspace")

      + UserGroup/A  create
          + description: "x"

      + UserGroup/B  create
          + description: "x"

      + UserGroup/C  create
          + description: "x"

      + UserGroup/Quality  create
          + description: "First"

    Plan: 4 to create.
    Requests: 1 used by this plan, 4 to apply it.

    Outcome:
      ✓ UserGroup/A  created
      ? UserGroup/B  unknown outcome: it was started, and no result is recorded
      - UserGroup/C  not started
      - UserGroup/Quality  not started
    "
  `);
  expect((await project.run(['apply', '--yes'], through)).code).toBe(0);
  const { applies } = JSON.parse((await project.run(['history', '--json'], through)).out) as Told;
  expect(applies.map(({ state }: Told) => state)).toEqual(['ended', 'unfinished']);
  const { variables: elsewhere } = await testWorkspace();
  const there = await Promise.all([[], ['--json']].map((more) => project.run(['history', ...more], elsewhere)));
  expect(there.map(({ out }) => out)).toEqual([
    'No apply is recorded for environment "remote".\n',
    expect.stringContaining('"applies": []'),
  ]);
});

test('failed, skipped, unknown and manual steps are distinguished, by old journals too', async () => {
  const { workspace, project } = await historyProject('arena');
  await project.write('manifests/one.yaml', group('One', 'x'));
  await project.write('manifests/unknown.yaml', group('Unknown', 'x'));
  await project.write('manifests/definition.yaml', itemsDefinition('D', { Part: 'number' }, 'EDIT'));
  await project.write('manifests/import.yaml', manifest('Import', 'I', { definition: 'D', source: { file: 'a.csv' } }));
  await project.write('manifests/a.csv', 'Part\nDX-0001\n');
  await project.write('manifests/trigger.yaml', manifest('Trigger', 'T', { resource: 'ITEM', action: 'UPDATE' }));
  const refused = { do: 'status', status: 400, code: 1, message: 'no' } as const;
  await workspace.arm([
    { method: 'POST', path: '/settings/usergroups/**', nth: 3, do: 'reset', when: 'after' },
    { method: 'POST', path: '/imports', times: 'always', ...refused },
  ]);
  const through = workspace.variables;
  const { code, out } = await project.run(['apply', '--yes', '--parallelism', '1', '--json'], through);
  expect([code, out]).toEqual([4, expect.stringContaining('"type":"summary"')]);
  const summary = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '') as Told;
  const told = async (...args: string[]) =>
    JSON.parse((await project.run(['history', ...args, '--json'], through)).out) as Told;
  const before = (await told()).applies[0];
  const { counts } = before;
  expect([counts.done.create, counts.failed, counts.unknown, counts.skipped, counts.manual]).toEqual([
    summary.done,
    summary.failed,
    summary.unknown,
    summary.skipped,
    summary.manual,
  ]);
  expect(counts).toMatchObject({ done: { create: 2 }, failed: 1, unknown: 1, skipped: 1, manual: 1 });
  const text = (await project.run(['history', 'show', '1'], through)).out;
  expect(steady(text.slice(text.indexOf('Outcome:')))).toMatchInlineSnapshot(`
    "Outcome:
      ✗ ImportDefinition/D  create failed: POST /imports was answered with 400: no (1)
      - Import/I  not started
      ! Trigger/T  manual
      ✓ UserGroup/One  created
      ✓ UserGroup/Quality  created
      ? UserGroup/Unknown  unknown outcome: POST /settings/usergroups got no answer and may or may not have taken effect: read ECONNRESET.
    "
  `);
  const [file = ''] = await journalFiles(project);
  await makeOld(file);
  // They did not say that a write was not answered: it counts as failed.
  expect((await told()).applies[0]).toEqual({ ...before, apply: null, counts: { ...counts, failed: 2, unknown: 0 } });
});
