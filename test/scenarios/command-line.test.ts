import { describe, expect, test } from 'vitest';
import { finished, testProject } from '../harness/test-project.js';

const group = 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Quality }\nspec: { description: a }\n';

describe('environments', () => {
  test.each(['toString', '__proto__', 'constructor'])('--env %s is an unknown environment', async (name) => {
    const { code, err } = await (await testProject({ 'manifests/a.yaml': group })).run(['plan', '--env', name]);
    expect([code, err]).toEqual([3, expect.stringMatching(/^Error: The configuration has no environment "\w+"\./)]);
  });

  test('an empty DEXSYNC_ENV is not set', async () => {
    const project = await testProject({ 'manifests/a.yaml': group });
    const { code, out } = await project.run(['plan'], { DEXSYNC_ENV: '' });
    expect([code, out]).toEqual([0, expect.stringContaining('environment local')]);
    const ci = await project.run(['plan'], { DEXSYNC_ENV: '', CI: 'true' });
    expect([ci.code, ci.err]).toEqual([3, expect.stringContaining('[ENVIRONMENT_NOT_CHOSEN, exit 3]')]);
  });
});

describe('the search for manifests', () => {
  test('covers the whole project without the configuration and the data of dexsync', async () => {
    const project = await testProject({
      'sync.config.yaml': 'stack: s\nmanifests: ["."]\nenvironments: { local: { workspace: embedded } }\n',
      'manifests/a.yaml': group,
      '.dexsync/tmp/x.yaml': 'no manifest\n',
    });
    const { code, out } = await project.run(['validate']);
    expect([code, out]).toEqual([0, 'Valid: 1 manifest in 1 file.\n']);
  });

  test('warns about a folder without any', async () => {
    const project = await testProject();
    for (const args of [['validate'], ['plan', '--env', 'local']]) {
      const { code, out } = await project.run(args);
      expect([code, out]).toEqual([
        0,
        expect.stringContaining('warning  manifests-none\n  No manifests found under "manifests".\n'),
      ]);
    }
  });
});

test('workspace serve --port without a port is a mistake of the command line', async () => {
  const { code, err } = await finished((await testProject()).start(['workspace', 'serve', '--port=65536']));
  expect([code, err]).toEqual([3, expect.stringContaining('--port must be a whole number from 0 to 65535')]);
});

test.each(['env', 'events', 'exports', 'extracts', 'lock', 'reservations', 'workspace'])(
  '%s without a subcommand is a mistake, and prints the same as --help',
  async (group) => {
    const project = await testProject();
    const help = await project.run([group, '--help']);
    expect([help.code, help.err, help.out]).toEqual([0, '', expect.stringMatching(/\nCommands:\n {2}\w+ /)]);
    expect(await project.run([group])).toEqual({ code: 3, out: '', err: help.out });
    expect((await project.run([group, '-h'])).out).toBe(help.out);
  },
);

describe('init', () => {
  const next = '\nNext: cd new && dexsync plan\n';

  test.each([
    [undefined, 'Created .gitignore', '.dexsync/\n'],
    ['node_modules', 'Added .dexsync/ to .gitignore', 'node_modules\n.dexsync/\n'],
    ['/.dexsync\n', 'groups.yaml', '/.dexsync\n'],
  ])('leaves a .gitignore of %j as: %s', async (before, said, after) => {
    const project = await testProject(before === undefined ? {} : { 'new/.gitignore': before });
    const { code, out } = await project.run(['init', 'new']);
    expect([code, out]).toEqual([0, expect.stringContaining(`${said}${next}`)]);
    expect(await project.read('new/.gitignore')).toBe(after);
  });

  test('works here, and in a folder whose name a shell would split', async () => {
    const project = await testProject({ 'here/x': '' });
    expect((await project.run(['init', "it's here"])).out).toContain(`\nNext: cd 'it'\\''s here' && dexsync plan\n`);
  });
});

test('an invalid value of an argument is named with its argument', async () => {
  const { code, err } = await (await testProject({})).run(['completion', "it's"]);
  expect([code, err]).toEqual([
    3,
    'Error: Value "it\'s" is invalid for argument `shell`. Allowed choices are bash, zsh, fish.\n[USAGE, exit 3]\n',
  ]);
});
