import { describe, expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { manifest } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

type Body = Record<string, unknown>;

/** Objects whose updates carry fields that their manifests do not name: those that people set. */
const OBJECTS: Readonly<
  Record<string, { readonly path: string; readonly spec: Body; readonly set: Body; readonly change: Body }>
> = {
  UserGroup: {
    path: '/settings/usergroups',
    spec: { description: 'a' },
    set: { assignability: ['CHANGES'], enabled: false },
    change: { description: 'b' },
  },
  Policy: {
    path: '/settings/policies',
    spec: { description: 'a', rules: [{ resource: 'ITEM', actions: ['READ'] }] },
    set: { enabled: false },
    change: { description: 'b', rules: [{ resource: 'ITEM', actions: ['READ'] }] },
  },
  Trigger: {
    path: '/settings/integrations/triggers',
    spec: { resource: 'ITEM', action: 'EDIT', description: 'a' },
    set: { attributes: [{ apiName: 'name' }] },
    change: { resource: 'ITEM', action: 'EDIT', description: 'b' },
  },
};

/** What a read by GUID may be answered with, instead of the object. */
const LIES: Readonly<Record<string, (body: Body) => { readonly status?: number; readonly body: unknown }>> = {
  'an empty object': () => ({ body: {} }),
  'no body': () => ({ body: undefined }),
  'no content': () => ({ status: 204, body: undefined }),
  'the GUID alone': ({ guid }) => ({ body: { guid } }),
  'GUID and name alone': ({ guid, name }) => ({ body: { guid, name } }),
  'no GUID': ({ guid: _, ...body }) => ({ body }),
  'no name': ({ name: _, ...body }) => ({ body }),
  'another GUID': (body) => ({ body: { ...body, guid: 'ABCDEFGHIJ0123456789' } }),
  'a field less': (body) => ({
    body: Object.fromEntries(Object.entries(body).filter(([field]) => !['enabled', 'attributes'].includes(field))),
  }),
  'a list of it': (body) => ({ body: [body] }),
};

const CASES = Object.keys(OBJECTS).flatMap((kind) => Object.keys(LIES).map((lie) => [kind, lie] as const));

describe('a read before an update that shows less than the list', () => {
  test.each(sample(CASES, 8))(
    'of %s, answered with %s: nothing is sent, and the rest stays unchanged',
    async (kind, lie) => {
      const { path, spec, set, change } = OBJECTS[kind] as (typeof OBJECTS)[string];
      const workspace = await testWorkspace();
      const project = await testProject({ 'manifests/a.yaml': manifest(kind, 'One', spec) });
      let isLying = false;
      const writes: string[] = [];
      const url = await alteringProxy(workspace.url, ({ method, path: at }, { status, headers, body }) => {
        if (method === 'PUT') writes.push(at);
        if (!isLying || method !== 'GET' || !at.startsWith(`${path}/`)) return undefined;
        const told = LIES[lie]?.(JSON.parse(body.toString()));
        const text = told?.body === undefined ? '' : JSON.stringify(told.body);
        return { status: told?.status ?? status, headers, body: Buffer.from(text) };
      });
      const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
      expect((await run('apply', '--yes')).code).toBe(0);
      const live = async (): Promise<Body> => {
        const { body } = await workspace.call('GET', `${path}?limit=100`);
        return body.results.find(({ name }: Body) => name === 'One');
      };
      const { guid } = await live();
      const byHand = await workspace.call('PUT', `${path}/${guid}`, { name: 'One', ...spec, ...set });
      expect([byHand.status, byHand.body]).toEqual([200, expect.anything()]);
      const before = await live();
      await project.write('manifests/a.yaml', manifest(kind, 'One', change));
      isLying = true;
      const told = await run('apply', '--yes');
      expect([told.code, told.out], told.err).toEqual([4, expect.stringMatching(/✗ \w+\/One {2}/)]);
      expect([writes, await live()]).toEqual([[], before]);
      isLying = false;
      expect((await run('apply', '--yes')).code).toBe(0);
      expect(await live()).toMatchObject({ ...set, description: 'b' });
    },
  );
});
