import { describe, expect, test } from 'vitest';
import { type TestProject, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const HEAD = 'Value,Package,Designator,Qty,Manufacturer,MPN';
const FIRST = `${HEAD}\n10k,0603,"R1,R2",2,Yageo,RC-10K\n100n,0603,C1,1,Murata,GRM-100N\n1u,0805,C2,1,Murata,GRM-1U\n`;
const SECOND = [
  'Comment,Footprint,Designator,Qty,Manufacturer,MPN,Manufacturer 2,MPN 2',
  'RES 10K,R0603,"R1,R2",2,Vishay,CR-10K,Yageo,RC-10K',
  'CAP 100N,C0603,C1,1,Murata,GRM-100N,,',
  'CAP 1U,C0805,C2,1,MURATA,grm 1u,,',
  'LED,L0603,D1,1,Lumex,LX-1,,',
].join('\n');

async function numbersIn(project: TestProject): Promise<string[]> {
  const { out } = await project.run(['api', 'GET', '/items', '-q', 'results[].number']);
  return (JSON.parse(out) as string[]).filter((number) => !number.startsWith('DX-')).sort();
}

/** Proposes manifests into a folder of the project and applies them. */
async function load(project: TestProject, file: string, ...options: string[]): Promise<string> {
  const folder = `manifests/${file.replace('.csv', '')}`;
  const { code, out, err } = await project.run(['import', 'inspect', file, '--out', folder, ...options]);
  expect(code, out + err).toBe(0);
  const applied = await project.run(['apply', '--yes']);
  expect(applied.code, applied.out + applied.err).toBe(0);
  return out;
}

describe('import inspect --env', () => {
  test("a second list with the same makers' parts creates no second item", async () => {
    const project = await testProject({ 'first.csv': FIRST, 'second.csv': SECOND });
    await load(project, 'first.csv', '--env', 'local');
    const before = await numbersIn(project);
    expect(before).toEqual(['GRM-100N', 'GRM-1U', 'RC-10K', 'first']);
    const out = await load(project, 'second.csv', '--env', 'local');
    expect(out).toMatch(
      /looked up {2}5 makers' numbers in local \(\d requests\): 2 rows with an existing item, 1 near/,
    );
    expect(out).toMatch(/open {2}row 4: "grm 1u" of "MURATA" is nearly "GRM-1U" of "Murata", a source of GRM-1U\./);
    expect(out).toContain(
      'Next: list manifests/second/manifests under `manifests` in sync.config.yaml, and run `dexsync plan',
    );
    expect(await numbersIn(project)).toEqual([...before, 'LX-1', 'grm 1u', 'second'].sort());
    const { out: known } = await project.run(['api', 'GET', '/items?number=RC-10K', '-q', 'results[].name']);
    expect(JSON.parse(known)).toEqual(['10k']);
    const again = await project.run(['plan', '--detailed-exitcode']);
    expect(again.code, again.out).toBe(0);
  });

  test.each(['reference', 'arena'])(
    '%s: spends what the environment allows, and names the rows that were not looked up',
    async (dialect) => {
      const workspace = await testWorkspace([], dialect);
      const rows = Array.from({ length: 30 }, (_, at) => `Maker,M-${at}`);
      const started = await testProject({ 'many.csv': `Manufacturer,MPN\n${rows.join('\n')}\n` });
      const run: TestProject['run'] = (args) => started.run(args, workspace.variables);
      const project = { ...started, run };
      await load(project, 'many.csv', '--env', 'remote');
      const config = await project.read('sync.config.yaml');
      await project.write('sync.config.yaml', config.replace('remote: { ', 'remote: { previewRequests: 5, '));
      const { code, out } = await run(['import', 'inspect', 'many.csv', '--json', '--env', 'remote']);
      const { lookedUp, proposal } = JSON.parse(out);
      expect([code, lookedUp]).toMatchObject([0, { environment: 'remote', numbers: 30, found: 2, near: 0 }]);
      expect(lookedUp.requests).toBeLessThanOrEqual(5);
      expect(lookedUp.unread).toHaveLength(28);
      expect(proposal.remarks.join('\n')).toMatch(
        /Open: rows 4, 5, .* and 18 more: not looked up, since .* `import inspect` may spend \(5\); set `previewRequests`/,
      );
    },
  );

  test('an environment that the configuration does not have is an error', async () => {
    const project = await testProject({ 'first.csv': FIRST });
    const { code, err } = await project.run(['import', 'inspect', 'first.csv', '--env', 'prod']);
    expect([code, err]).toEqual([3, expect.stringContaining('no environment "prod"')]);
    const both = await project.run(['import', 'inspect', 'first.csv', '--env', 'local', '--like', 'manifests']);
    expect([both.code, both.err]).toEqual([3, expect.stringContaining('`--like` takes the settings of another list')]);
  });
});
