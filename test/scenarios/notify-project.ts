import { manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

export const group = (description: string): string => manifest('UserGroup', 'Quality', { description });

/** A workspace, a project with a group, and who hears of it. */
export async function notifying(notify: string): Promise<{ workspace: TestWorkspace; project: TestProject }> {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/group.yaml': group('one') });
  await project.write('sync.config.yaml', `${await project.read('sync.config.yaml')}notify:\n${notify}`);
  return { workspace, project };
}

/** Changes the group outside dexsync. */
export async function describeAs(description: string, { call, administer }: TestWorkspace): Promise<void> {
  const { body } = await call('GET', '/settings/usergroups?limit=400');
  const { guid } = body.results.find(({ name }: { name: string }) => name === 'Quality');
  await administer('PUT', `/settings/usergroups/${guid}`, { name: 'Quality', description });
}
