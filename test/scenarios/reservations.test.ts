import { describe, expect, test } from 'vitest';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const reservation = (spec: string): string => `apiVersion: dexsync/v1
kind: NumberReservation
metadata: { name: Housings }
spec: { category: 'Item\\Mechanical', ${spec} }
`;

async function reserved(dialect: string, spec: string) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/numbers.yaml': reservation(spec) });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  const numbers = async (): Promise<string[]> => {
    const { objects } = JSON.parse((await run('get', 'NumberReservation', '--json')).out);
    return objects.flatMap(({ spec: { itemNumbers } }: { spec: { itemNumbers: string[] } }) => itemNumbers);
  };
  const change = (to: string) => project.write('manifests/numbers.yaml', reservation(to));
  return { workspace, run, numbers, change };
}

describe.each(['reference', 'arena'])('a number reservation in the profile %s', (dialect) => {
  test('grows by a further one, keeps its numbers, and never shrinks', async () => {
    const { run, numbers, change, workspace } = await reserved(dialect, 'quantity: 2');
    const first = await numbers();
    await change('quantity: 5');
    expect((await run('apply', '--yes')).code).toBe(0);
    const all = await numbers();
    expect([all.length, all.slice(0, 2), new Set(all).size]).toEqual([5, first, 5]);
    const listed = await workspace.call('GET', '/settings/items/numberreservations');
    expect(listed.body.results.map(({ name }: { name: string }) => name)).toEqual(['Housings', 'Housings #2']);
    expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    await change('quantity: 1');
    const { code, out } = await run('apply', '--yes');
    expect([code, out]).toEqual([
      4,
      expect.stringContaining('5 numbers are reserved, but the manifest has a quantity of 1'),
    ]);
    expect(await numbers()).toEqual(all);
  });

  test('is released by name, as a whole, after a confirmation', async () => {
    const { run, numbers, change } = await reserved(dialect, 'quantity: 2');
    await change('quantity: 3');
    await run('apply', '--yes');
    const refused = await run('reservations', 'release', 'Housings');
    expect([refused.code, (await numbers()).length]).toEqual([3, 3]);
    const unknown = await run('reservations', 'release', 'Housing', '--yes');
    expect([unknown.code, unknown.err]).toEqual([3, expect.stringContaining('Did you mean "Housings"?')]);
    const released = await run('reservations', 'release', 'Housings', '--yes');
    expect([released.code, released.out]).toEqual([0, expect.stringContaining('3 numbers are released')]);
    expect(await numbers()).toEqual([]);
  });
});
