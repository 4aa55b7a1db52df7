import { symlink } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const group = 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Quality }\nspec: { description: a }\n';

describe('invalid manifests give a message and exit 3, and nothing is sent', () => {
  const cases: [what: string, files: Record<string, string>, message: string][] = [
    ['an empty configuration', { 'sync.config.yaml': '' }, 'error  config-empty\n  sync.config.yaml is empty.\n'],
    [
      'YAML syntax',
      { 'manifests/a.yaml': 'kind: [\n' },
      'manifests/a.yaml:2:1  error  yaml-syntax\n  This is not valid YAML: ',
    ],
    [
      'an unknown kind',
      { 'manifests/a.yaml': group.replace('UserGroup', 'UserGropu') },
      'manifests/a.yaml:2:7  error  kind-unknown\n  There is no kind "UserGropu".\n  Did you mean "UserGroup"?\n',
    ],
    [
      'an unknown field',
      { 'manifests/a.yaml': group.replace('description', 'descripton') },
      'manifests/a.yaml:4:9  error  field-unknown\n  UserGroup/Quality has no field "descripton".\n  Did you mean "description"?\n',
    ],
    [
      'an address twice',
      { 'manifests/a.yaml': group, 'manifests/b.yml': group },
      'manifests/b.yml:3:19  error  address-duplicate\n  UserGroup/Quality is described twice; first at manifests/a.yaml:1.\n',
    ],
    [
      'a cycle',
      {
        'manifests/a.yaml':
          '{ apiVersion: dexsync/v1, kind: Import, metadata: { name: A }, spec: { definition: D, source: { file: a.csv }, after: [A] } }',
      },
      'error  reference-cycle\n  These manifests depend on each other: Import/A -> Import/A.\n  Remove one of these references.\n',
    ],
    [
      'invalid UTF-8',
      { 'manifests/a.yaml': 'latin1' },
      'error  encoding\n  manifests/a.yaml is not valid UTF-8.\n  Save the file as UTF-8.\n',
    ],
    [
      'a manifest of 50 MB',
      { 'manifests/a.yaml': 'large' },
      'error  file-too-large\n  manifests/a.yaml has 50.0 MB; a manifest file may have at most 10.0 MB.\n  Split it into several files. Bulk data belongs in CSV or XLSX files that an Import reads.\n',
    ],
    [
      'a __proto__ key',
      { 'manifests/a.yaml': `${group}__proto__: { polluted: true }\n` },
      'manifests/a.yaml:5:1  error  key-forbidden\n  The key "__proto__" is not allowed in a manifest.\n',
    ],
    [
      'aliases that explode',
      {
        'manifests/a.yaml': [
          'a: &a [x, x, x, x, x, x, x, x, x, x]',
          ...['b', 'c', 'd'].map((name, i) => `${name}: &${name} [${Array(10).fill(`*${'abc'[i]}`).join(', ')}]`),
        ].join('\n'),
      },
      "manifests/a.yaml:1:1  error  alias-bomb\n  This document's aliases expand to more than 100 times their anchors; it is not read.\n",
    ],
    [
      'manifests outside the project folder',
      { 'sync.config.yaml': 'stack: s\nmanifests: [..]\nenvironments: { remote: { workspace: embedded } }\n' },
      'error  path-outside\n  ".." is outside the project folder; dexsync reads nothing outside it.\n  Move the file into the folder of sync.config.yaml.\n',
    ],
    [
      'manifests that are not there',
      { 'sync.config.yaml': 'stack: s\nmanifests: [nowhere]\nenvironments: { remote: { workspace: embedded } }\n' },
      'error  manifests-missing\n  Manifests are expected at "nowhere", but it does not exist.\n',
    ],
    [
      'a configuration with an unknown field',
      { 'sync.config.yaml': 'stack: s\nmanifest: [manifests]\nenvironments: {}\n' },
      'sync.config.yaml:2:1  error  field-unknown\n  sync.config.yaml has no field "manifest".\n  Did you mean "manifests"?\n',
    ],
  ];

  test.each(cases)('%s', async (_, files, message) => {
    const workspace = await testWorkspace();
    const project = await testProject(files);
    if (files['manifests/a.yaml'] === 'latin1')
      await project.write('manifests/a.yaml', Buffer.from(group.replace('a }', '\u00e4 }'), 'latin1'));
    if (files['manifests/a.yaml'] === 'large')
      await project.write('manifests/a.yaml', Buffer.alloc(50 * 1024 * 1024, '#'));
    for (const args of [['validate'], ['plan'], ['apply', '--yes']]) {
      const { code, out, err } = await project.run(args, workspace.variables);
      expect(out).toContain(message);
      expect(err).toMatch(
        /^Error: \d+ errors? in the (manifests|configuration); nothing was sent\.\n\[\w+_INVALID, exit 3\]\n$/,
      );
      expect(code).toBe(3);
    }
    expect(await workspace.usage()).toEqual([]);
  });

  test('manifests in a folder behind a link count as described: none of their objects is pruned', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'shared/a.yaml': group });
    await symlink(join(project.folder, 'shared'), join(project.folder, 'manifests', 'team'));
    expect((await project.run(['apply', '--yes'], workspace.variables)).out).toContain('1 done');
    const { code, out } = await project.run(['plan', '--prune', '--detailed-exitcode'], workspace.variables);
    expect([code, out]).toEqual([0, expect.stringContaining('1 unchanged')]);
  });

  test('a link that leads out of the project folder is refused', async () => {
    const project = await testProject();
    const other = await testProject({ 'x.yaml': group });
    await symlink(join(other.folder, 'x.yaml'), join(project.folder, 'manifests', 'x.yaml'));
    const { code, out } = await project.run(['validate']);
    expect([code, out]).toEqual([
      3,
      expect.stringContaining('"manifests/x.yaml" is outside the project folder; dexsync reads nothing outside it.'),
    ]);
  });

  test('a reference to nothing is found once the workspace is read, and nothing is written', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/a.yaml': group.replace('{ description: a }', '{ members: [an@example.com] }'),
    });
    const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
    expect(out).toContain(
      'manifests/a.yaml:4:19  error  reference-unknown\n  UserGroup/Quality refers to User/an@example.com, which is neither in the manifests nor in environment "remote".\n  Did you mean "ann@example.com"?\n',
    );
    expect(code).toBe(3);
    expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('unreadable imports are found before a row is sent', () => {
  const definition =
    '{ apiVersion: dexsync/v1, kind: ImportDefinition, metadata: { name: D }, spec: { resource: ITEM_SPECS, mode: EDIT, options: { mapping: [{ resource: ITEM_SPECS, apiName: number, sourceName: Part }] } } }\n---\n';
  const job = (file: string): string =>
    `${definition}{ apiVersion: dexsync/v1, kind: Import, metadata: { name: I }, spec: { definition: D, source: { file: "${file}" } } }`;

  test.each([
    [
      '../outside.csv',
      'error  path-outside\n  Import/I reads "../outside.csv", which is outside the project folder.\n',
    ],
    ['../../nowhere.csv', 'error  path-outside\n'],
    ['gone.csv', 'error  source-unreadable\n  Import/I: '],
  ])('%s', async (file, message) => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/a.yaml': job(file),
      'sync.config.yaml': 'stack: s\nmanifests: [manifests]\nenvironments: { remote: { url: "${env.TEST_URL}" } }\n',
    });
    const other = await testProject({ 'outside.csv': 'Part\n1\n' });
    await symlink(join(other.folder, 'outside.csv'), join(project.folder, 'outside.csv'));
    const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
    expect([code, out]).toEqual([3, expect.stringContaining(message)]);
    expect((await workspace.usage()).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('import FILE reports its own reason where it cannot send', () => {
  const definition = itemsDefinition('Parts', { N: 'number' }, 'EDIT');

  test('missing or unreadable files and definitions end with exit 3, and rows that certainly fail with 4', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({
      'manifests/d.yaml': definition,
      'open.csv': 'N\n"1\n',
      'empty.csv': '',
      'other.csv': 'M\n1\n',
    });
    expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const before = (await workspace.usage()).length;
    const said = async (file: string, name: string) => {
      const { code, out, err } = await project.run(['import', file, '--definition', name], workspace.variables);
      return [code, code === 4 ? out : err];
    };
    expect(await said('gone.csv', 'Parts')).toEqual([3, expect.stringMatching(/^Error: gone\.csv does not exist\./)]);
    expect(await said('open.csv', 'Parts')).toEqual([
      3,
      'Error: open.csv:2: the row that starts here has an opening quote that is never closed.\nClose the quote, or write a quote within a value as "".\n[FILE_UNREADABLE, exit 3]\n',
    ]);
    expect(await said('empty.csv', 'Parts')).toEqual([3, expect.stringContaining('Error: empty.csv is empty.')]);
    expect(await said('other.csv', 'Prats')).toEqual([
      3,
      'Error: ImportDefinition/Prats is not in environment "remote".\nDid you mean "Parts"?\n[UNKNOWN_NAME, exit 3]\n',
    ]);
    expect(await said('other.csv', 'Parts')).toEqual([
      4,
      expect.stringContaining('other.csv has no column "N", but the mapping needs it.'),
    ]);
    expect((await workspace.usage()).slice(before).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

describe('a workspace that cannot be reached or entered', () => {
  const project = () => testProject({ 'manifests/a.yaml': group });

  test('without a configuration', async () => {
    const { folder, run } = await testProject();
    const { code, err } = await run(['plan', '--config', 'elsewhere.yaml']);
    expect([code, err]).toEqual([
      3,
      expect.stringContaining(
        `Error: The configuration ${join(folder, 'elsewhere.yaml')} cannot be read: it does not exist.\nCheck \`--config\``,
      ),
    ]);
  });

  test('without credentials', async () => {
    const { code, err } = await (await project()).run(['plan', '--env', 'remote'], { TEST_URL: 'http://127.0.0.1:1' });
    expect([code, err]).toEqual([
      3,
      'Error: Environment "remote" has no email in `credentials`.\nSet DEXSYNC_REMOTE_EMAIL, or `environments.remote.credentials.email` in the configuration.\n[CREDENTIALS_MISSING, exit 3]\n',
    ]);
  });

  test.each([
    ['an override', { DEXSYNC_REMOTE_PASSWORD: 'false' }, '', 'the variable DEXSYNC_REMOTE_PASSWORD'],
    ['a variable', { PLM: 'false' }, 'password: "${env.PLM}"', 'the variable PLM'],
    ['a command', {}, 'passwordCommand: echo false', '`environments.remote.credentials.passwordCommand`'],
  ])(
    'with a wrong password of %s: the message has the place, the user, and the source of the password, but not the password',
    async (_, own, setting, from) => {
      const { variables, url } = await testWorkspace();
      const { DEXSYNC_REMOTE_PASSWORD: __, ...others } = variables;
      const one = await testProject({
        'sync.config.yaml': `stack: s\nmanifests: [manifests]\nenvironments: { remote: { url: "\${env.TEST_URL}", credentials: { ${setting} } } }\n`,
        'manifests/a.yaml': manifest('UserGroup', 'Quality'),
      });
      const args = ['plan', 'remote'];
      const { code, err } = await one.run(args, { ...others, ...own });
      expect([code, err]).toEqual([
        6,
        expect.stringMatching(/^Error: POST \/login was answered with 400: .* \(4001\)\nThe login was sent to /),
      ]);
      expect(err).toContain(
        `${url}/login by environment "remote" as ${variables.DEXSYNC_REMOTE_EMAIL}, for workspace `,
      );
      expect(err).toContain(`, with the password from ${from}. Check each of these.\n[LOGIN_REFUSED, exit 6]\n`);
      expect(err).not.toContain('false');
      const elsewhere = await one.run(args, { ...others, ...own, TEST_URL: `${url}/nowhere` });
      expect([elsewhere.code, elsewhere.err]).toEqual([6, expect.stringContaining(`${url}/nowhere/login`)]);
    },
  );

  test('with another identity than configured', async () => {
    const workspace = await testWorkspace();
    const { code, err } = await (await project()).run(['plan'], {
      ...workspace.variables,
      DEXSYNC_REMOTE_WORKSPACE_ID: '1',
    });
    expect([code, err]).toEqual([6, expect.stringContaining('[LOGIN_REFUSED, exit 6]')]);
  });

  test('at an unreachable host', async () => {
    const { code, err } = await (await project()).run(['plan', '--env', 'remote'], {
      TEST_URL: 'http://127.0.0.1:9',
      DEXSYNC_REMOTE_EMAIL: 'a@b',
      DEXSYNC_REMOTE_PASSWORD: 'p',
    });
    expect([code, err]).toEqual([
      1,
      'Error: POST /login got no answer from http://127.0.0.1:9: connect ECONNREFUSED 127.0.0.1:9.\nCheck host and port of the `url` in sync.config.yaml, and whether the service is running.\n[NETWORK, exit 1]\n',
    ]);
  });

  test('at a port that does not speak TLS', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { port } = server.address() as AddressInfo;
    const { code, err } = await (await project()).run(['plan', '--env', 'remote'], {
      TEST_URL: `https://127.0.0.1:${port}`,
      DEXSYNC_REMOTE_EMAIL: 'a@b',
      DEXSYNC_REMOTE_PASSWORD: 'p',
    });
    expect(code).toBe(1);
    expect(err).toContain(`Error: No secure connection to https://127.0.0.1:${port}: `);
    expect(err).toContain(
      'Check host and port of the `url` in sync.config.yaml, and that HTTPS is spoken there. For a private certificate authority, set NODE_EXTRA_CA_CERTS to its certificate file.',
    );
  });

  test.each([
    [
      'an HTML page',
      '<html>Sign in</html>',
      'POST /login was answered with an HTML page (text/html), beginning with "<html>Sign in</html>".',
    ],
    [
      'JSON that breaks off',
      '{"sessionId":"x',
      'POST /login was answered with something that is not a complete JSON object (text/html)',
    ],
  ])('%s', async (_, body, message) => {
    const server = createHttpServer(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end(body),
    );
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    onTestFinished(() => void server.close());
    const { code, err } = await (await project()).run(['plan', '--env', 'remote'], {
      TEST_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      DEXSYNC_REMOTE_EMAIL: 'a@b',
      DEXSYNC_REMOTE_PASSWORD: 'p',
    });
    expect([code, err]).toEqual([1, expect.stringContaining(message)]);
    expect(err).toContain('[ANSWER_NOT_JSON, exit 1]');
  });

  test('over plain http to another machine', async () => {
    const { code, err } = await (await project()).run(['plan', '--env', 'remote'], {
      TEST_URL: 'http://plm.example.com',
      DEXSYNC_REMOTE_EMAIL: 'a@b',
      DEXSYNC_REMOTE_PASSWORD: 'p',
    });
    expect([code, err]).toEqual([
      3,
      expect.stringContaining('http://plm.example.com would send the password unencrypted to another machine.'),
    ]);
  });

  test('CI without a chosen environment does not touch the embedded workspace', async () => {
    const { code, err } = await (await project()).run(['plan'], { CI: 'true' });
    expect([code, err]).toEqual([3, expect.stringContaining('[ENVIRONMENT_NOT_CHOSEN, exit 3]')]);
  });
});

describe('the command line', () => {
  test('apply without a terminal and without --yes is refused before anything is sent', async () => {
    const workspace = await testWorkspace();
    const { code, err } = await (await testProject({ 'manifests/a.yaml': group })).run(['apply'], workspace.variables);
    expect([code, err]).toEqual([
      3,
      'Error: `dexsync apply` needs confirmation, but there is no terminal to ask for it.\nReview `dexsync plan`, then run `dexsync apply --yes`.\n[CONFIRMATION_NEEDED, exit 3]\n',
    ]);
    expect(await workspace.usage()).toEqual([]);
  });

  test.each([
    ['--json', '`--json` asks nothing'],
    ['--file=-', 'standard input holds manifests'],
  ])('%s leaves nobody to ask, and the message says so', async (flag, why) => {
    const { err } = await (await testProject()).run(['apply', flag]);
    expect(err).toContain(`Error: \`dexsync apply\` needs confirmation, but ${why}.`);
  });

  test.each([
    [['plna'], 'Error: Unknown command "plna".\nDid you mean plan?\n[USAGE, exit 3]'],
    [['plan', '--jsn'], 'Error: Unknown option `--jsn`.\nDid you mean --json?\n[USAGE, exit 3]'],
    [['import', 'x.csv'], 'Error: No import definition was given.\nUse `dexsync import FILE --definition NAME`'],
    [['import', 'UserGroup/Quality'], '`dexsync adopt KIND/NAME` adopts an existing object.'],
    [['get', 'UserGroup/Quality'], 'Give the kind without a name: UserGroup.'],
    [['import', 'x.csv', '--definition', 'D', '--commit', 'perhaps'], 'Allowed choices are never, clean, always.'],
    [['explain', 'UserGruop'], 'Error: There is no kind "UserGruop".\nDid you mean "UserGroup"?'],
    [['explain', 'UserGroup.membres'], 'Error: "UserGroup.membres" is not a field.\nDid you mean "members"?'],
  ])('%j', async (args, message) => {
    const { code, err } = await (await testProject()).run(args);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
  });

  test.each([
    [['import', 'retry', '7', '--force'], '`dexsync import retry` has no option --force; `dexsync import` has.'],
    [['import', '--commit', 'always', 'list'], '`dexsync import list` has no option --commit; `dexsync import` has.'],
    [['import', 'commit', '7', '--set', 'a=b'], '`dexsync import commit` has no option --set; `dexsync import` has.'],
  ])('an option that a command would ignore is refused: %j', async (args, message) => {
    const { code, err } = await (await testProject()).run(args);
    expect([code, err]).toEqual([3, `Error: ${message}\n[USAGE, exit 3]\n`]);
  });

  test.each([
    [['import', 'list', '--json']],
    [['import', '--json', 'list']],
    [['import', 'list', '--env', 'local', '--no-color']],
  ])('options of the command itself are accepted at any place: %j', async (args) => {
    const { code, err } = await (await testProject()).run(args);
    expect([code, err]).toEqual([0, '']);
  });

  test.each([
    ['--help'],
    ['plan', '--help'],
    ['apply', '--help'],
    ['import', '--help'],
    ['workspace', 'serve', '--help'],
  ])('%s %s shows examples', async (...args) => {
    const { code, out } = await (await testProject()).run(args.filter((arg) => arg !== undefined));
    expect([code, out]).toEqual([0, expect.stringContaining('Example')]);
  });

  test('--version is the version of the package', async () => {
    const { code, out } = await (await testProject()).run(['--version']);
    expect([code, out]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  test('init creates a project that can be planned, and overwrites nothing', async () => {
    const project = await testProject();
    expect(await project.run(['init', 'new'])).toEqual({
      code: 0,
      err: '',
      out: expect.stringContaining('Created sync.config.yaml'),
    });
    const plan = await project.run(['plan', '--config', 'new/sync.config.yaml']);
    expect([plan.code, plan.out]).toEqual([0, expect.stringContaining('Plan: 1 to create.')]);
    const again = await project.run(['init', 'new']);
    expect([again.code, again.err]).toEqual([
      3,
      expect.stringContaining('sync.config.yaml already exists; nothing was written.'),
    ]);
  });

  test('kinds and explain show the schemas', async () => {
    const project = await testProject();
    expect((await project.run(['kinds'])).out).toMatch(/^ImportDefinition +importdef, def +kind +/m);
    expect((await project.run(['explain', 'ImportDefinition.options.mapping'])).out).toContain('Attribute name');
    expect((await project.run(['explain', 'UserGroup.members'])).out).toContain('set of User names');
    expect((await project.run(['explain', 'usergroups.members'])).out).toContain('set of User names');
    expect((await project.run(['explain', 'lifecyclephase'])).out).toContain('LifecyclePhase\n');
    expect(JSON.parse((await project.run(['explain', 'Import', '--json'])).out)).toMatchObject({ name: 'Import' });
    expect((await project.run(['explain', 'User'])).out).toContain('it has no manifest');
  });
});
