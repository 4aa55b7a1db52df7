import { expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { repeatingProxy } from '../harness/repeating-proxy.js';
import { testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const FILES = {
  'manifests/parts.yaml': itemsDefinition('Parts', { Part: 'number', Name: 'name' }, 'CREATE'),
  'manifests/import.yaml': `---\n${manifest('Import', 'Load', { definition: 'Parts', source: { file: '../parts.csv' } })}`,
  'parts.csv': 'Part,Name\nX-1,One\nX-2,Two\n',
};

/** A project that imports two rows, before a service that is reached through that proxy. */
async function importing(dialect: string, proxy: (workspace: TestWorkspace) => Promise<string>) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject(FILES);
  const variables = { ...workspace.variables, TEST_URL: await proxy(workspace) };
  const runs = async (): Promise<{ commit: boolean; status: string }[]> => {
    const [definition] = await workspace.pages('/imports');
    return (await workspace.administer('GET', `/imports/${definition.guid}/runs`)).body.results;
  };
  const items = async (): Promise<string[]> =>
    (await workspace.pages('/items')).map(({ number }) => number).filter((number) => number.startsWith('X-'));
  return { run: (...args: string[]) => project.run(args, variables), runs, items };
}

const isPost = ({ method, path }: { method: string; path: string }): boolean =>
  method === 'POST' && path.endsWith('/runs');

test.each([
  ['reference', 'first'],
  ['arena', 'last'],
] as const)(
  '%s: rows that are delivered twice, answered with the %s, are committed once; the other run stays a validation',
  async (dialect, answered) => {
    const { run, runs, items } = await importing(dialect, ({ url }) =>
      repeatingProxy(url, (request) => (isPost(request) ? answered : undefined)),
    );
    const { code, out } = await run('apply', '--yes');
    expect([code, out]).toEqual([0, expect.stringMatching(/2 (of 2 )?rows? .*committed|2 committed/)]);
    expect((await runs()).map(({ commit }) => commit).sort()).toEqual([false, true]);
    expect(await items()).toEqual(['X-1', 'X-2']);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    expect((await run('import', 'resume', 'Load')).code).not.toBe(0);
    expect((await runs()).map(({ commit }) => commit).sort()).toEqual([false, true]);
  },
);

test('a commit that is delivered twice, and refused the second time, is done', async () => {
  const body = Buffer.from('{"status":400,"errors":[{"code":3517,"message":"This had already been committed."}]}');
  const { run, runs, items } = await importing('reference', ({ url }) =>
    alteringProxy(url, ({ method, path }) =>
      method === 'PUT' && path.includes('/runs/') ? { status: 400, body } : undefined,
    ),
  );
  const { code, out } = await run('apply', '--yes');
  expect([code, out]).toEqual([0, expect.stringMatching(/2 (of 2 )?rows? .*committed|2 committed/)]);
  expect([await runs(), await items()]).toMatchObject([[{ commit: true }], ['X-1', 'X-2']]);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});
