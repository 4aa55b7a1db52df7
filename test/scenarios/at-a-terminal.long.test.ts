import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { screenOf } from '../harness/screen.js';
import { CTRL_C, CTRL_D, openTerminal } from '../harness/terminal.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';
import { groups, holding, isWrite } from './lease-project.js';

const leases = async (folder: string): Promise<string[]> => {
  const all = await readdir(join(folder, '.dexsync/leases'), { recursive: true }).catch(() => []);
  return all.filter((name) => name.endsWith('.json'));
};

const definition = itemsDefinition('D');

/** A project with some groups to make, before a workspace whose first such request is held back. */
async function held(at = isWrite) {
  const workspace = await testWorkspace();
  const held = await holding(workspace, at);
  const project = await testProject({
    'manifests/groups.yaml': groups(4),
    'manifests/d.yaml': definition,
    'a.csv': 'Part,Name\nX-1,One\n',
  });
  return { workspace, project, held };
}

describe('Ctrl-C at a terminal', () => {
  test('finishes and records the writes of an apply in flight, releases the lease, and lets the next apply continue', async () => {
    const { workspace, project, held: service } = await held();
    const terminal = openTerminal(project, ['apply', '--yes', '--parallelism', '1'], service.variables);
    await service.reached;
    terminal.type(CTRL_C);
    await terminal.shows(/Stopping when the current requests are done\.\s+Press Ctrl-C again to stop immediately\./);
    service.letGo();
    expect(await terminal.ended).toBe(130);
    expect(terminal.text()).toMatch(/Result: 1 done, 4 skipped/);
    expect(await leases(project.folder)).toEqual([]);
    const next = await project.run(['apply', '--yes'], workspace.variables);
    expect([next.code, next.out]).toEqual([0, expect.stringContaining('1 unchanged')]);
  });

  test('pressed twice ends it at once, and the next apply continues from the disk without doubling anything', async () => {
    const { workspace, project, held: service } = await held();
    const terminal = openTerminal(project, ['apply', '--yes'], service.variables);
    await service.reached;
    terminal.type(CTRL_C);
    await terminal.shows(/again to stop immediately/);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    const { lines, cursor } = await screenOf(terminal.written(), 80);
    expect([lines.findLast((line) => line !== ''), cursor]).toEqual([
      'Stopped. The next command finds out what the last requests did.',
      'shown',
    ]);
    service.letGo();
    await expect.poll(async () => (await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const { body } = await workspace.call('GET', '/settings/usergroups');
    const names = body.results.map(({ name }: { name: string }) => name).sort();
    expect(names).toEqual(['Everyone', 'G0', 'G1', 'G2', 'G3']);
  });

  test('during a validation commits nothing, and the message says how to continue', async () => {
    const {
      project,
      held: service,
      workspace,
    } = await held(({ method, path }) => method === 'GET' && /\/runs\/\w+$/.test(path));
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const terminal = openTerminal(project, ['import', 'a.csv', '--definition', 'D', '--yes'], service.variables);
    await service.reached;
    terminal.type(CTRL_C);
    await terminal.shows(/Stopping/);
    service.letGo();
    expect(await terminal.ended).toBe(130);
    expect(await leases(project.folder)).toEqual([]);
    expect((await workspace.call('GET', '/items?number=X-1')).body.count).toBe(0);
  });

  test('the question names environment, URL and workspace; then the output is the same as without a terminal', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/all.yaml': manifest('UserGroup', 'A', {}) + manifest('UserGroup', 'B', {}),
    });
    const terminal = openTerminal(project, ['apply'], workspace.variables);
    await terminal.shows(/accepted: $/);
    expect(terminal.text().replaceAll(/\s+/g, ' ')).toContain(
      `Apply to remote (${workspace.url}, workspace "Embedded Workspace")? Only "yes" is accepted: `,
    );
    terminal.type('yes\r');
    expect(await terminal.ended).toBe(0);
    const text = terminal.text();
    expect(text).toContain('Applied 2 of 2 objects');
    expect(text).toContain('✓ UserGroup/A  created');
    expect(text).toContain('✓ UserGroup/B  created');
    expect(text).toContain('Result: 2 done.');
  });

  test.each([
    ['Ctrl-C', CTRL_C, 130],
    ['Ctrl-D', CTRL_D, 4],
  ])('%s at the question means no: nothing is sent, and the lease is released', async (_, key, code) => {
    const { project, held: service } = await held();
    const terminal = openTerminal(project, ['apply'], service.variables);
    await terminal.shows(/Only "yes" is accepted: $/);
    terminal.type(key);
    expect(await terminal.ended).toBe(code);
    expect(terminal.text()).toContain('Nothing was applied.');
    expect(service.count('POST', '/settings/usergroups')).toBe(0);
    expect(await leases(project.folder)).toEqual([]);
  });
});

describe('import inspect --edit', () => {
  const DOWN = '\u001b[B';
  const LIST = 'Code,Text,Qty\nA-1,Bolt,2\nA-2,Nut,4\n';

  test('shows what columns mean, lets it be corrected by arrow keys, and says how without questions', async () => {
    const project = await testProject({ 'pump.csv': LIST });
    const terminal = openTerminal(project, ['import', 'inspect', 'pump.csv', '--edit', '--out', 'new'], {});
    await terminal.shows(
      /Which column has something else\?[\s\S]*Code\s+item number: A-1 \| A-2\s+○ Text\s+nothing that is imported: Bolt \| Nut/,
    );
    terminal.type(`${DOWN}${DOWN}\r`);
    await terminal.shows(/What is in "Text"\?/);
    terminal.type(DOWN.repeat(2));
    await terminal.shows(/● name/);
    terminal.type('\r');
    await terminal.shows(/Text\s+name: Bolt \| Nut/);
    terminal.type('\r');
    expect(await terminal.ended).toBe(0);
    expect(terminal.text()).toContain('Without questions: dexsync import inspect pump.csv --column Text=name');
    const text = await project.read('new/manifests/pump.yaml');
    expect(text).toContain('apiName: name, sourceName: Text');
    const { code } = await project.run(['import', 'inspect', 'pump.csv', '--column', 'Text=name', '--out', 'again']);
    expect([code, await project.read('again/manifests/pump.yaml')]).toEqual([0, text]);
  });

  test('writes nothing after Ctrl-C', async () => {
    const project = await testProject({ 'pump.csv': LIST });
    const terminal = openTerminal(project, ['import', 'inspect', 'pump.csv', '--edit', '--out', 'new'], {});
    await terminal.shows(/Which column/);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
    await expect(project.read('new/sync.config.yaml')).rejects.toThrow(/ENOENT/);
  });
});
