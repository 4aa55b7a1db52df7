import { expect, test } from 'vitest';
import type { Status } from '../../../src/app/operations/status.js';
import { manifest } from '../../harness/manifest.js';
import { newDatabase, noPostgres, sharedPostgres } from '../../harness/postgres.js';
import { testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';

const postgres = noPostgres === undefined ? sharedPostgres() : undefined;

test.skipIf(postgres === undefined)('status reads the journals of a ledger in PostgreSQL', async () => {
  const { variables } = await testWorkspace();
  const project = await testProject({
    'sync.config.yaml': `stack: test
manifests: [manifests]
ledger: "\${env.TEST_LEDGER}"
environments:
  remote: { url: "\${env.TEST_URL}" }
`,
    'manifests/a.yaml': manifest('UserGroup', 'Quality', {}),
  });
  const own = { ...variables, TEST_LEDGER: postgres === undefined ? '' : await newDatabase(await postgres()) };
  expect((await project.run(['apply', '--yes'], own)).code).toBe(0);
  const { code, out } = await project.run(['status', '--json'], own);
  const [remote] = (JSON.parse(out) as Status).environments;
  expect([code, remote?.problem, remote?.lastApply?.counts?.done]).toEqual([0, undefined, { create: 1 }]);
});
