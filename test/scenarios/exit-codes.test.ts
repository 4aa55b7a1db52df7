import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const IMPORT = manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../parts.csv' } });
const group = (name: string, spec: object = {}, metadata: object = {}): string =>
  manifest('UserGroup', name, spec, metadata);

async function stage(manifests: string, files: Readonly<Record<string, string>> = {}, dialect?: string) {
  const workspace = await testWorkspace([], dialect);
  const project = await testProject({ 'manifests/all.yaml': manifests, ...files });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const codes = async (...commands: string[]): Promise<(number | null)[]> => {
    const all: (number | null)[] = [];
    for (const command of commands) all.push((await run(...command.split(' '))).code);
    return all;
  };
  return { workspace, project, run, codes };
}

const writes = async ({ usage }: Awaited<ReturnType<typeof testWorkspace>>): Promise<string[]> =>
  (await usage()).filter(({ method, path }) => method !== 'GET' && path !== '/login').map(({ path }) => path);

describe('a finding in a data file ends every command that meets it with 4', () => {
  const FILE = { 'parts.csv': 'Part,Name\nA-1,one\n,two\n' };

  test('validate, plan, apply and import FILE end before a row is sent', async () => {
    const { workspace, project, run, codes } = await stage(itemsDefinition('Specs'), FILE);
    expect(await codes('apply --yes')).toEqual([0]);
    const before = await writes(workspace);
    await project.write('manifests/import.yaml', IMPORT);
    expect(
      await codes(
        'validate',
        'plan',
        'plan --detailed-exitcode',
        'plan --out plan.json',
        'apply --yes',
        'import parts.csv --definition Specs',
      ),
    ).toEqual([4, 4, 4, 4, 4, 4]);
    expect(await writes(workspace)).toEqual(before);
    const { out } = await run('validate');
    expect(out).toContain('parts.csv:3');
    expect(out).toContain(
      'Import/Parts: parts.csv has 1 error that the commit rule does not accept.\n' +
        'Valid: 2 manifests in 2 files, but 1 import cannot be sent.\n',
    );
    const told = JSON.parse((await run('validate', '--json')).out);
    expect(told).toEqual({
      type: 'blocked',
      manifests: 2,
      files: 2,
      blocked: [{ address: 'Import/Parts', message: 'parts.csv has 1 error that the commit rule does not accept.' }],
      findings: [expect.objectContaining({ address: 'Import/Parts', errors: 1, warnings: 0 })],
      diagnostics: [],
    });
  });

  test('validate reaches no workspace, leaves nothing behind, and accepts as much as the commit rule', async () => {
    const project = await testProject({
      'manifests/all.yaml': itemsDefinition('Specs') + IMPORT.replace('"source"', '"commit":"always","source"'),
      ...FILE,
    });
    const { code, out } = await project.run(['validate']);
    expect([code, out]).toEqual([0, expect.stringMatching(/warning|error/)]);
    expect(out).toContain('Valid: 2 manifests in 1 file.\n');
    expect(await readdir(join(project.folder, '.dexsync/tmp'))).toEqual([]);
  });

  test('a file that cannot be read is a mistake of its manifest, also where only the workspace knows the definition', async () => {
    const project = await testProject({ 'manifests/all.yaml': IMPORT, 'parts.csv': 'Part,Name\n"A-1,one\n' });
    const { code, out } = await project.run(['validate']);
    expect([code, out]).toEqual([
      3,
      expect.stringContaining(
        'error  source-unreadable\n  Import/Parts: ../parts.csv:2: the row that starts here has an opening quote',
      ),
    ]);
    await project.write('parts.csv', 'Part,Name\nA-1,one\n');
    expect((await project.run(['validate'])).out).toBe('Valid: 1 manifest in 1 file.\n');
  });
});

describe('plan', () => {
  test('ends with 4 where something is blocked, with 2 on request where something changes, otherwise with 0', async () => {
    const { project, codes } = await stage(group('Quality', {}, { protect: true }));
    expect(await codes('plan', 'plan --detailed-exitcode', 'apply --yes', 'plan --detailed-exitcode')).toEqual([
      0, 2, 0, 0,
    ]);
    await project.write('manifests/all.yaml', group('Other'));
    expect(await codes('plan --prune', 'plan --prune --detailed-exitcode', 'plan --max-requests 0', 'plan')).toEqual([
      4, 4, 4, 0,
    ]);
  });

  test('a rule of the configuration blocks', async () => {
    const { project, codes } = await stage(group('Quality'));
    const config = await project.read('sync.config.yaml');
    await project.write(
      'sync.config.yaml',
      `${config}\nrules:\n  - { name: r, effect: deny, message: No., when: step.kind == "UserGroup" }\n`,
    );
    expect(await codes('plan', 'apply --yes')).toEqual([4, 4]);
  });

  test('a manual step counts unless it is only for information', async () => {
    const { codes } = await stage(manifest('Trigger', 'T', { resource: 'ITEM', action: 'UPDATE' }), {}, 'arena');
    expect(
      await codes(
        'plan',
        'plan --manual warn',
        'plan --manual warn --detailed-exitcode',
        'apply --yes',
        'apply --yes --manual warn',
      ),
    ).toEqual([4, 0, 0, 4, 0]);
  });
});
