import { describe, expect, test } from 'vitest';
import { lyingService } from '../harness/lying-service.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { minutesLater } from '../harness/minutes-later.js';
import { sample } from '../harness/sample.js';
import type { TestWorkspace } from '../harness/test-workspace.js';

const DEFINITIONS = '/imports';
const GROUPS = '/settings/usergroups';

const SIX = Array.from({ length: 6 }, (_, index) => itemsDefinition(`Parts ${index}`, { Part: 'number' })).join('');

const namesOf = async ({ pages }: TestWorkspace, path: string): Promise<string[]> =>
  (await pages(path)).map(({ name }) => String(name)).sort();

describe.each(sample(['reference', 'arena'] as const, 1))(
  'an object that a list does not show, in the dialect %s',
  (dialect) => {
    test.each(['drop the first entry', 'show nothing'] as const)(
      'is found by its GUID (%s): nothing is created twice, and nothing is sent',
      async (does) => {
        const { run, tell, workspace, project } = await lyingService(SIX, dialect);
        const before = await namesOf(workspace, DEFINITIONS);
        await tell({ on: 'list', does, path: DEFINITIONS });
        const plan = await run('plan', '--detailed-exitcode');
        expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('6 unchanged')]);
        const shown = does === 'drop the first entry' ? '' : ' and 5 more';
        expect(plan.out).toContain(
          `The list of GET /imports does not show ImportDefinition/Parts 0${shown}, which can be read by GUID.`,
        );
        await project.write('manifests/all.yaml', SIX + itemsDefinition('Added', { Part: 'number' }));
        expect((await run('apply', '--yes')).code).toBe(0);
        expect(await namesOf(workspace, DEFINITIONS)).toEqual(['Added', ...before]);
      },
    );

    test('is not looked for where the list contradicts its own count: after one more request the list is refused', async () => {
      const { run, tell, workspace } = await lyingService(SIX, dialect);
      await tell({ on: 'list', does: 'show nothing, and count all', path: DEFINITIONS });
      const before = (await workspace.usage()).length;
      const { code, err } = await run('apply', '--yes');
      expect([code, err]).toEqual([
        1,
        expect.stringMatching(/^Error: The list of GET \/imports counts 6 entries and gives 0\.\nNothing was sent\./),
      ]);
      expect((await workspace.usage()).length).toBe(before + 2);
    });

    test('ends the plan where more are missing than are read one by one', async () => {
      const many = Array.from({ length: 11 }, (_, index) => manifest('UserGroup', `G${index}`, { description: 'a' }));
      const { run, tell, project, writes } = await lyingService(many.join(''), dialect);
      const before = await writes();
      await project.write('manifests/all.yaml', manifest('UserGroup', 'G0', { description: 'b' }));
      await tell({ on: 'list', does: 'show nothing', path: GROUPS });
      const { code, err } = await run('apply', '--yes', '--prune');
      expect([code, err]).toEqual([
        1,
        expect.stringContaining(
          'shows 0 of 11 UserGroup objects that the ledger knows; UserGroup/G0 and 10 more are missing.\nNothing was sent.',
        ),
      ]);
      expect(err).toContain('`--gone UserGroup/G0` for each; `*` matches any text.');
      expect(await writes()).toBe(before);
      const given = await run('plan', '--prune', '--gone', 'UserGroup/G*', '--allow', 'deletes');
      expect([given.code, given.out]).toEqual([0, expect.stringContaining('10 to forget')]);
      const unknown = await run('plan', '--gone', 'UserGroup/Nobody');
      expect([unknown.code, unknown.err]).toEqual([
        3,
        expect.stringContaining('The ledger knows no object "UserGroup/Nobody"'),
      ]);
      const label = await run('plan', '--gone', 'label:team');
      expect([label.code, label.err]).toEqual([
        3,
        expect.stringContaining('"label:team" is not a valid address for `--gone`'),
      ]);
    });

    test('is named by the apply itself where the ledger cannot have it', async () => {
      const { run, tell, project, workspace } = await lyingService(manifest('UserGroup', 'A', {}), dialect);
      const theirs = { name: 'Theirs', resource: 'ITEM_SPECS', mode: 'OVERWRITE', options: {} };
      expect(await workspace.call('POST', DEFINITIONS, theirs)).toMatchObject({ status: 201 });
      await project.write('manifests/all.yaml', itemsDefinition('Theirs', { Part: 'number' }));
      await tell({ on: 'list', does: 'drop the last entry', path: DEFINITIONS });
      const { code, out } = await run('apply', '--yes');
      expect([code, out]).toEqual([
        4,
        expect.stringContaining('another object named "Theirs" that the plan did not see is in the workspace'),
      ]);
    });

    test('is recreated only where the service says that it does not exist, and not within 15 minutes after it was written', async () => {
      const { run, workspace } = await lyingService(manifest('UserGroup', 'Beta', { description: 'a' }), dialect);
      const [{ guid }] = (await workspace.pages(GROUPS)).filter(({ name }) => name === 'Beta');
      await workspace.call('DELETE', `${GROUPS}/${guid}`);
      const early = await run('apply', '--yes');
      expect([early.code, early.out]).toEqual([
        expect.any(Number),
        expect.stringContaining('it was written less than 15 minutes ago: it may appear yet.'),
      ]);
      expect(early.code).not.toBe(0);
      expect(await namesOf(workspace, GROUPS)).not.toContain('Beta');
      const given = await run('plan', '--gone', 'UserGroup/Beta');
      expect([given.code, given.out]).toEqual([0, expect.stringContaining('Someone deleted it after the last apply')]);
      minutesLater(15);
      const later = await run('apply', '--yes');
      expect([later.code, later.out]).toEqual([0, expect.stringContaining('Someone deleted it after the last apply')]);
      expect(await namesOf(workspace, GROUPS)).toContain('Beta');
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    });

    test.each([
      ['adopt', 'UserGroup/Theirs'],
      ['pull', '--adopt'],
    ])('is recreated where `%s` adopted it before it was deleted', async (...adopting) => {
      const { run, workspace, project } = await lyingService(manifest('UserGroup', 'A', {}), dialect);
      const { body } = await workspace.call('POST', GROUPS, { name: 'Theirs' });
      await project.write('manifests/all.yaml', manifest('UserGroup', 'A', {}) + manifest('UserGroup', 'Theirs', {}));
      expect((await run(...adopting)).code).toBe(0);
      await workspace.call('DELETE', `${GROUPS}/${body.guid}`);
      minutesLater(15);
      const later = await run('apply', '--yes');
      expect([later.code, later.out]).toEqual([0, expect.stringContaining('Someone deleted it after the last apply')]);
      expect(await namesOf(workspace, GROUPS)).toContain('Theirs');
    });
  },
);
