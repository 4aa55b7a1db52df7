import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { workbookOf } from '../data/bulk/support.js';
import { manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const HEADER = ['Part Number', 'Description', 'Qty'];

const csvOf = (screws: number): string =>
  [
    ...['Mechanical,,', HEADER.join(), 'M-1,Frame,1', `M-2,Screw,${screws}`, ',,'],
    ...['Electronics,,', HEADER.join(), 'E-1,Board,1', ',,'],
    ...['Packaging,,', HEADER.join(), 'P-1,Box,1', ''],
  ].join('\n');

const bookOf = (screws: string, more: readonly (readonly string[])[] = []) =>
  workbookOf({
    'ASM-100': [HEADER, ['F-1', 'Frame', '1'], ['F-2', 'Screw', screws], ...more],
    'ASM-200': [['Drive of the pump'], HEADER, ['D-1', 'Motor', '1'], ['F-2', 'Screw', '4']],
  });

interface Line {
  readonly item: { readonly number: string };
  readonly quantity: number;
}

type Workspace = Awaited<ReturnType<typeof testWorkspace>>;

async function bomOf(workspace: Workspace, number: string): Promise<string[]> {
  const [item] = (await workspace.call('GET', `/items?number=${number}`)).body.results;
  const { results } = (await workspace.call('GET', `/items/${item.guid}/bom`)).body;
  return results.map((line: Line) => `${line.quantity} ${line.item.number}`);
}

/** Inspects a file, and copies the proposed manifests and lists into the project. */
async function takeProposal(project: TestProject, file: string, lists: readonly string[]): Promise<string> {
  const { code, out } = await project.run(['import', 'inspect', file, '--out', 'new']);
  expect(code, out).toBe(0);
  for (const name of ['manifests/pump.yaml', ...lists]) await project.write(name, await project.read(`new/${name}`));
  return out;
}

describe('a list in blocks or worksheets, from the proposal to its second edition', () => {
  test('blocks in a text file', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'pump.csv': csvOf(8), 'data/pump.csv': csvOf(8) });
    expect(await takeProposal(project, 'pump.csv', ['data/pump-assembly.csv'])).not.toContain('is not read');
    const run = async (...args: string[]) => {
      const { code, out, err } = await project.run(args, workspace.variables);
      return { code, text: out + err };
    };
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await bomOf(workspace, 'pump')).toEqual(['1 M-1', '8 M-2', '1 E-1', '1 P-1']);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });

    await project.write('data/pump.csv', csvOf(9).replace('E-1,Board,1\n', 'E-1,Board,1\nE-2,Cable,2\n'));
    const { text } = await run('plan');
    expect(text).toContain('M-2 (row 4): Qty 8 -> 9');
    expect(text).toContain('+ E-2 (row 9)');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await bomOf(workspace, 'pump')).toEqual(['1 M-1', '9 M-2', '1 E-1', '1 P-1', '2 E-2']);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });
  });

  test('worksheets whose names are the assemblies: each row has its place, also in errors, and an undo works', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({});
    const write = async (path: Promise<string>, ...names: string[]) => {
      const bytes = await readFile(await path);
      for (const name of names) await project.write(name, bytes);
    };
    await write(bookOf('8'), 'pump.xlsx', 'data/pump.xlsx');
    await takeProposal(project, 'pump.xlsx', ['data/pump-assembly.csv']);
    const text = await project.read('manifests/pump.yaml');
    await project.write('manifests/pump.yaml', text.replace('definition: pump BOM', '$&\n  beforeImage: true'));
    const run = async (...args: string[]) => {
      const { code, out, err } = await project.run(args, workspace.variables);
      return { code, text: out + err };
    };
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await bomOf(workspace, 'ASM-100')).toEqual(['1 F-1', '8 F-2']);
    expect(await bomOf(workspace, 'ASM-200')).toEqual(['1 D-1', '4 F-2']);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });

    await write(bookOf('9', [['F-3', 'Nut', '2']]), 'data/pump.xlsx');
    const plan = await run('plan');
    expect(plan.text).toContain('F-2 (row 3 of ASM-100): Qty 8 -> 9');
    expect(plan.text).toContain('+ F-3 (row 4 of ASM-100)');
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await bomOf(workspace, 'ASM-100')).toEqual(['1 F-1', '9 F-2', '2 F-3']);
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({ code: 0 });

    await write(bookOf('some'), 'data/pump.xlsx');
    expect((await run('plan')).text).toContain('data/pump.xlsx:ASM-100!C3');
    expect(await run('import', 'undo', 'Import/pump BOM', '--yes')).toMatchObject({ code: 0 });
    expect(await bomOf(workspace, 'ASM-100')).toEqual(['1 F-1', '8 F-2']);
  });

  test('the rows that the service refuses are listed and written with their worksheets', async () => {
    const workspace = await testWorkspace();
    const mapping = { number: 'Parent', 'item.number': 'Part', quantity: 'Qty' };
    const project = await testProject({
      'manifests/m.yaml':
        manifest('ImportDefinition', 'Lines', {
          resource: 'ITEM_BOM',
          mode: 'OVERWRITE',
          options: {
            mapping: Object.entries(mapping).map(([apiName, sourceName]) => ({
              resource: 'ITEM_BOM',
              apiName,
              sourceName,
            })),
          },
        }) +
        manifest('Import', 'Pump', {
          definition: 'Lines',
          source: { file: '../pump.xlsx', worksheet: '*', columns: { Parent: { is: 'worksheet' } } },
          commit: 'always',
          repeated: 'sum',
        }),
    });
    const head = ['Part', 'Qty'];
    const path = await workbookOf({ One: [head, ['A-1', '1']], Two: [[''], head, ['B-1', '1'], ['B-1', '2']] });
    await project.write('pump.xlsx', await readFile(path));
    const { out, err } = await project.run(['apply', '--yes'], workspace.variables);
    expect(out + err).toMatch(/pump\.xlsx \(One\):2/);
    expect(out + err).toMatch(/pump\.xlsx \(Two\):3[\s\S]*added up with row 4/);
    const failed = (out + err).match(/\S*failed\.csv/)?.[0] ?? '';
    expect(await project.read(failed)).toMatch(/A-1,1,One,One!2,[\s\S]*B-1,2,Two,Two!4,/);
  });
});
