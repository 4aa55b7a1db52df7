import { expect, test } from 'vitest';
import { alteringProxy, type Exchange } from '../harness/altering-proxy.js';
import { itemsDefinition } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const parts = (mode: string): string =>
  itemsDefinition('Parts', { Part: 'number' }, mode).replace('"name":"Parts"', '"name":"Parts","known":"any"');

type Meeting = 'refused' | 'lost before' | 'lost after' | undefined;

/** A project that owns a definition, before a service that meets the writes of one more apply as the test says. */
async function owning(dialect: string) {
  const workspace = await testWorkspace([], dialect);
  const met: { post: Meeting; renames: number } = { post: undefined, renames: 0 };
  let puts = 0;
  const refused = {
    status: 400,
    headers: {},
    body: Buffer.from('{"status":400,"errors":[{"code":3003,"message":"No."}]}'),
  };
  const isCreation = ({ method, path }: Exchange): boolean => method === 'POST' && path === '/imports';
  const url = await alteringProxy(
    workspace.url,
    (exchange) => (isCreation(exchange) && met.post?.startsWith('lost') ? 'drop' : undefined),
    (exchange) => {
      if (isCreation(exchange) && met.post !== undefined && met.post !== 'lost after') return refused;
      if (exchange.method !== 'PUT' || !exchange.path.startsWith('/imports/')) return undefined;
      puts += 1;
      return met.renames > 0 && puts === met.renames ? refused : undefined;
    },
  );
  const project = await testProject({ 'manifests/parts.yaml': parts('EDIT') });
  const run = (...args: string[]) => project.run(args, { ...workspace.variables, TEST_URL: url });
  expect((await run('apply', '--yes')).code).toBe(0);
  const [old] = await workspace.pages('/imports');
  const names = async () =>
    Object.fromEntries((await workspace.pages('/imports')).map(({ guid, name }) => [name, guid]));
  return { run, met, project, old: old.guid as string, names };
}

test.each(['reference', 'arena'])(
  '%s: a replacement whose creation is refused renames back at once',
  async (dialect) => {
    const { run, met, project, old, names } = await owning(dialect);
    await project.write('manifests/parts.yaml', parts('DELETE'));
    met.post = 'refused';
    const { code, out } = await run('apply', '--yes');
    expect([code, out]).toEqual([4, expect.stringContaining('The old object is named "Parts" again.')]);
    expect(await names()).toEqual({ Parts: old });
    // It is still ours, and the change is still to be made.
    await project.write('manifests/parts.yaml', parts('EDIT'));
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    await project.write('manifests/parts.yaml', parts('DELETE'));
    met.post = undefined;
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(Object.keys(await names()).sort()).toEqual(['Parts', expect.stringContaining('~retired')]);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  },
);

test('where it cannot be renamed back either, the next plan offers that', async () => {
  const { run, met, project, old, names } = await owning('reference');
  await project.write('manifests/parts.yaml', parts('DELETE'));
  met.post = 'refused';
  met.renames = 2;
  const { code, out } = await run('apply', '--yes');
  expect([code, out]).toEqual([4, expect.stringContaining('the next plan offers it')]);
  expect(Object.keys(await names())).toEqual([expect.stringContaining('~retired')]);
  expect(await run('drift')).toMatchObject({ code: 2, out: expect.stringContaining('Parts') });
  const plan = await run('plan');
  expect(plan.out).toMatch(/ImportDefinition\/Parts {2}rename[\s\S]*gives "Parts ~retired #\d+" its name back/);
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  expect(await names()).toEqual({ Parts: old });
  await project.write('manifests/parts.yaml', parts('EDIT'));
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
});

test.each([
  ['lost after', 'the new one is there, so the old one keeps its retired name', 2],
  ['lost before', 'nothing was made, so the old one is named back', 1],
] as const)('a creation whose answer was %s the service saw it: it looks first; %s', async (post, _, count) => {
  const { run, met, project, old, names } = await owning('reference');
  await project.write('manifests/parts.yaml', parts('DELETE'));
  met.post = post;
  expect(await run('apply', '--yes')).toMatchObject({ code: 4 });
  const now = await names();
  expect(Object.keys(now)).toHaveLength(count);
  expect(now.Parts === old).toBe(count === 1);
  met.post = undefined;
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  expect(Object.keys(await names())).toHaveLength(2);
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
});
