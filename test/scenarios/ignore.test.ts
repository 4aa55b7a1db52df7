import { expect, test } from 'vitest';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = (spec: object, ignore: readonly string[]): string =>
  JSON.stringify({ apiVersion: 'dexsync/v1', kind: 'UserGroup', metadata: { name: 'A', ignore }, spec });

test('an ignored field is sent with a new object, and then neither compared nor changed, no matter what else is written', async () => {
  const workspace = await testWorkspace();
  const project = await testProject();
  const apply = async (spec: object, ignore: readonly string[]) => {
    await project.write('manifests/a.yaml', group(spec, ignore));
    const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
    expect(code).toBe(0);
    return out;
  };
  const live = async () => {
    const { body } = await workspace.call('GET', '/settings/usergroups');
    return body.results.find(({ name }: { name: string }) => name === 'A');
  };
  await apply({ description: 'one', enabled: true }, ['description']);
  const { guid, description } = await live();
  expect(description).toBe('one');
  const byHand = { name: 'A', description: 'by hand', enabled: true };
  expect((await workspace.administer('PUT', `/settings/usergroups/${guid}`, byHand)).status).toBe(200);
  expect(await apply({ description: 'two', enabled: true }, ['description'])).toContain('No changes');
  expect(await apply({ description: null, enabled: true }, ['description'])).toContain('No changes');
  // The update of the other field is a full one: what it does not name would be reset.
  expect(await apply({ description: 'two', enabled: false }, ['description'])).toContain('1 to update');
  expect(await live()).toMatchObject({ guid, description: 'by hand', enabled: false });
  expect(await apply({ description: 'two', enabled: false }, [])).toContain('description: "by hand" -> "two"');
  expect(await live()).toMatchObject({ description: 'two' });
});
