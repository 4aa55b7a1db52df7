import { expect, test } from 'vitest';
import { parseAllDocuments, stringify } from 'yaml';
import { yamlWithoutWorkflowCommands } from '#app/views/log-yaml.js';
import { jsonWithoutWorkflowCommands, withoutWorkflowCommands } from '#base/printable.js';
import { linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

/** Text that GitHub Actions would execute: `::` at the start of a line after white space, `##[` anywhere. */
const commandsIn = (text: string): string[] =>
  text.split(/\r\n|\r|\n/).filter((line) => line.trimStart().startsWith('::') || line.includes('##['));

test.each([
  ['::error::x', '<U+003A>:error::x'],
  ['a\n\t  ::set-env name=A::b\nstd::vector', 'a\n\t  <U+003A>:set-env name=A::b\nstd::vector'],
  ['\u00a0::group::', '\u00a0<U+003A>:group::'],
  ['see ##[error]x and ##[debug]', 'see ##<U+005B>error]x and ##<U+005B>debug]'],
  ['::::', '<U+003A>:::'],
  ['a: b', 'a: b'],
])('%j is printed as %j', (text, printed) => {
  expect(withoutWorkflowCommands(text)).toBe(printed);
  expect(commandsIn(printed)).toEqual([]);
});

test('JSON keeps its value', () => {
  const value = { name: '##[error]x ::y', list: ['##[[a'] };
  const json = jsonWithoutWorkflowCommands(JSON.stringify(value, undefined, 2));
  expect([JSON.parse(json), commandsIn(json)]).toEqual([value, []]);
});

test('YAML keeps its values', () => {
  const long = `${'a'.repeat(70)} ::b ::error::c ##[d]`;
  const values = [{ '##[error]x': 'a\n  ::y\n##[z]\n', list: [long, `a\n${long}\n`, 'b'] }, { c: { d: '::e' } }];
  const yaml = values.map((value) => `# ##[x]\n${stringify(value)}`).join('---\n');
  const made = yamlWithoutWorkflowCommands(yaml);
  expect([parseAllDocuments(made).map((one) => one.toJS()), commandsIn(made)]).toEqual([values, []]);
  expect(yamlWithoutWorkflowCommands('a: 1 # b\n')).toBe('a: 1 # b\n');
  expect(commandsIn(yamlWithoutWorkflowCommands('# ##[x]\n'))).toEqual([]);
});

test('in GitHub Actions no name, value or reason acts as a workflow command, but the requested annotations do', async () => {
  const workspace = await testWorkspace();
  const hostile = 'x\n::error file=a::injected\n  ::stop-commands::t\n##[error]y';
  const project = await testProject({
    'manifests/all.yaml': manifest('UserGroup', '::add-mask::a', { description: hostile }),
    'manifests/other.yaml': manifest('UserGroup', 'B ##[error]b', { description: hostile }),
    'manifests/unformatted.yaml': `# ##[error]x\n\n\n${manifest('UserGroup', 'C', { description: hostile })}`,
  });
  const run = async (args: readonly string[], actions = 'true') => {
    const { out, err } = await project.run([...args], { ...workspace.variables, GITHUB_ACTIONS: actions });
    return { out, found: [...commandsIn(out), ...commandsIn(err)] };
  };
  const reason = ['--reason', hostile];
  for (const args of [
    ['plan'],
    ['plan', '--json'],
    ['apply', '--yes', ...reason],
    ['apply', '--yes', '--json'],
    ['history'],
    ['history', 'show', '1'],
    ['history', '--csv'],
    ['get', 'UserGroup'],
    ['get', 'UserGroup', '-o', 'csv'],
    ['get', 'UserGroup', '-o', 'name'],
    ['import', 'list', '-o', 'name'],
    ['pull', '--diff'],
    ['fmt', '--diff'],
    ['render'],
    ['render', '--json'],
    ['get', 'UserGroup', '-o', 'yaml'],
    ['api', '/settings/usergroups'],
    ['api', '/settings/usergroups', '-q', 'results[1].description', '-r'],
    ['complete', 'fish', 'dexsync get UserGroup '],
    ['describe', 'UserGroup/::add-mask::a'],
    ['describe', 'UserGroup/\n::error::z'],
  ])
    expect([args, (await run(args)).found]).toEqual([args, []]);
  expect(linesOf((await run(['apply', '--yes', '--json'])).out).at(-1)).toMatchObject({ type: 'summary' });

  await project.write('manifests/all.yaml', manifest('UserGroup', 'A', { descripton: 'a' }));
  const annotations = await run(['validate', '--output', 'github=-']);
  expect(annotations.found).toEqual([expect.stringMatching(/^::error file=manifests\/all\.yaml,line=1,/)]);
  expect((await run(['get', 'UserGroup'], '')).out).toContain('##[error]b');
});
