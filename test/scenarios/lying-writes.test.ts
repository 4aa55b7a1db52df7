import { describe, expect, test } from 'vitest';
import { appliedProject, lyingService } from '../harness/lying-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';

const GROUPS = '/settings/usergroups';
const group = (name: string, description: string, more: object = {}): string =>
  manifest('UserGroup', name, { description, ...more });

describe.each(sample(['reference', 'arena'] as const, 1))(
  'a write that the service only acknowledges, in the dialect %s',
  (dialect) => {
    test('an update answered with the former values is not done: the object is read once, and the apply ends with 4', async () => {
      const { run, tell, project, writes } = await lyingService(group('A', 'a'), dialect);
      await project.write('manifests/all.yaml', group('A', 'b'));
      await tell({ on: 'write', does: 'acknowledge without doing', path: GROUPS });
      const lied = await run('apply', '--yes');
      expect([lied.code, lied.out]).toEqual([
        4,
        expect.stringContaining(
          'The service confirmed the update of UserGroup/A, but still has other values of description.',
        ),
      ]);
      await tell(undefined);
      const before = await writes();
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(await writes()).toBe(before + 1);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    });

    test('a deletion without effect is not believed: the object stays ours, and the next apply deletes it', async () => {
      const { run, tell, project } = await lyingService(group('A', 'a') + group('B', 'b'), dialect);
      await project.write('manifests/all.yaml', group('A', 'a'));
      await tell({ on: 'write', does: 'acknowledge without doing', path: GROUPS });
      const lied = await run('apply', '--yes', '--prune');
      expect([lied.code, lied.out]).toEqual([
        4,
        expect.stringContaining('The service confirmed the deletion of UserGroup/B, but still has it.'),
      ]);
      await tell(undefined);
      expect((await run('apply', '--yes', '--prune')).code).toBe(0);
      expect(await run('plan', '--prune', '--detailed-exitcode')).toMatchObject({ code: 0, err: '' });
    });

    test('a list that still shows a deleted object does not bring it back', async () => {
      const manifests = group('A', 'a') + group('B', 'b');
      const { run, tell, project } = await lyingService(manifests, dialect);
      await project.write('manifests/all.yaml', group('A', 'a'));
      await run('plan');
      await tell({ on: 'list', does: 'lag', path: GROUPS });
      expect((await run('apply', '--yes', '--prune')).code).toBe(0);
      const { code, out } = await run('plan', '--prune', '--detailed-exitcode');
      expect([code, out]).toEqual([0, expect.stringContaining('still shows UserGroup/B, which dexsync deleted')]);
    });

    test('a creation answered with the GUID of another object is unknown, and never reaches the other one', async () => {
      const { run, tell, project, workspace } = await lyingService(group('Other', 'a'), dialect);
      await project.write(
        'manifests/all.yaml',
        group('Other', 'a') + group('New', 'b', { members: ['ann@example.com'] }),
      );
      await tell({ on: 'write', does: 'echo another object', path: GROUPS });
      const { code, out } = await run('apply', '--yes');
      expect([code, out]).toEqual([
        4,
        expect.stringMatching(
          /UserGroup\/New was answered with the GUID of ".+", which existed before; a new object with this name exists anyway/,
        ),
      ]);
      await tell(undefined);
      for (const { guid, name } of await workspace.pages(GROUPS)) {
        const { body } = await workspace.call('GET', `${GROUPS}/${guid}/users`);
        if (name === 'Other') expect([name, JSON.stringify(body)]).not.toEqual([name, expect.stringContaining('ann@')]);
      }
      expect((await run('apply', '--yes')).code).toBe(0);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    });

    test('a list that swaps the GUIDs of two names is refused, even where adoption is allowed', async () => {
      const { run, tell, writes } = await lyingService(group('A', 'a') + group('B', 'b'), dialect);
      const before = await writes();
      await tell({ on: 'list', does: 'swap GUIDs', path: GROUPS });
      const { code, err } = await run('apply', '--yes', '--adopt');
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/The list of GET .+ gives the object with the GUID .+ the name "[AB]"; reading it/),
      ]);
      expect(await writes()).toBe(before);
      await tell(undefined);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    });

    test('objects that exchanged their names are adopted only by agreement', async () => {
      const { run, workspace, writes, project } = await lyingService(group('A', 'a') + group('B', 'b'), dialect);
      const guids = new Map((await workspace.pages(GROUPS)).map(({ name, guid }) => [name, guid]));
      const rename = (from: string, name: string) =>
        workspace.call('PUT', `${GROUPS}/${guids.get(from)}`, { name, description: from.toLowerCase() });
      for (const [from = '', to = ''] of [
        ['A', 'T'],
        ['B', 'A'],
        ['A', 'B'],
      ])
        await rename(from, to);
      const before = await writes();
      const same = await run('apply', '--yes');
      expect([same.code, same.out]).toEqual([
        4,
        expect.stringContaining('is now named "B"; another object has its name'),
      ]);
      await project.write('manifests/all.yaml', group('A', 'c') + group('B', 'b'));
      const { code, out } = await run('apply', '--yes');
      expect([code, out]).toEqual([
        4,
        expect.stringMatching(/The object that this stack created is now named "B"; another object has its name/),
      ]);
      expect(await writes()).toBe(before);
    });

    test('an object that somebody renamed is deleted only by agreement, and the plan shows its name', async () => {
      const { run, project, workspace } = await lyingService(group('A', 'a') + group('Beta', 'b'), dialect);
      const [{ guid }] = (await workspace.pages(GROUPS)).filter(({ name }) => name === 'Beta');
      await workspace.call('PUT', `${GROUPS}/${guid}`, { name: 'Precious', description: 'b' });
      await project.write('manifests/all.yaml', group('A', 'a'));
      const refused = await run('apply', '--yes', '--prune');
      expect([refused.code, refused.out]).toEqual([
        4,
        expect.stringMatching(
          /Someone changed what would be deleted: UserGroup\/Beta is now named "Precious".*--allow changed-deletes/,
        ),
      ]);
      expect((await workspace.call('GET', `${GROUPS}/${guid}`)).status).toBe(200);
      const destroyed = await run('destroy', '--yes', '--confirm', 'Embedded Workspace');
      expect([destroyed.code, destroyed.out]).toEqual([4, expect.stringContaining('is now named "Precious"')]);
      expect((await run('apply', '--yes', '--prune', '--allow', 'changed-deletes')).code).toBe(0);
      expect((await workspace.call('GET', `${GROUPS}/${guid}`)).status).not.toBe(200);
    });
  },
);

describe('a commit that did not happen', () => {
  const ITS_RUN = '/imports/*/runs/*';
  const COMMIT = { method: 'PUT', path: ITS_RUN, times: 'always', do: 'acknowledge' } as const;
  const CLAIM = { method: 'GET', path: ITS_RUN, times: 'always', do: 'set-fields', set: { commit: true } } as const;

  const stage = () =>
    appliedProject(
      { 'manifests/all.yaml': itemsDefinition('Parts'), 'a.csv': 'Part,Name\nA-1,one\nA-2,two\n' },
      'arena',
    );

  test('is not reported as done: the run is read again, and the next command commits it', async () => {
    const { run, workspace } = await stage();
    await workspace.arm([COMMIT]);
    const lied = await run('import', 'a.csv', '--definition', 'Parts');
    expect([lied.code, lied.out + lied.err]).toEqual([
      4,
      expect.stringMatching(
        /The service confirmed the commit of run #\d+ of a\.csv, but the run says that it is not committed\./,
      ),
    ]);
    await workspace.arm([]);
    const after = await run('import', 'a.csv', '--definition', 'Parts', '--verify', 'all');
    expect([after.code, after.out]).toEqual([0, expect.stringContaining('2 rows read back: all as sent')]);
  });

  test('is found by `--verify` where the run claims it: missing rows end the command with 8', async () => {
    const { run, workspace } = await stage();
    await workspace.arm([COMMIT], () => workspace.arm([COMMIT, CLAIM]));
    const { code, out } = await run('import', 'a.csv', '--definition', 'Parts', '--verify', 'all');
    expect([code, out]).toEqual([8, expect.stringContaining('2 rows read back: 2 differ, 2 of them had no effect')]);
  });
});
