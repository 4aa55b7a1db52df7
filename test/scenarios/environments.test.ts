import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { everyCommand, nameOf, openProgram } from '../app/commands/parse-example.js';
import { pairProject } from '../harness/environment-pair.js';
import { manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';

const FILES = {
  'sync.config.yaml': `stack: s
manifests: [manifests]
defaultEnvironment: dev
variables:
  plants: [Vienna, Graz]
  limit: 5
environments:
  dev: { workspace: embedded }
  prod:
    workspace: embedded
    variables: { plants: [Linz] }
    manifests: [manifests/prod]
    overlay: manifests/overlays/prod
`,
  'manifests/groups.yaml': `apiVersion: dexsync/v1
kind: UserGroup
forEach: \${var.plants}
metadata: { name: "Quality \${each.value}" }
spec: { description: "Plant \${each.value}", assignability: [CHANGES] }
---
apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Test users }
spec: {}
`,
  'manifests/policies.yaml': `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Operations, labels: { team: ops } }
spec:
  description: Everywhere
  assignability: [CHANGES]
`,
  'manifests/prod/audit.yaml': 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Audit }\nspec: {}\n',
  'manifests/overlays/prod/groups.yaml': `apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Operations }
spec:
  description: In production
  assignability: { $add: [QUALITY] }
---
apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Test users }
$patch: delete
---
apiVersion: dexsync/v1
kind: UserGroup
metadata: { name: Quality Linz }
spec: { description: "The only one" }
`,
} as const;

const namesIn = (out: string): string[] =>
  (JSON.parse(out) as { address: string }[]).map(({ address }) => address.replace('UserGroup/', ''));

describe('environments of one project', () => {
  test('each have variables, manifests and an overlay of their own; applied, the plan of each is empty', async () => {
    const project = await testProject(FILES);
    const render = async (env: string) => namesIn((await project.run(['render', '--env', env, '--json'])).out);
    expect(await render('dev')).toEqual(['Operations', 'Quality Graz', 'Quality Vienna', 'Test users']);
    expect(await render('prod')).toEqual(['Audit', 'Operations', 'Quality Linz']);
    expect((await project.run(['validate'])).out).toContain('Valid:');
    // At once: each has a workspace, a ledger and locks of its own.
    const applied = await Promise.all(['dev', 'prod'].map((env) => project.run(['apply', '--yes', '--env', env])));
    expect(applied.map(({ code }) => code)).toEqual([0, 0]);
    for (const env of ['dev', 'prod']) {
      const { code, out } = await project.run(['plan', '--env', env, '--detailed-exitcode']);
      expect([code, out]).toEqual([0, expect.stringContaining('No changes.')]);
    }
    const { out } = await project.run(['get', 'usergroups', 'Operations', '--env', 'prod', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      objects: [{ spec: { description: 'In production', assignability: ['CHANGES', 'QUALITY'] } }],
    });
  });

  test('give findings and explanations the file of the overlay', async () => {
    const project = await testProject(FILES);
    const explained = await project.run(['plan', '--env', 'prod', '--explain', 'UserGroup/Operations']);
    expect(explained.out).toContain('manifests/overlays/prod/groups.yaml:5 (overlay of prod)');
    const filled = await project.run(['plan', '--env', 'dev', '--explain', 'UserGroup/Quality Graz']);
    expect(filled.out).toContain('manifests/groups.yaml:5 (${each.value} of item Graz of `forEach`)');
    await project.write('manifests/overlays/prod/more.yaml', 'kind: UserGroup\nmetadata: { name: Operation }\n');
    const { code, out } = await project.run(['validate']);
    expect(code).toBe(3);
    expect(out).toBe(`manifests/overlays/prod/more.yaml:2:19  error  overlay-target
  The overlay of environment "prod" changes UserGroup/Operation, which no manifest describes.
  This is in the overlay of prod.
  Did you mean "UserGroup/Operations"? To add an object in this environment only, put its manifest below \`environments.prod.manifests\`. Found in environment "prod".

`);
    expect((await project.run(['validate', '--env', 'dev'])).code).toBe(0);
  });

  test('render as they are planned: the output passes through -f and plans the same', async () => {
    const project = await testProject({
      ...FILES,
      'manifests/odd.yaml':
        'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: Odd }\nspec: { description: "$${var.x} costs $5: #1" }\n',
    });
    const plan = async (...args: string[]) => {
      const { out } = await project.run(['plan', '--env', 'prod', '--json', ...args]);
      return JSON.parse(out).steps.map(({ address, fields }: { address: string; fields: object }) => ({
        address,
        fields,
      }));
    };
    const { out } = await project.run(['render', '--env', 'prod']);
    expect(parseAllDocuments(out)).toHaveLength(4);
    await project.write('rendered.yaml', out);
    expect(await plan('-f', 'rendered.yaml')).toEqual(await plan());
  });

  test('trace an invalid value to the variable that filled it in', async () => {
    const project = await testProject({
      ...FILES,
      'manifests/wrong.yaml':
        'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: W }\nspec: { description: "${var.limit}" }\n',
    });
    const { out } = await project.run(['validate', '--env', 'prod']);
    expect(out).toContain('The value comes from ${var.limit} of the configuration.');
    const annotated = await project.run(['validate', '--env', 'prod', '--output', 'github=-']);
    expect(annotated.out).toContain('The value comes from ${var.limit} of the configuration.');
    const given = await project.run(['validate', '--env', 'prod', '--var', 'limit=7']);
    expect(given.out).toContain('The value comes from ${var.limit} of `--var`.');
  });

  test('give a variable of the command line the type that it has in the configuration', async () => {
    const project = await testProject(FILES);
    const run = (...args: string[]) => project.run(['render', '--json', ...args]);
    expect(namesIn((await run('--var', 'plants=[Rom, "7"]')).out)).toContain('Quality 7');
    const { code, out } = await run('--var', 'plants=Rom');
    expect(code).toBe(3);
    expect(JSON.parse(out).diagnostics[0]).toMatchObject({
      code: 'variable-type',
      message: 'The variable "plants" is a list in the configuration, and `--var` gives it another value.',
      hint: 'Give a list as YAML, such as `--var NAME="[a, b]"`.',
    });
  });

  test('are listed by env list, which reaches none of them', async () => {
    const project = await testProject(FILES);
    const { code, out } = await project.run(['env', 'list'], { DEXSYNC_PROD_URL: 'https://plm.example.com/v1' });
    expect([code, out]).toEqual([
      0,
      `NAME   WORKSPACE                   PROFILE    PRODUCTION  LEDGER  FILES OF ITS OWN                                 VARIABLES
dev *  embedded                    reference  -           files   -                                                -
prod   https://plm.example.com/v1  reference  -           files   overlay manifests/overlays/prod, manifests/prod  plants

* used without --env
`,
    ]);
    const { out: json } = await project.run(['env', 'list', '--json', '--env', 'prod']);
    expect(JSON.parse(json)).toMatchObject([{ default: false }, { default: true, overlay: 'manifests/overlays/prod' }]);
  });

  test('cannot be two in one command line, and cannot share their overrides', async () => {
    const project = await testProject(FILES);
    const twice = await project.run(['plan', '--env', 'dev', '--env', 'prod']);
    expect([twice.code, twice.err]).toEqual([3, expect.stringContaining('It was given before, as "dev".')]);
    await project.write('sync.config.yaml', FILES['sync.config.yaml'].replace('  dev:', '  PROD: {}\n  dev:'));
    const { code, err } = await project.run(['env', 'list']);
    expect([code, err]).toEqual([3, expect.stringContaining('DEXSYNC_PROD_URL')]);
  });

  test('keep overrides apart', async () => {
    const project = await testProject(FILES);
    const { code } = await project.run(['plan', '--env', 'dev'], { DEXSYNC_PROD_URL: 'http://127.0.0.1:1' });
    expect(code).toBe(0);
  });
});

test('a plan of another environment is refused before anything else: no login, no question, no other refusal', async () => {
  const { run, project, variables, dev, prod } = await pairProject({
    files: { 'manifests/a.yaml': manifest('UserGroup', 'Quality') },
    prod: 'production: true',
  });
  expect((await run('plan', 'prod', '--out', 'plan.json')).code).toBe(0);
  const before = [(await dev.usage()).length, (await prod.usage()).length];
  const attempts = [
    ['apply', 'plan.json', '--env', 'dev', '--yes'],
    ['apply', 'plan.json', '--env', 'dev'],
    ['apply', '--as-reviewed', 'plan.json', '--env', 'dev', '--yes'],
    ['apply', '--as-reviewed', 'plan.json', '--env', 'dev'],
    ['plan', 'check', 'plan.json', '--env', 'dev'],
  ];
  for (const args of attempts) {
    const { code, err } = await run(...args);
    expect([code, err]).toEqual([
      5,
      expect.stringMatching(
        /^Error: plan\.json is a plan for environment "prod" \(workspace "Embedded Workspace", .+\); environment "dev" leads to .+\.\nLeave out `--env`, or name "prod" there\./,
      ),
    ]);
  }
  for (const saved of [['plan.json'], ['--as-reviewed', 'plan.json']]) {
    const here = await run('apply', ...saved, '--env', 'prod');
    expect([here.code, here.err]).toEqual([3, expect.stringContaining('[CONFIRMATION_NEEDED, exit 3]')]);
  }
  expect((await run('apply', 'plan.jsn')).err).toContain('plan.jsn');
  expect([(await dev.usage()).length, (await prod.usage()).length]).toEqual(before);
  await project.write(
    'sync.config.yaml',
    'stack: test\nmanifests: [manifests]\nenvironments: { dev: { url: "${env.DEV_URL}" } }\n',
  );
  const { code, err } = await project.run(['apply', 'plan.json', '--yes'], variables);
  expect([code, err]).toEqual([
    3,
    expect.stringContaining('plan.json is a plan for environment "prod", which the configuration does not have.'),
  ]);
});

test('each command about one environment accepts it as a word, if no word of it has another meaning', async () => {
  const alone = everyCommand(openProgram().program).filter(
    (command) => command.commands.length === 0 && command.registeredArguments.length === 0,
  );
  expect(alone.map(nameOf)).toEqual([
    'dexsync release list',
    'dexsync fleet worker',
    'dexsync env list',
    'dexsync workspace serve',
    'dexsync serve',
    'dexsync kinds',
  ]);
  const taking = everyCommand(openProgram().program).filter(
    ({ registeredArguments: [first] }) => first?.name() === 'environment',
  );
  expect(taking.length).toBeGreaterThan(15);
  const project = await testProject();
  for (const command of taking) {
    const words = nameOf(command).split(' ').slice(1);
    const { code, err } = await project.run([...words, 'remot', ...(NEEDED[nameOf(command)] ?? [])]);
    expect([words, code, err]).toEqual([words, 3, UNKNOWN]);
  }
});

const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'dexsync destroy': ['--yes', '--confirm', 'x'],
  'dexsync ledger move': ['--from', 'file'],
  'dexsync ledger rebuild': ['--yes'],
};

const UNKNOWN = expect.stringContaining('The configuration has no environment "remot".\nDid you mean "remote"?\n');

test('`apply` accepts a plan, an environment, or both', async () => {
  const { run, project } = await pairProject({ files: { 'manifests/a.yaml': manifest('UserGroup', 'Quality') } });
  const first = await run('apply', 'prod', '--yes');
  expect([first.code, first.out]).toEqual([0, expect.stringContaining('environment prod')]);
  expect((await run('drift', 'prod')).out).toContain('environment prod');
  await run('plan', 'dev', '--out', 'plan.json');
  expect((await run('apply', 'plan.json', 'prod', '--yes')).code).toBe(5);
  expect((await run('apply', 'plan.json', 'dev', '--yes')).code).toBe(0);
  await project.write('dev', 'a file');
  const mistakes: [args: string[], message: string][] = [
    [['apply', 'prod', '--env', 'dev'], '"prod" and `--env dev` are two environments; give one of them.'],
    [['apply', 'dev', '--yes'], '"dev" is a file and an environment; write `./dev` or `--env dev`.'],
    [['apply', 'prd', '--yes'], '`dexsync env list` lists the environments.'],
    [['validate', 'manifests/a.yaml'], '`-f manifests/a.yaml` gives files and folders with manifests.'],
    [['orphans', 'prod'], '`--env NAME` chooses an environment.'],
    [['describe', 'UserGroup/Quality', 'prod'], '`--env NAME` chooses an environment.'],
  ];
  for (const [args, message] of mistakes) {
    const { code, err } = await run(...args);
    expect([args, code, err]).toEqual([args, 3, expect.stringContaining(message)]);
  }
});

test('environments are words of `plan`, `diff` and `promote` as well as options', async () => {
  const { run } = await pairProject({ files: { 'manifests/a.yaml': manifest('UserGroup', 'Quality') } });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  expect((await run('plan', 'prod')).out).toContain('environment prod');
  const compared = await run('diff', 'dev', 'prod', 'UserGroup/Q*', '--json');
  expect([compared.code, JSON.parse(compared.out).objects]).toMatchObject([2, [{ what: 'only-from' }]]);
  expect((await run('diff', 'dev', 'prod')).out).toMatch(
    /^Environment dev \(workspace "Embedded Workspace"\) compared with prod /,
  );
  const promoted = await run('promote', 'dev', 'prod', '--out', 'plan.json');
  expect([promoted.code, promoted.out]).toEqual([0, expect.stringContaining('Plan: 1 to create.')]);
  const mistakes: [args: string[], message: string][] = [
    [['plan', 'prod', '--env', 'dev'], '"prod" and `--env dev` are two environments; give one of them.'],
    [['plan', 'prd'], 'The configuration has no environment "prd".\nDid you mean "prod"?'],
    [['diff'], '`dexsync diff` needs two environments.\nWrite `dexsync diff dev prod`'],
    [['promote', 'dev'], '`dexsync promote` needs two environments.'],
    [['diff', '--from', 'dev'], '`dexsync diff` needs two environments.'],
    [['promote', 'dev', '--from', 'dev', '--to', 'prod'], '"dev" has no meaning for `dexsync promote` beside'],
    [['promote', 'dev', 'dev'], 'Both environments are "dev".'],
    [['diff', 'dev', 'prd'], 'The configuration has no environment "prd".'],
  ];
  for (const [args, message] of mistakes) {
    const { code, err } = await run(...args);
    expect([args, code, err]).toEqual([args, 3, expect.stringContaining(message)]);
  }
});
