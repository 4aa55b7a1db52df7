import { expect, test } from 'vitest';
import type { FaultFile } from '../harness/hosted-workspace.js';
import { itemsDefinition } from '../harness/manifest.js';
import { sample } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const parts = (mode: string): string =>
  itemsDefinition('Parts', { Part: 'number' }, mode).replace('"name":"Parts"', '"name":"Parts","known":"any"');

const CREATION = { method: 'POST', path: '/imports', times: 'always' } as const;
const refused = { do: 'status', status: 400, code: 3003, message: 'No.' } as const;

/** What the creation of the new object meets. */
const MEETINGS = {
  refused: { ...CREATION, ...refused },
  'lost before': { ...CREATION, do: 'reset' },
  'lost after': { ...CREATION, do: 'reset', when: 'after' },
} as const satisfies Readonly<Record<string, FaultFile['faults'][number]>>;

/** A project that owns a definition, before a service that meets the writes of one more apply as the test says. */
async function owning(dialect: string) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/parts.yaml': parts('EDIT') });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  const [old] = await workspace.pages('/imports');
  const names = async () =>
    Object.fromEntries((await workspace.pages('/imports')).map(({ guid, name }) => [name, guid]));
  return { run, arm: workspace.arm, project, old: old.guid as string, names };
}

test.each(sample(['reference', 'arena'], 1))(
  '%s: a replacement whose creation is refused renames back at once',
  async (dialect) => {
    const { run, arm, project, old, names } = await owning(dialect);
    await project.write('manifests/parts.yaml', parts('DELETE'));
    await arm([MEETINGS.refused]);
    const { code, out } = await run('apply', '--yes');
    expect([code, out]).toEqual([4, expect.stringContaining('The old object is named "Parts" again.')]);
    expect(await names()).toEqual({ Parts: old });
    // It is still ours, and still waits for the change.
    await project.write('manifests/parts.yaml', parts('EDIT'));
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
    await project.write('manifests/parts.yaml', parts('DELETE'));
    await arm([]);
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(Object.keys(await names()).sort()).toEqual(['Parts', expect.stringContaining('~retired')]);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  },
);

test('where it cannot be renamed back either, the next plan offers that', async () => {
  const { run, arm, project, old, names } = await owning('reference');
  await project.write('manifests/parts.yaml', parts('DELETE'));
  await arm([MEETINGS.refused, { method: 'PUT', path: '/imports/*', nth: 2, ...refused }]);
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
  const { run, arm, project, old, names } = await owning('reference');
  await project.write('manifests/parts.yaml', parts('DELETE'));
  await arm([MEETINGS[post]]);
  expect(await run('apply', '--yes')).toMatchObject({ code: 4 });
  const now = await names();
  expect(Object.keys(now)).toHaveLength(count);
  expect(now.Parts === old).toBe(count === 1);
  await arm([]);
  expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
  expect(Object.keys(await names())).toHaveLength(2);
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
});

test.each(sample(['reference', 'arena'], 1))(
  '%s: a rename that makes room and is only acknowledged is not believed: nothing is created or given up',
  async (dialect) => {
    const { run, arm, project, old, names } = await owning(dialect);
    const RENAME = { method: 'PUT', path: '/imports/*' } as const;
    const prune = ['--prune', '--allow', 'empty-input'];
    for (const [manifest, flags] of [
      [parts('DELETE'), []],
      ['', prune],
    ] as const) {
      await project.write('manifests/parts.yaml', manifest);
      await arm([{ ...RENAME, do: 'acknowledge' }]);
      const lied = await run('apply', '--yes', ...flags);
      expect([lied.code, lied.out]).toEqual([
        4,
        expect.stringContaining(
          'The service confirmed the update of ImportDefinition/Parts, but still has other values of name.',
        ),
      ]);
      expect(await names()).toEqual({ Parts: old });
    }
    await arm([]);
    expect((await run('apply', '--yes', ...prune)).code).toBe(0);
    expect(Object.keys(await names())).toEqual([expect.stringContaining('~retired')]);
    expect(await run('plan', '--prune', '--detailed-exitcode')).toMatchObject({ code: 0 });
  },
);

test('a rename that cannot be read afterwards is unknown, and the next apply continues from the present state', async () => {
  const { run, arm, project, names } = await owning('reference');
  await project.write('manifests/parts.yaml', parts('DELETE'));
  // The first read is that before the rename.
  const fault = { method: 'GET', path: '/imports/*', nth: 2, do: 'status', status: 400, code: 3003 } as const;
  await arm([{ ...fault, message: 'Later.' }]);
  const { code, out } = await run('apply', '--yes');
  expect([code, out]).toEqual([
    4,
    expect.stringContaining(
      'The service confirmed the update of ImportDefinition/Parts, but reading it afterwards failed',
    ),
  ]);
  await arm([]);
  expect((await run('apply', '--yes')).code).toBe(0);
  expect(Object.keys(await names()).sort()).toEqual(['Parts', expect.stringContaining('~retired')]);
  expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
});
