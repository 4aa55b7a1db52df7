import { describe, expect, test } from 'vitest';
import { dexsyncLines, everyCommand, nameOf, openProgram } from '../app/commands/parse-example.js';
import { itemsDefinition, linesOf, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const { program } = openProgram();

/** Every command with `--json`, as its first example calls it. */
const calls = everyCommand(program)
  .filter(({ options }) => options.some(({ long }) => long === '--json'))
  .map((command) => {
    const { program: fresh, written } = openProgram();
    const name = nameOf(command);
    everyCommand(fresh)
      .find((one) => nameOf(one) === name)
      ?.outputHelp();
    const own = name.replace('dexsync ', '');
    const lines = dexsyncLines(
      written.out
        .slice(written.out.search(/\nExamples?:/))
        .split('\n')
        .map((line) => line.slice(2))
        .join(' && '),
    );
    const example = lines.find((words) => words.join(' ').startsWith(own)) ?? [];
    const { description } = command.options.find(({ long }) => long === '--json') ?? {};
    return {
      own,
      args: [...example.filter((word) => word !== '--manifest'), '--json'],
      form: description?.includes('event') ? 'events' : 'document',
    };
  });

/** The error that a program reads from standard output, in the form that the help promises. */
function errorIn(out: string, form: string) {
  if (form === 'events') {
    const events = linesOf(out);
    const error = events.at(-2);
    expect([error.type, events.at(-1)]).toEqual([
      'error',
      expect.objectContaining({ type: 'summary', exitCode: error.exitCode }),
    ]);
    return error;
  }
  const { error, diagnostics, ...rest } = JSON.parse(out);
  expect([diagnostics, rest]).toEqual([expect.any(Array), {}]);
  return error;
}

describe.each(calls)('$own --json', ({ own, args, form }) => {
  test('of an unknown option is JSON', async () => {
    const { code, out } = await (await testProject()).run([...args, '--nonsense']);
    expect([code, errorIn(out, form)]).toEqual([
      3,
      {
        ...(form === 'events' ? { type: 'error' } : {}),
        code: 'USAGE',
        message: 'Unknown option `--nonsense`.',
        hint: `See \`dexsync ${own} --help\`.`,
        exitCode: 3,
      },
    ]);
  });

  test('of an invalid configuration is JSON', async () => {
    const project = await testProject({ 'sync.config.yaml': 'stack: [' });
    const { code, out } = await project.run(args);
    if (['kinds', 'explain'].includes(own)) return expect([code, JSON.parse(out)]).toEqual([0, expect.anything()]);
    expect([code, errorIn(out, form)]).toMatchObject([
      3,
      { code: expect.stringMatching(/INVALID|UNREADABLE|CONFIRMATION_NEEDED/), exitCode: 3 },
    ]);
  });
});

const invalid = { 'manifests/a.yaml': manifest('UserGroup', 'Quality', { descripton: 'a' }) };

describe('with invalid manifests', () => {
  test.each([['validate'], ['plan'], ['drift'], ['output'], ['plan', '--explain', 'UserGroup/Quality']])(
    '%s %s %s: one document with the diagnostics',
    async (...args) => {
      const { code, out, err } = await (await testProject(invalid)).run([
        ...args.filter((one) => one !== undefined),
        '--json',
      ]);
      const { error, diagnostics } = JSON.parse(out);
      expect([code, error, diagnostics]).toMatchObject([
        3,
        { code: 'MANIFESTS_INVALID', exitCode: 3 },
        [{ code: 'field-unknown', origin: { file: 'manifests/a.yaml' } }],
      ]);
      expect(err).toContain('manifests/a.yaml');
    },
  );

  test('apply prints the diagnostics as events', async () => {
    const { code, out } = await (await testProject(invalid)).run(['apply', '--yes', '--json']);
    expect([code, linesOf(out)]).toMatchObject([
      3,
      [
        { type: 'diagnostic', diagnostic: { code: 'field-unknown' } },
        { type: 'error', code: 'MANIFESTS_INVALID' },
        { type: 'summary', exitCode: 3 },
      ],
    ]);
  });
});

test('a refused login is JSON, in a document and in events', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/a.yaml': manifest('UserGroup', 'Quality', {}) });
  const variables = { ...workspace.variables, DEXSYNC_REMOTE_PASSWORD: 'wrong' };
  const refused = { code: 'LOGIN_REFUSED', exitCode: 6 };
  for (const args of [
    ['get', 'usergroups', '-o', 'json'],
    ['plan', '--json'],
    ['api', '/items', '--json'],
  ]) {
    const { code, out } = await project.run(args, variables);
    expect([code, JSON.parse(out)]).toMatchObject([6, { error: refused, diagnostics: [] }]);
  }
  const { code, out } = await project.run(['apply', '--yes', '--json'], variables);
  expect([code, linesOf(out)]).toMatchObject([
    6,
    [
      { type: 'error', ...refused },
      { type: 'summary', exitCode: 6 },
    ],
  ]);
});

test('the last event of every command that prints events is the summary', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/a.yaml': itemsDefinition('Specs') + manifest('UserGroup', 'Quality', {}),
    'a.csv': 'Part,Name\nA-1,one\n',
  });
  const commands = [
    'apply --yes',
    'forget UserGroup/Quality',
    'adopt UserGroup/Quality',
    'import a.csv --definition Specs',
    'import errors a.csv',
    'import a.csv --definition Specs',
    'destroy --yes --confirm NAME',
  ];
  const { name } = JSON.parse((await project.run(['env', 'check', '--json'], workspace.variables)).out).workspace;
  for (const command of commands) {
    const args = command.split(' ').map((word) => (word === 'NAME' ? name : word));
    const { code, out } = await project.run([...args, '--json'], workspace.variables);
    expect([command, linesOf(out).at(-1)]).toEqual([
      command,
      expect.objectContaining({ type: 'summary', exitCode: code }),
    ]);
  }
});

test('get -o json prints a bad option as JSON, and so does a mistake before any command', async () => {
  const project = await testProject();
  const get = await project.run(['get', 'usergroups', '-o', 'json', '--nonsense']);
  expect([get.code, JSON.parse(get.out).error.code]).toEqual([3, 'USAGE']);
  const top = await project.run(['--json', 'plna']);
  expect([top.code, JSON.parse(top.out).error]).toMatchObject([3, { code: 'USAGE' }]);
  expect((await project.run(['plna'])).out).toBe('');
});
