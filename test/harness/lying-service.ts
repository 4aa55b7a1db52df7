import { expect } from 'vitest';
import { faultsOf, type Lie } from './lies.js';
import { testProject } from './test-project.js';
import { testWorkspace } from './test-workspace.js';

export type Dialect = 'reference' | 'arena';

/** An applied project and its service. */
export async function appliedProject(files: Readonly<Record<string, string>>, dialect: Dialect) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject(files);
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const { code, err } = await run('apply', '--yes');
  expect([code, err]).toEqual([0, '']);
  const writes = async () => (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
  return { workspace, project, run, writes };
}

/** An applied project before a service that can lie. */
export async function lyingService(manifests: string, dialect: Dialect = 'reference') {
  const applied = await appliedProject({ 'manifests/all.yaml': manifests }, dialect);
  const tell = (lie: Lie | undefined): Promise<void> => applied.workspace.arm(lie === undefined ? [] : faultsOf(lie));
  return { ...applied, tell };
}
