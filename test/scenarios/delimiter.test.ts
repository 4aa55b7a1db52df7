import { expect, test } from 'vitest';
import { itemsDefinition } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const DEFINITION = itemsDefinition('Parts', { Part: 'number', Title: 'name' }, 'CREATE');

test('a tab is accepted as shells pass it on, and as it is; only one character is accepted', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/all.yaml': DEFINITION,
    'tabs.csv': 'Part\tTitle\nP-1\tClamp, small\n',
    'more.csv': 'Part\tTitle\nP-2\tClamp, large\n',
  });
  const run = (args: readonly string[]) => project.run(args, workspace.variables);
  expect((await run(['apply', '--yes'])).code).toBe(0);
  const imported = (file: string, delimiter: string) =>
    run(['import', file, '--definition', 'Parts', '--delimiter', delimiter]);

  expect((await imported('tabs.csv', '\\t')).out).toContain('Rows: 1 committed, 0 failed.');
  expect((await imported('more.csv', '\t')).out).toContain('Rows: 1 committed, 0 failed.');
  const { body } = await workspace.call('GET', '/items?number=P-*');
  expect(body.results.map(({ name }: { name: string }) => name).sort()).toEqual(['Clamp, large', 'Clamp, small']);

  const refused = await imported('more.csv', 'tab');
  expect([refused.code, refused.err]).toEqual([
    3,
    expect.stringContaining('Give one character, \\t for a tab, or aligned.'),
  ]);
});
