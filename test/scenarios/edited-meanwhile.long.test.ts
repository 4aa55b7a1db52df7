import { describe, expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { openTerminal } from '../harness/terminal.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, spec: object = {}): string => manifest('UserGroup', name, spec);
const PATH = '/settings/usergroups';

/** A stack with groups of its own, whose manifests ask for something else by now. */
async function stage(before: string, after: string) {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': before });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  await project.write('manifests/all.yaml', after);
  const found = async () => (await workspace.call('GET', PATH)).body.results;
  const edit = async (name: string, body: object) =>
    workspace.call('PUT', `${PATH}/${(await found()).find((one: { name: string }) => one.name === name).guid}`, {
      name,
      ...body,
    });
  const writes = async () =>
    (await workspace.usage()).filter(({ method, path }) => method !== 'GET' && path !== '/login');
  return { workspace, project, found, edit, writes };
}

describe('an edit made while the question was open is reported, and nothing is sent', () => {
  const groups = (description: string): string => group('A', { description }) + group('B', { description });

  test('in an apply', async () => {
    const { workspace, project, found, edit, writes } = await stage(groups('old'), groups('new'));
    const before = (await writes()).length;
    const terminal = openTerminal(project, ['apply'], workspace.variables);
    await terminal.shows(/Only "yes" is accepted:/);
    await edit('A', { description: 'mine' });
    terminal.type('yes\n');
    expect(await terminal.ended).toBe(5);
    expect(terminal.text().replaceAll(/\s+/g, ' ')).toContain(
      'The plan is stale: UserGroup/A changed in environment "remote" after this plan was created (description). ' +
        'Nothing was sent. Run the command again and review the new plan.',
    );
    expect((await writes()).length).toBe(before);
    expect((await found()).map(({ description }: { description: string }) => description)).toContain('mine');
  });

  test('in a saved plan, where somebody created its object', async () => {
    const { workspace, project, found } = await stage(group('A'), group('A') + group('New'));
    expect((await project.run(['plan', '--out', 'plan.json'], workspace.variables)).code).toBe(0);
    const terminal = openTerminal(project, ['apply', 'plan.json'], workspace.variables);
    await terminal.shows(/Only "yes" is accepted:/);
    await workspace.call('POST', PATH, { name: 'New', description: 'mine' });
    terminal.type('yes\n');
    expect(await terminal.ended).toBe(5);
    expect(terminal.text().replaceAll(/\s+/g, ' ')).toContain('UserGroup/New was created in environment');
    const names = (await found()).map(({ name }: { name: string }) => name);
    expect(names.sort()).toEqual(['A', 'Everyone', 'New']);
  });

  test('in destroy', async () => {
    const { workspace, project, edit, writes } = await stage(group('A'), group('A'));
    const before = (await writes()).length;
    const terminal = openTerminal(project, ['destroy'], workspace.variables);
    await terminal.shows(/Enter the name of the workspace:/);
    await edit('A', { description: 'mine' });
    terminal.type('Embedded Workspace\n');
    expect(await terminal.ended).toBe(5);
    expect((await writes()).length).toBe(before);
  });

  test('without an edit the command continues, and --yes asks and reads nothing further', async () => {
    const { workspace, project } = await stage(group('A'), group('A', { description: 'new' }));
    const terminal = openTerminal(project, ['apply'], workspace.variables);
    await terminal.shows(/Only "yes" is accepted:/);
    terminal.type('yes\n');
    expect(await terminal.ended).toBe(0);
    await project.write('manifests/all.yaml', group('A', { description: 'newer' }));
    const before = (await workspace.usage()).length;
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const sent = (await workspace.usage()).slice(before).map(({ method }) => method);
    expect(sent).toEqual(['GET', 'GET', 'PUT']);
  });
});

test('an edit between plan and write is reported where the update reads the object again, and the rest runs', async () => {
  const groups = (description: string): string => group('A', { description }) + group('B', { description });
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/all.yaml': groups('old') });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  expect((await run('apply', '--yes')).code).toBe(0);
  const found = async () => (await workspace.call('GET', PATH)).body.results;
  const target = `${PATH}/${(await found()).find(({ name }: { name: string }) => name === 'A').guid}`;
  await workspace.arm([{ method: 'GET', path: target, times: 'always', do: 'pass' }], async () => {
    await workspace.call('PUT', target, { name: 'A', description: 'mine' });
  });
  await project.write('manifests/all.yaml', groups('new'));
  const { code, out } = await run('apply', '--yes');
  expect([code, out]).toEqual([
    4,
    expect.stringContaining('UserGroup/A was changed after this plan was created (description).'),
  ]);
  const descriptions = (await found()).map(({ name, description }: Record<string, string>) => [name, description]);
  expect(Object.fromEntries(descriptions)).toMatchObject({ A: 'mine', B: 'new' });
});
