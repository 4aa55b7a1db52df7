import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { strikeAt } from '../harness/striking.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

test.each(['killed before', 'killed after'] as const)(
  'the ledger forgets the former name of an object that was deleted before it was renamed: %s the creation',
  async (fault) => {
    const workspace = await testWorkspace();
    const project = await testProject();
    const run = (...args: string[]) => project.run(args, workspace.variables);
    const groupNames = async () => (await workspace.pages('/settings/usergroups')).map(({ name }) => name);
    await project.write('manifests/g.yaml', manifest('UserGroup', 'G', { description: 'A' }));
    expect((await run('apply', '--yes')).code).toBe(0);
    const groups = await workspace.pages('/settings/usergroups');
    const { guid } = groups.find(({ name }) => name === 'G');
    await workspace.call('DELETE', `/settings/usergroups/${guid}`);

    await project.write('manifests/g.yaml', manifest('UserGroup', 'H', { description: 'A' }, { renamedFrom: 'G' }));
    let kill = (): void => undefined;
    const hasStruck = await strikeAt(workspace, {
      request: 'POST /settings/usergroups #1',
      fault,
      act: async () => kill(),
    });
    const child = project.start(['apply', '--yes', '--gone', 'UserGroup/G'], workspace.variables);
    kill = () => void child.kill('SIGKILL');
    await finished(child);
    expect(hasStruck()).toBe(true);

    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await groupNames()).filter((name) => name === 'G' || name === 'H')).toEqual(['H']);
    expect(await run('drift')).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  },
);
