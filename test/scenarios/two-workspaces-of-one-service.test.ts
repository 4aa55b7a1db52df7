import { expect, onTestFinished, test } from 'vitest';
import { openHosted } from '../harness/hosted-workspace.js';
import { manifest } from '../harness/manifest.js';
import { Session } from '../harness/session.js';
import { testProject } from '../harness/test-project.js';

const CONFIG = `stack: test
manifests: [manifests]
environments:
  dev: { url: "\${env.URL}", credentials: { email: admin@example.com, workspaceId: "\${env.DEV}" } }
  prod: { url: "\${env.URL}", credentials: { email: admin@example.com, workspaceId: "\${env.PROD}" } }
`;

test('two environments that differ by the workspace id alone: what one got is promoted to the other, and then both are equal', async () => {
  const served = await openHosted('--workspace', 'prod');
  onTestFinished(() => served.stop());
  const [dev, prod] = (served.workspaces ?? []).map(({ workspaceId }) => workspaceId);
  const project = await testProject({
    'sync.config.yaml': CONFIG,
    'manifests/group.yaml': manifest('UserGroup', 'Quality', { description: 'Signs off' }),
  });
  const password = { DEXSYNC_DEV_PASSWORD: served.password, DEXSYNC_PROD_PASSWORD: served.password };
  const variables = { URL: served.url, DEV: String(dev), PROD: String(prod), ...password };
  const run = (...args: string[]) => project.run(args, variables);

  const applied = await run('apply', '--env', 'dev', '--yes');
  expect(applied.code, applied.err).toBe(0);
  const groupsIn = async (id: number | undefined) => {
    const session = await Session.open(served, 'cleo@example.com', id);
    return (await session.get('/settings/usergroups')).results.map(({ name }: { name: string }) => name);
  };
  expect([await groupsIn(dev), await groupsIn(prod)]).toEqual([['Everyone', 'Quality'], ['Everyone']]);

  const planned = await run('promote', '--from', 'dev', '--to', 'prod', '--out', 'plan.json');
  expect(planned.code, planned.err).toBe(0);
  expect(planned.out).toContain('UserGroup/Quality');
  const promoted = await run('apply', 'plan.json', '--yes');
  expect(promoted.code, promoted.err).toBe(0);
  expect(await groupsIn(prod)).toEqual(['Everyone', 'Quality']);
  const again = await run('promote', '--from', 'dev', '--to', 'prod');
  expect([again.code, again.out]).toEqual([0, expect.stringContaining('No changes')]);
});
