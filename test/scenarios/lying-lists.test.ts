import { describe, expect, test } from 'vitest';
import type { FaultFile } from '../harness/hosted-workspace.js';
import { appliedProject } from '../harness/lying-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

type Rule = FaultFile['faults'][number];

/** What a cache, a proxy or a replica may make of a list, and what the message says of it. */
const LIES: Readonly<Record<string, { readonly rule: Rule; readonly says: RegExp }>> = {
  'one GUID with two contents': {
    rule: { do: 'contradict' },
    says: /^Error: The list of GET \/[\w/{}]+ has ".+" and "Another" under one GUID\.\nNothing was sent\./,
  },
  'a part of it': {
    rule: { do: 'set-head', status: 206 },
    says: /^Error: GET \/\S+ was answered with 206, a part of what was asked for\./,
  },
  'bytes that are not UTF-8': {
    rule: { do: 'bad-encoding' },
    says: /^Error: GET \/\S+ was answered with bytes that are not UTF-8\./,
  },
};

const LISTS = ['/imports', '/exports', '/settings/usergroups', '/settings/users'];

const MANIFESTS =
  itemsDefinition('Parts', { Part: 'number' }) +
  manifest('ExportDefinition', 'Resistors', { description: 'a' }) +
  manifest('UserGroup', 'Reviewers', { members: ['ann@example.com'] });

describe.each(sample(['reference', 'arena'] as const, 1))(
  'a list that contradicts itself, in the dialect %s',
  (dialect) => {
    test('is refused with its path; nothing is sent because of it', async () => {
      const { run, workspace, writes, project } = await appliedProject({ 'manifests/all.yaml': MANIFESTS }, dialect);
      await project.write('manifests/all.yaml', MANIFESTS + manifest('UserGroup', 'Added', {}));
      const cases = LISTS.flatMap((path) => Object.values(LIES).map((one) => ({ path, ...one })));
      const before = await writes();
      for (const { path, rule, says } of sample(cases, 6)) {
        await workspace.arm([{ method: 'GET', path, times: 'always', ...rule }]);
        const { code, err } = await run('apply', '--yes', '--prune');
        expect([path, code, err]).toEqual([path, 1, expect.stringMatching(says)]);
      }
      expect(await writes()).toBe(before);
      await workspace.arm([]);
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(await writes()).toBe(before + 1);
    });
  },
);

test('a repeated page is refused in place of the next one; one repeated entry counts once', async () => {
  const count = 450;
  const triggers = Array.from({ length: count }, (_, index) =>
    manifest('Trigger', `T${index}`, { resource: 'ITEM', action: 'CREATE' }),
  );
  const { run, workspace } = await appliedProject({ 'manifests/all.yaml': triggers.join('') }, 'reference');
  const list = { method: 'GET', path: '/settings/integrations/triggers' } as const;
  await workspace.arm([{ ...list, times: 'always', do: 'repeat-page' }]);
  const again = await run('apply', '--yes');
  expect([again.code, again.err]).toEqual([
    1,
    expect.stringMatching(
      /triggers gives its first 400 entries again instead of those after them\.\nNothing was sent\./,
    ),
  ]);
  await workspace.arm([{ ...list, nth: 2, do: 'repeat-entry', entry: 'last' }]);
  const twice = await run('plan', '--detailed-exitcode');
  expect([twice.code, twice.out]).toEqual([0, expect.stringContaining(`${count} unchanged`)]);
});

test('an object that is renamed away keeps the values that a lagging list does not show yet', async () => {
  const workspace = await testWorkspace();
  const extract = (type: string) => manifest('ExtractDefinition', 'Nightly', { type });
  const project = await testProject({ 'manifests/a.yaml': extract('FULL') });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  await workspace.arm([{ method: 'GET', path: '/extracts', times: 'always', do: 'stale', lag: 1 }]);
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  await project.write('manifests/a.yaml', extract('FULL_AND_DELTA'));
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  await project.write('manifests/a.yaml', manifest('UserGroup', 'Other'));
  const prune = () => run('apply', '--yes', '--prune', '--allow', 'deletes', '--allow', 'changed-deletes');
  expect((await prune()).out).toContain('ExtractDefinition/Nightly');
  await workspace.arm([]);
  expect(await prune()).toMatchObject({ code: 0 });
  const [kept] = await workspace.pages('/extracts');
  expect(kept).toMatchObject({ name: expect.stringMatching(/^Nightly ~retired/), type: 'FULL_AND_DELTA' });
});
