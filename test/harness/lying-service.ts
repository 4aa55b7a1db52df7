import { expect } from 'vitest';
import { alteringProxy } from './altering-proxy.js';
import { liar } from './lies.js';
import { testProject } from './test-project.js';
import { testWorkspace } from './test-workspace.js';

/** An applied project before a service that can be told to lie. */
export async function lyingService(
  manifests: string | Readonly<Record<string, string>>,
  dialect: 'reference' | 'arena' = 'reference',
) {
  const workspace = await testWorkspace([], dialect);
  const files = typeof manifests === 'string' ? { 'manifests/all.yaml': manifests } : manifests;
  const project = await testProject(files);
  const { tell, answer, instead } = liar();
  const url = await alteringProxy(
    workspace.url,
    ({ method, path }, given) => answer(method, path, given),
    ({ method, path }) => instead(method, path),
  );
  const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
  const first = await run('apply', '--yes');
  expect([first.code, first.err]).toEqual([expect.any(Number), '']);
  const writes = async () => (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
  return { workspace, project, run, tell, writes, first };
}
