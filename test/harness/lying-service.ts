import { expect } from 'vitest';
import { alteringProxy } from './altering-proxy.js';
import { liar } from './lies.js';
import { testProject } from './test-project.js';
import { testWorkspace } from './test-workspace.js';

export type Dialect = 'reference' | 'arena';

/** An applied project before a service whose answers a test alters. */
export async function appliedProject(
  files: Readonly<Record<string, string>>,
  dialect: Dialect,
  ...altering: Parameters<typeof alteringProxy> extends [string, ...infer Rest] ? Rest : never
) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject(files);
  const url = await alteringProxy(workspace.url, ...altering);
  const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
  const { code, err } = await run('apply', '--yes');
  expect([code, err]).toEqual([0, '']);
  const writes = async () => (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
  return { workspace, project, run, writes };
}

/** The same before a service that can be told to lie. */
export async function lyingService(manifests: string, dialect: Dialect = 'reference') {
  const { tell, answer, instead } = liar();
  const applied = await appliedProject(
    { 'manifests/all.yaml': manifests },
    dialect,
    ({ method, path }, given) => answer(method, path, given),
    ({ method, path }) => instead(method, path),
  );
  return { ...applied, tell };
}
