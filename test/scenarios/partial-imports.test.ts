import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const MANIFESTS =
  manifest('ImportDefinition', 'Specs', {
    resource: 'ITEM_SPECS',
    mode: 'OVERWRITE',
    options: {
      mapping: [
        { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Part' },
        { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
      ],
    },
  }) + manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../a.csv' }, commit: 'always' });

async function stage() {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': MANIFESTS,
    'a.csv': 'Part,Name\nA-1,one\nA-2,\nA-3,\nA-4,four\n',
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const json = async (...args: string[]) => JSON.parse((await run(...args, '--json')).out);
  const missing = async (): Promise<unknown[]> =>
    (await json('import', 'list')).imports.map(({ runs, missing: rows }: Record<string, unknown>) => [runs, rows]);
  return { project, run, json, missing };
}

test('every plan names a partial import until retries complete it', async () => {
  const at = await stage();
  expect((await at.run('apply', '--yes')).code).toBe(8);
  const planned = await at.run('plan', '--detailed-exitcode', '--output', 'md=p.md', '--output', 'html=p.html');
  const note = 'Import/Parts: 2 of 4 rows are not in the workspace (run #1, ';
  expect([planned.code, planned.out]).toEqual([0, expect.stringContaining(`Note: ${note}`)]);
  expect(await at.project.read('p.html')).toContain(note);
  expect(await at.project.read('p.md')).toContain('2 of 4 rows are not in the workspace');
  expect((await at.json('plan')).notes).toMatchObject([
    { code: 'partly-imported', addresses: ['Import/Parts'], partial: { runs: [1], rows: 4, committed: 2 } },
  ]);
  expect((await at.json('plan', '--only', 'ImportDefinition')).notes).toEqual([]);
  const listed = (await at.run('import', 'list')).out;
  expect(listed).toMatch(/#1 .* Parts +partial +2 of 4 committed, 2 failed/);
  expect(listed).toContain(
    '2 rows of run #1 are missing in the workspace: `dexsync import retry 1` sends corrected rows',
  );

  await at.project.write('fixed.csv', 'Part,Name\nA-2,two\nA-3,\n');
  expect((await at.run('import', 'retry', '1', 'fixed.csv')).code).toBe(8);
  expect(await at.missing()).toEqual([
    [[2], undefined],
    [[1], 1],
  ]);
  expect((await at.json('plan')).notes[0].message).toContain('1 of 4 rows is not in the workspace');
  expect((await at.run('import', 'show', '2')).out).toMatch(/retry of +#1\n/);
  expect((await at.run('import', 'show', '1')).out).toContain('2 failed, 1 still missing after #2');

  await at.project.write('rest.csv', 'Part,Name\nA-3,three\n');
  expect((await at.run('import', 'retry', '2', 'rest.csv')).code).toBe(0);
  expect((await at.json('plan')).notes).toEqual([]);
  expect((await at.missing()).map((one) => (one as unknown[])[1])).toEqual([undefined, undefined, undefined]);
  const whole = await at.run('import', 'acknowledge', '2', '--reason', 'x');
  expect([whole.code, whole.err]).toEqual([
    3,
    expect.stringContaining('No rows of Import/Parts (retry) (run #2) are missing'),
  ]);
});

test('a partial import is forgiven by name, and comes back with other rows or after a withdrawal', async () => {
  const at = await stage();
  const ack = (run: string, reason = 'obsolete, CHG-7') => at.run('import', 'acknowledge', run, '--reason', reason);
  expect((await ack('1')).err).toContain('has a run "1"');
  await at.run('apply', '--yes');
  expect((await at.run('import', 'acknowledge', '1')).err).toContain('`--reason <text>` not specified');
  expect((await at.run('acknowledge', 'Import/Parts', '--reason', 'x')).err).toContain(
    '`dexsync import acknowledge RUN`',
  );
  const done = await ack('1');
  expect([done.code, done.out]).toEqual([0, expect.stringContaining('2 of 4 rows stay out of the workspace')]);
  expect((await at.json('plan')).notes).toEqual([]);
  const listed = await at.run('import', 'list');
  expect(listed.out).toMatch(/#1 .* Parts +accepted +2 of 4 committed, 2 failed +a\.csv\n$/);
  expect((await at.run('import', 'show', 'Parts')).out).toMatch(
    /missing +2 rows, accepted by .+ on \d{4}-\d\d-\d\d: obsolete, CHG-7/,
  );
  expect((await ack('Parts')).err).toMatch(/already acknowledged by .+: obsolete, CHG-7/);
  expect((await at.run('history')).out).toContain('import acknowledge');

  expect((await at.run('forget', 'Import/Parts')).code).toBe(0);
  expect((await at.json('plan')).notes).toHaveLength(1);
  await ack('1');
  await at.project.write('a.csv', 'Part,Name\nA-5,five\nA-6,\n');
  expect((await at.run('apply', '--yes')).code).toBe(8);
  expect((await at.json('plan')).notes).toMatchObject([{ partial: { runs: [2], rows: 2, committed: 1 } }]);
});

test('an import without a manifest is named too, and only by plans of its stack', async () => {
  const at = await stage();
  await at.run('apply', '--yes', '--only', 'ImportDefinition');
  expect((await at.run('import', 'a.csv', '--definition', 'Specs', '--commit', 'always')).code).toBe(8);
  const codes = async () =>
    (await at.json('plan')).notes.map(({ code, addresses }: Record<string, unknown>) => [code, addresses]);
  expect(await codes()).toEqual([['partly-imported', ['Import/a.csv']]]);
  const config = await at.project.read('sync.config.yaml');
  await at.project.write('sync.config.yaml', config.replace(/^stack: .*$/m, 'stack: other'));
  expect(JSON.stringify(await codes())).not.toContain('partly-imported');
  const refused = await at.run('import', 'acknowledge', '1', '--reason', 'x');
  expect([refused.code, refused.err]).toEqual([
    expect.any(Number),
    expect.stringMatching(/was sent by the stack ".+"/),
  ]);
});
