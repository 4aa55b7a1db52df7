import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { runStruck } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

test.each(['killed before', 'killed after'] as const)(
  'the ledger forgets the former name of an object that was deleted before its rename: %s the creation',
  async (fault) => {
    const workspace = await testWorkspace();
    const project = await testProject();
    const run = (...args: string[]) => project.run(args, workspace.variables);
    const groups = () => workspace.pages('/settings/usergroups');
    await project.write('manifests/g.yaml', manifest('UserGroup', 'G', { description: 'A' }));
    expect((await run('apply', '--yes')).code).toBe(0);
    const { guid } = (await groups()).find(({ name }) => name === 'G');
    await workspace.call('DELETE', `/settings/usergroups/${guid}`);

    await project.write('manifests/g.yaml', manifest('UserGroup', 'H', { description: 'A' }, { renamedFrom: 'G' }));
    const striking = { request: 'POST /settings/usergroups #1', fault };
    const command = ['apply', '--yes', '--gone', 'UserGroup/G'];
    expect(await runStruck({ workspace, project }, striking, command)).toBe(true);

    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await groups()).map(({ name }) => name).filter((name) => name === 'G' || name === 'H')).toEqual(['H']);
    expect(await run('drift')).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  },
);

test.each(['killed before', 'killed after'] as const)(
  'an object whose rename was %s the request is given up under both names',
  async (fault) => {
    const workspace = await testWorkspace();
    const project = await testProject();
    const run = (...args: string[]) => project.run(args, workspace.variables);
    await project.write('manifests/g.yaml', manifest('UserGroup', 'G', { description: 'A' }));
    expect((await run('apply', '--yes')).code).toBe(0);
    await project.write('manifests/g.yaml', manifest('UserGroup', 'H', { description: 'A' }, { renamedFrom: 'G' }));
    const striking = { request: 'PUT /settings/usergroups/* #1', fault };
    expect(await runStruck({ workspace, project }, striking, ['apply', '--yes'])).toBe(true);

    await project.write('manifests/g.yaml', '');
    const name = fault === 'killed before' ? 'G' : 'H';
    expect((await run('forget', `UserGroup/${name}`)).code).toBe(0);
    const { code, out } = await run('plan', '--prune', '--detailed-exitcode');
    expect([code, out]).toEqual([0, expect.not.stringContaining('UserGroup/')]);
  },
);
