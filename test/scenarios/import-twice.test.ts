import { expect, test } from 'vitest';
import type { FaultFile } from '../harness/hosted-workspace.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const FILES = {
  'manifests/parts.yaml': itemsDefinition('Parts', { Part: 'number', Name: 'name' }, 'CREATE'),
  'manifests/import.yaml': `---\n${manifest('Import', 'Load', { definition: 'Parts', source: { file: '../parts.csv' } })}`,
  'parts.csv': 'Part,Name\nX-1,One\nX-2,Two\n',
};

/** A project that imports two rows into a service with faults. */
async function importing(dialect: string, ...faults: FaultFile['faults']) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject(FILES);
  const arm = (...more: FaultFile['faults']) => workspace.arm(more);
  await arm(...faults);
  const runs = async (): Promise<{ commit: boolean; status: string }[]> => {
    const [definition] = await workspace.pages('/imports');
    return (await workspace.administer('GET', `/imports/${definition.guid}/runs`)).body.results;
  };
  const items = async (): Promise<string[]> =>
    (await workspace.pages('/items')).map(({ number }) => number).filter((number) => number.startsWith('X-'));
  const run = (...args: string[]) => project.run(args, workspace.variables);
  return { run, runs, items, arm, write: project.write };
}

test.each([
  ['reference', 'first'],
  ['arena', 'last'],
] as const)(
  '%s: rows that are delivered twice, answered with the %s, are committed once; the other run stays a validation',
  async (dialect, answered) => {
    const { run, runs, items } = await importing(dialect, {
      ...{ method: 'POST', path: '/imports/*/runs', times: 'always' },
      ...{ do: 'twice', answer: answered },
    });
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
  const { run, runs, items } = await importing('reference', {
    ...{ method: 'PUT', path: '/imports/*/runs/*', times: 'always', do: 'status', when: 'after' },
    ...{ status: 400, code: 3517, message: 'This had already been committed.' },
  });
  const { code, out } = await run('apply', '--yes');
  expect([code, out]).toEqual([0, expect.stringMatching(/2 (of 2 )?rows? .*committed|2 committed/)]);
  expect([await runs(), await items()]).toMatchObject([[{ commit: true }], ['X-1', 'X-2']]);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test.each(['GET', 'PUT'] as const)(
  'a %s that is answered with another run proves nothing about its own one',
  async (method) => {
    const { run, runs, items, arm, write } = await importing('reference');
    expect((await run('apply', '--yes')).code).toBe(0);
    await write('parts.csv', 'Part,Name\nX-3,Three\n');
    await arm({ method, path: '/imports/*/runs/*', user: 'admin@example.com', do: 'another-object' });
    const { code, out } = await run('apply', '--yes');
    if (method === 'GET') expect([code, out]).toEqual([4, expect.stringContaining('The service answered with run')]);
    expect((await run('apply', '--yes')).code).toBe(0);
    expect([await runs(), await items()]).toMatchObject([
      [{ commit: true }, { commit: true }],
      ['X-1', 'X-2', 'X-3'],
    ]);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
  },
);
