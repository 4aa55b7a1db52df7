import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';

const PUMP = 'Designator,Value,Qty,DNP\nR1,10k,1,\nR2,22k,1,DNP\nC1,1u,1,\n';
const VALVE = 'DNP,Designator,Value,Qty\n,R1,47k,1\nNI,R2,22k,1\n';
const TAKEN =
  'Known: Import/pump BOM and Import/pump items of this project read a list with the same columns, and their settings are taken; `--afresh` proposes afresh.';

/** A project in which somebody decided how the list of the pump is imported. */
async function pumpProject() {
  const project = await testProject({ 'data/pump.csv': PUMP, 'data/valve.csv': VALVE });
  const inspect = async (file: string, ...args: string[]) => {
    const { code, out, err } = await project.run(['import', 'inspect', file, '--manifest', ...args]);
    return { code, out, err };
  };
  const { out } = await inspect('data/pump.csv');
  const settled = out.replace('file: data/', 'file: ../data/').replaceAll('file: data/', 'file: ../data/');
  await project.write('manifests/pump.yaml', settled.replace('\n  send: new', '\n  send: changed'));
  return { project, inspect };
}

describe('inside a project that reads a list with the same columns', () => {
  test('its settings are taken and said, in any order of the columns', async () => {
    const { project, inspect } = await pumpProject();
    const taken = await inspect('data/valve.csv');
    expect([taken.code, taken.err]).toEqual([0, '']);
    expect(taken.out).toContain(`# ${TAKEN}\n`);
    expect(taken.out).toContain('send: changed');
    expect(taken.out).toContain('where: { DNP: { not: [ DNP, NI ] } }');
    const like = await inspect('data/valve.csv', '--like', '.');
    expect(taken.out).toBe(like.out.replace(/^(apiVersion)/m, `# ${TAKEN}\n$1`));

    const json = await project.run(['import', 'inspect', 'data/valve.csv', '--json']);
    expect(JSON.parse(json.out).proposal.remarks).toContain(TAKEN);
    const written = await project.run(['import', 'inspect', 'data/valve.csv', '--out', 'new']);
    expect(written.out).toContain(TAKEN.replace('Known: ', 'known  '));
  });

  test('nothing is taken with --afresh, with what a column means, and for other columns', async () => {
    const { project, inspect } = await pumpProject();
    await project.write('data/other.csv', PUMP.replace('DNP\n', 'Note\n'));
    for (const [file, ...args] of [
      ['data/valve.csv', '--afresh'],
      ['data/valve.csv', '--column', 'Value=value'],
      ['data/other.csv'],
    ]) {
      const { code, out } = await inspect(file ?? '', ...args);
      expect([code, out]).toEqual([0, expect.not.stringContaining('Known:')]);
      expect(out).toContain('send: new');
    }
    expect((await inspect('data/valve.csv', '--afresh', '--like', '.')).code).toBe(3);
  });

  test('an Import that reads the file itself is named, and the file is proposed afresh', async () => {
    const { inspect } = await pumpProject();
    const { code, out } = await inspect('data/pump.csv');
    expect([code, out]).toEqual([
      0,
      expect.stringContaining(
        '# Known: Import/pump BOM and Import/pump items of this project read this file already.\n',
      ),
    ]);
    expect(out).toContain('send: new');
  });

  test('a list of objects is proposed by the manifest of the other one, also with --like', async () => {
    const head = 'Supplier,Status,Street,City';
    const project = await testProject({
      'october.csv': `${head}\nAcme,active,Mill,Graz\n`,
      'november.csv': `${head}\nBeta,active,Dock,Linz\n`,
      'december.csv': `${head}\nBeta,closed,Dock,Linz\n`,
      'manifests/suppliers.yaml': `apiVersion: dexsync/v1
kind: Supplier
forEach: { file: ../october.csv, values: { Status: { active: approved } } }
metadata: { name: "\${row.Supplier}", protect: true }
spec: { approvalStatus: "\${row.Status}", description: "\${row.City}" }
`,
    });
    const inspect = (...args: string[]) => project.run(['import', 'inspect', ...args, '--json']);
    for (const args of [[], ['--like', '.']]) {
      const { code, out } = await inspect('november.csv', ...args);
      const { proposal, columns } = JSON.parse(out);
      expect([code, columns[0].meaning]).toEqual([0, 'supplier']);
      expect(proposal.manifests).toEqual([
        {
          apiVersion: 'dexsync/v1',
          kind: 'Supplier',
          forEach: { file: 'november.csv', values: { Status: { active: 'approved' } } },
          metadata: { name: '${row.Supplier}', protect: true },
          spec: { approvalStatus: '${row.Status}', description: '${row.City}' },
        },
      ]);
      expect(proposal.remarks.join('\n')).toContain('an object that ../october.csv has too would be described twice');
    }
    const unfit = await inspect('december.csv');
    expect([unfit.code, JSON.parse(unfit.out).proposal.problems.join()]).toEqual([
      4,
      expect.stringContaining('december.csv, row 2, column "Status"'),
    ]);
    const own = await inspect('october.csv');
    expect(JSON.parse(own.out).proposal.remarks).toContain(
      'Known: Supplier (manifests/suppliers.yaml) of this project reads this file already.',
    );
  });

  test('a project that is broken, or whose Import does not fit its own list, or deletes, changes nothing', async () => {
    const parts = 'Part Number,Name\nP-1,Bolt\n';
    const imported = (definition: string) =>
      definition + manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../old.csv' } });
    const columns = { 'Part Number': 'number', Name: 'name' };
    const deletion = itemsDefinition('Specs', columns).replace('OVERWRITE', 'DELETE');
    expect(deletion).toContain('DELETE');
    for (const [file, content] of [
      ['manifests/m.yaml', imported(itemsDefinition('Specs', { ...columns, Colour: 'description' }))],
      ['manifests/m.yaml', imported(deletion)],
      ['manifests/m.yaml', 'kind: [\n'],
      ['manifests/m.yaml', manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../gone.csv' } })],
      ['sync.config.yaml', 'environments: 7\n'],
    ] as const) {
      const project = await testProject({ 'old.csv': parts, 'new.csv': parts.replace('Bolt', 'Nut'), [file]: content });
      const { code, out, err } = await project.run(['import', 'inspect', 'new.csv', '--manifest']);
      expect([content, code, err]).toEqual([content, 0, '']);
      expect(out).toContain('mode: OVERWRITE');
      expect(out).not.toContain('Known:');
    }
  });
});
