import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { runStruck } from '../harness/striking.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

test.each([
  ['killed before', 'A'],
  ['killed after', 'B'],
] as const)(
  'a write of an apply does not count as a change by others: %s the update, then an edit',
  async (fault, live) => {
    const workspace = await testWorkspace();
    const project = await testProject();
    const write = (description: string) =>
      project.write('manifests/g.yaml', manifest('UserGroup', 'G', { description }));
    const run = (...args: string[]) => project.run(args, workspace.variables);
    await write('A');
    expect((await run('apply', '--yes')).code).toBe(0);

    await write('B');
    const striking = { request: 'PUT /settings/usergroups/* #1', fault };
    expect(await runStruck({ workspace, project }, striking, ['apply', '--yes'])).toBe(true);

    await write('C');
    expect(await run('drift')).toMatchObject({ code: 0, out: expect.stringContaining('No drift.') });
    const { out } = await run('plan');
    expect(out).toContain(`description: "${live}" -> "C"\n`);
    expect(out).not.toContain('Changed outside');

    // The manifest asks for what was sent: what is there is recorded, or sent once more.
    await write('B');
    expect((await run('apply', '--yes')).code).toBe(0);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    await write('D');
    expect((await run('drift')).code).toBe(0);

    // What others change from then on is theirs.
    await write('B');
    const groups = await workspace.pages('/settings/usergroups');
    const { guid, name } = groups.find((one) => one.name === 'G');
    const { status } = await workspace.call('PUT', `/settings/usergroups/${guid}`, { name, description: 'A' });
    expect(status).toBe(200);
    expect(await run('drift')).toMatchObject({ code: 2, out: expect.stringContaining('description: B -> A') });
  },
);
