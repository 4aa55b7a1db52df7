import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = (name: string, description = 'a'): string =>
  `apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: "${name}" }\nspec: { description: "${description}" }\n`;

const CONFIG = `stack: s
manifests: [manifests]
defaultEnvironment: local
variables: { site: Vienna, shape: { enabled: false }, nothing: null }
environments:
  local: { workspace: embedded, variables: { site: Graz } }
  remote: { url: "\${env.TEST_URL}", variables: { site: Linz } }
`;

const validSteps = (out: string): { address: string; fields: { path: string; after: unknown }[] }[] =>
  JSON.parse(out).steps;

describe('variables', () => {
  test('come from configuration, environment, files and command line; later ones win', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'sync.config.yaml': CONFIG,
      'manifests/a.yaml':
        'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: "Quality ${var.site}" }\nspec:\n  description: at ${var.site}, $${literally}\n  assignability: ${var.uses}\n',
      'first.yaml': 'uses: [CHANGES]\nsite: First\n',
      'second.yaml': 'uses: [QUALITY, CHANGES]\n',
    });
    const files = ['--var-file', 'first.yaml', '--var-file', 'second.yaml'];
    const planned = async (...args: string[]) => {
      const { code, out, err } = await project.run(['plan', '--json', ...args], workspace.variables);
      expect([code, err]).toEqual([0, '']);
      return validSteps(out)[0]?.address;
    };
    expect(await planned('--var-file', 'second.yaml')).toBe('UserGroup/Quality Linz');
    expect(await planned(...files)).toBe('UserGroup/Quality First');
    expect(await planned(...files, '--var', 'site=A=B')).toBe('UserGroup/Quality A=B');
    const applied = await project.run(['apply', '--yes', ...files, '--var', 'site=X'], workspace.variables);
    expect(applied.code).toBe(0);
    const { body } = await workspace.call('GET', '/settings/usergroups?name=Quality%20X');
    expect(body.results).toMatchObject([
      { name: 'Quality X', description: 'at X, ${literally}', assignability: ['QUALITY', 'CHANGES'] },
    ]);
  });

  test('of every environment are known to validate where none is chosen', async () => {
    const config = (local: string, remote: string): string =>
      CONFIG.replace('{ site: Graz }', local).replace('{ site: Linz }', remote);
    const project = await testProject({
      'sync.config.yaml': config('{}', '{ own: Linz }'),
      'manifests/a.yaml': group('${var.own}'),
    });
    const validated = async (...args: string[]) => {
      const { code, out } = await project.run(['validate', ...args]);
      return [code, out];
    };
    const unknown = (name: string) => [3, expect.stringContaining(`There is no variable "${name}".`)];
    expect(await validated()).toEqual([0, 'Valid: 1 manifest in 1 file.\n']);
    expect(await validated('--env', 'local')).toEqual(unknown('own'));
    expect(await validated('--env', 'remote')).toEqual([0, 'Valid: 1 manifest in 1 file.\n']);
    await project.write('sync.config.yaml', config('{ own: A, use: [CHANGES] }', '{ own: B, use: [] , mine: 1 }'));
    await project.write(
      'manifests/a.yaml',
      `${group('${var.own}')}---\napiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: B }\nspec: { descripton: "${'${var.use}'}" }\n`,
    );
    const [code, out] = await validated();
    expect(code).toBe(3);
    expect(String(out).match(/descripton/g)).toHaveLength(1);
    expect(out).not.toContain('Found with');
    await project.write('manifests/a.yaml', `${group('${var.own}')}---\n${group('B')}`);
    expect(await validated()).toEqual([
      3,
      'manifests/a.yaml:8:19  error  address-duplicate\n  UserGroup/B is described twice; first at manifests/a.yaml:1.\n  Remove one of them, or rename it. Found in environment "remote".\n\n',
    ]);
    await project.write('manifests/a.yaml', group('${var.nowhere} ${var.own}'));
    const both = String((await validated())[1]);
    expect(both.match(/There is no variable "nowhere"/g)).toHaveLength(1);
  });

  test('leave files in findings relative to the user, and in plans relative to the project', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'team/sync.config.yaml': CONFIG,
      'team/manifests/a.yaml': `${group('A')}---\n${group('A')}`,
      'x.yaml': 'a: [',
    });
    const run = (...args: string[]) =>
      project.run([...args, '--config', 'team/sync.config.yaml', '--env', 'remote'], workspace.variables);
    expect((await run('validate')).out).toContain(
      'team/manifests/a.yaml:8:19  error  address-duplicate\n  UserGroup/A is described twice; first at team/manifests/a.yaml:1.\n',
    );
    expect((await run('validate', '-f', 'x.yaml')).out).toMatch(/^x\.yaml:1:\d+ {2}error/);
    await project.write('team/manifests/a.yaml', group('A'));
    const plan = JSON.parse((await run('plan', '--json')).out);
    expect(plan.steps[0].origin.file).toBe('manifests/a.yaml');
    await project.write('team/manifests/a.csv', 'Part,Name\n1.23457E+11,x\n');
    await project.write(
      'team/manifests/b.yaml',
      itemsDefinition('D') + manifest('Import', 'I', { definition: 'D', source: { file: 'a.csv' } }),
    );
    expect((await run('validate')).out).toContain('team/manifests/a.csv:2  warning  key-rounded\n');
  });

  test('of the default environment are enough for validate, which needs no credentials for it', async () => {
    const project = await testProject({ 'sync.config.yaml': CONFIG, 'manifests/a.yaml': group('${var.site}', 'x') });
    expect((await project.run(['validate', '--env', 'remote'])).code).toBe(0);
    expect((await project.run(['validate'])).out).toBe('Valid: 1 manifest in 1 file.\n');
    await project.write(
      'manifests/a.yaml',
      'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: A }\nspec: { description: "${var.nothing}", enabled: "${var.shape}" }\n',
    );
    const wrong = await project.run(['validate']);
    expect([wrong.code, wrong.out]).toEqual([
      3,
      expect.stringContaining('has an invalid value in "enabled": expected true or false, got {"enabled":false}.'),
    ]);
  });

  const cases: [what: string, args: string[], files: Record<string, string>, message: string][] = [
    [
      'an unknown one',
      [],
      { 'manifests/a.yaml': group('${var.sit}') },
      'manifests/a.yaml:3:19  error  variable-unknown\n  There is no variable "sit".\n  Did you mean "site"?\n',
    ],
    [
      'a value of the process',
      [],
      { 'manifests/a.yaml': group('A', '${env.HOME}') },
      'manifests/a.yaml:4:22  error  variable-environment\n  ${env.HOME} is not allowed in a manifest: environment values must not enter a plan.\n',
    ],
    [
      'a value of the process in the configuration',
      [],
      { 'sync.config.yaml': CONFIG.replace('Vienna', '"${env.HOME}"') },
      'sync.config.yaml:4:20  error  variable-nested\n  The variable "site" contains a reference, but variable values are used literally.\n',
    ],
    [
      'a name that nothing can refer to',
      [],
      { 'sync.config.yaml': CONFIG.replace('site: Graz', '"a b": Graz') },
      'sync.config.yaml:6:46  error  variable-name\n  "a b" is not a valid variable name.\n',
    ],
    [
      'a file of variables that is a list',
      ['--var-file', 'v.yaml'],
      { 'v.yaml': '- a\n' },
      'v.yaml:1:1  error  variables-shape\n  v.yaml must be one map of variables, such as `NAME: value`.\n',
    ],
    [
      'a file of variables with two documents',
      ['--var-file', 'v.yaml'],
      { 'v.yaml': 'a: 1\n---\nb: 1\n' },
      'error  variables-shape',
    ],
    [
      'a file of variables that is broken',
      ['--var-file', 'v.yaml'],
      { 'v.yaml': 'a: [\n' },
      'v.yaml:2:1  error  yaml-syntax',
    ],
    [
      'a file of variables that is not there',
      ['--var-file', 'v.yaml'],
      {},
      'error  file-unreadable\n  v.yaml does not exist.\n  Check the path.\n',
    ],
  ];
  test.each(cases)('%s: reported at its place, exit 3', async (_, args, files, message) => {
    const project = await testProject({ 'sync.config.yaml': CONFIG, ...files });
    const { code, out } = await project.run(['validate', ...args]);
    expect([code, out]).toEqual([3, expect.stringContaining(message)]);
  });

  test('may be unused in a --var, with a warning; an invalid name is refused', async () => {
    const project = await testProject({ 'sync.config.yaml': CONFIG, 'manifests/a.yaml': group('${var.site}') });
    const { code, out } = await project.run(['validate', '--var', 'sit=1']);
    expect([code, out]).toEqual([
      0,
      'warning  variable-unused\n  No manifest uses the variable "sit" given with `--var`.\n  Did you mean "site"?\n\nValid: 1 manifest in 1 file.\n',
    ]);
    const wrong = await project.run(['validate', '--var', 'a b=1']);
    expect([wrong.code, wrong.err]).toEqual([3, expect.stringContaining('Write NAME=VALUE.')]);
  });
});

describe('-f', () => {
  test('names files and folders, inside and outside the project, instead of the manifests of the configuration', async () => {
    const other = await testProject({ 'm/o.yml': group('O'), 'm/sub/p.yaml': group('P'), 'n.txt': group('N') });
    const project = await testProject({ 'manifests/a.yaml': group('A'), 'b.yaml': group('B') });
    const { code, out } = await project.run([
      'plan',
      '--json',
      '-f',
      'b.yaml',
      '-f',
      join(other.folder, 'm'),
      '--file',
      join(other.folder, 'n.txt'),
    ]);
    expect([code, validSteps(out).map(({ address }) => address)]).toEqual([
      0,
      ['UserGroup/B', 'UserGroup/N', 'UserGroup/O', 'UserGroup/P'],
    ]);
    await other.write('m/o.yml', 'kind: [\n');
    const broken = await project.run(['validate', '-f', join(other.folder, 'm')]);
    expect([broken.code, broken.out]).toEqual([
      3,
      expect.stringContaining(`${join(other.folder, 'm/o.yml')}:2:1  error  yaml-syntax`),
    ]);
  });

  test('accepts standard input, with positions and with sources of the current folder', async () => {
    const workspace = await testWorkspace();
    const definition =
      '{ apiVersion: dexsync/v1, kind: ImportDefinition, metadata: { name: D }, spec: { resource: ITEM_SPECS, mode: EDIT, options: { mapping: [{ resource: ITEM_SPECS, apiName: number, sourceName: N }] } } }\n---\n';
    const project = await testProject({ 'sub/rows.csv': 'N\n1\n' });
    const piped = async (args: string[], input: string) => {
      const child = project.start(args, workspace.variables, 'pipe');
      child.stdin?.end(input);
      return finished(child);
    };
    const job = `${definition}apiVersion: dexsync/v1\nkind: Import\nmetadata: { name: I }\nspec: { definition: D, commit: never, source: { file: sub/rows.csv } }\n`;
    const planned = await piped(['plan', '-f', '-'], job);
    expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('1 row of sub/rows.csv')]);
    const wrong = await piped(['validate', '-f', '-'], group('A').replace('description', 'descripton'));
    expect([wrong.code, wrong.out]).toEqual([3, expect.stringContaining('<stdin>:4:9  error  field-unknown\n')]);
    const latin = await piped(['apply', '-f', '-'], group('A'));
    expect([latin.code, latin.err]).toEqual([3, expect.stringContaining('[CONFIRMATION_NEEDED, exit 3]')]);
  });

  test('lets a manifest outside the project read files beside it, and nowhere else', async () => {
    const definition =
      '{ apiVersion: dexsync/v1, kind: ImportDefinition, metadata: { name: D }, spec: { resource: ITEM_SPECS, mode: EDIT, options: { mapping: [{ resource: ITEM_SPECS, apiName: number, sourceName: N }] } } }\n---\n';
    const job = (file: string) =>
      `${definition}apiVersion: dexsync/v1\nkind: Import\nmetadata: { name: I }\nspec: { definition: D, commit: never, source: { file: ${file} } }\n`;
    const other = await testProject({
      'm/a.yaml': job('rows.csv'),
      'm/rows.csv': 'N\n1\n',
      'rows.csv': 'N\n1\n',
      'm/b.yaml': job('../rows.csv'),
    });
    const project = await testProject();
    expect((await project.run(['plan', '-f', join(other.folder, 'm/a.yaml')])).code).toBe(0);
    const { code, out } = await project.run(['plan', '-f', join(other.folder, 'm/b.yaml')]);
    expect([code, out]).toEqual([3, expect.stringContaining('error  path-outside')]);
  });

  test('reports missing files', async () => {
    const project = await testProject({ 'empty/x.txt': '' });
    for (const [path, message] of [
      ['nowhere', 'Manifests are expected at "nowhere", but it does not exist.'],
      ['empty', '"empty" contains no .yaml or .yml file.'],
    ] as const) {
      const { code, out } = await project.run(['plan', '-f', path]);
      expect([code, out]).toEqual([3, expect.stringContaining(message)]);
    }
  });
});

describe('fmt', () => {
  const MESSY = '# top\nkind: UserGroup\nmetadata: {name: A}\napiVersion:   dexsync/v1\n';
  const NEAT = '# top\napiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: A }\n';

  test('formats the manifests of the configuration in place, and changes nothing the second time', async () => {
    const project = await testProject({ 'manifests/a.yaml': MESSY, 'manifests/b.yaml': NEAT });
    await symlink(join(project.folder, 'manifests/a.yaml'), join(project.folder, 'link.yaml'));
    for (const flags of [['--check', '--diff'], ['--diff']]) {
      const check = await project.run(['fmt', ...flags]);
      expect([check.code, check.err]).toEqual([2, '1 of 2 files to format.\n']);
      expect(check.out).toContain('--- manifests/a.yaml\tbefore\n+++ manifests/a.yaml\tafter\n');
      expect(check.out).toContain('-apiVersion:   dexsync/v1\n');
    }
    expect(await project.read('manifests/a.yaml')).toBe(MESSY);
    expect(JSON.parse((await project.run(['fmt', '--check', '--json', 'link.yaml'])).out)).toEqual({
      files: 1,
      changed: ['link.yaml'],
      left: [],
    });
    expect(await project.run(['fmt'])).toEqual({
      code: 0,
      out: 'manifests/a.yaml\n',
      err: '1 of 2 files formatted.\n',
    });
    expect(await project.read('manifests/a.yaml')).toBe(NEAT);
    expect(await project.run(['fmt', '--check'])).toEqual({ code: 0, out: '', err: '0 of 2 files to format.\n' });
  });

  test('names files that it leaves unchanged', async () => {
    const text = `%YAML 1.2\n---\n${MESSY}`;
    const project = await testProject({ 'a.yaml': text, 'b.yaml': NEAT });
    const because = 'a %-directive changes how everything after it is read';
    expect(await project.run(['fmt', 'a.yaml', 'b.yaml'])).toEqual({
      code: 0,
      out: '',
      err: `a.yaml was not formatted: ${because}.\n0 of 2 files formatted.\n`,
    });
    expect(JSON.parse((await project.run(['fmt', '--json', 'a.yaml'])).out)).toEqual({
      files: 1,
      changed: [],
      left: [{ file: 'a.yaml', because }],
    });
    expect(await project.read('a.yaml')).toBe(text);
  });

  test('leaves a broken file unchanged, formats the others, and ends with 3', async () => {
    const project = await testProject({ 'a.yaml': 'a: [\n', 'b.yaml': MESSY });
    const { code, out, err } = await project.run(['fmt', '.']);
    expect([code, out]).toEqual([3, 'b.yaml\n']);
    expect(err).toContain('a.yaml:2:1  error  yaml-syntax');
    expect([await project.read('a.yaml'), await project.read('b.yaml')]).toEqual(['a: [\n', NEAT]);
    expect((await project.run(['fmt', '-f'])).code).toBe(3);
    expect((await project.run(['fmt', '-'])).err).toContain('[USAGE, exit 3]');
  });
});

describe('passed flags', () => {
  test('reach workspace serve: a dialect and a quota, with its own words about errors', async () => {
    const project = await testProject();
    for (const [flag, message] of [
      ['--dialect=klingon', '--dialect must be one of reference, arena, not "klingon".\nTry --help.\n'],
      ['--quota=none', '--quota must be a whole number from 1 to 9007199254740991, not "none".\nTry --help.\n'],
    ] as const) {
      expect(await finished(project.start(['workspace', 'serve', flag]))).toEqual({ code: 3, out: '', err: message });
    }
    const child = project.start(['workspace', 'serve', '--dialect', 'arena', '--quota', '7']);
    const line = await new Promise<string>((found) => child.stdout?.once('data', (chunk) => found(String(chunk))));
    expect(JSON.parse(line)).toMatchObject({ dialect: 'arena', url: expect.stringContaining('http://127.0.0.1:') });
    child.kill('SIGTERM');
    expect(await new Promise((done) => child.once('close', done))).toBe(130);
  });

  test('reach apply: --parallelism', async () => {
    const project = await testProject({ 'manifests/a.yaml': group('A') });
    for (const value of ['0', '65', '2.5', 'x']) {
      const { code, err } = await project.run(['apply', '--yes', '--parallelism', value]);
      expect([code, err]).toEqual([3, expect.stringContaining('Give a whole number from 1 to 64.')]);
    }
    expect((await project.run(['apply', '--yes', '--parallelism', '1'])).out).toContain('Result: 1 done.');
  });
});
