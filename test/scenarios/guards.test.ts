import { expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { type TestProject, testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

const config = (rest = '', environment = ''): string => `stack: test
manifests: [manifests]
environments:
  remote: { url: "\${env.TEST_URL}"${environment} }
${rest}`;

const definition = (name: string, column: string): string =>
  manifest('ImportDefinition', name, {
    resource: 'ITEM_SPECS',
    mode: 'OVERWRITE',
    options: { mapping: [{ resource: 'ITEM_SPECS', apiName: 'number', sourceName: column }] },
  });

const group = (name: string, description: string, metadata: object = {}): string =>
  manifest('UserGroup', name, { description }, metadata);

/** The name of the embedded workspace. */
const NAME = 'Embedded Workspace';

interface Counted {
  readonly address: string;
  readonly action: string;
  readonly reason: string;
  readonly message: string;
  readonly wanted?: string;
}

async function planOf(project: TestProject, workspace: TestWorkspace, ...args: string[]) {
  const { out } = await project.run(['plan', '--json', ...args], workspace.variables);
  return JSON.parse(out) as { steps: Counted[]; guards: { guard: string; severity: string; override?: string }[] };
}

const writes = async (workspace: TestWorkspace): Promise<number> =>
  (await workspace.usage()).filter(({ method, path }) => method !== 'GET' && !path.endsWith('/login')).length;

test('replacements of many are blocked with numbers, the rest runs, and the named option lets them pass', async () => {
  const workspace = await testWorkspace();
  const all = (changed: number): string =>
    Array.from({ length: 10 }, (_, index) => definition(`D${index}`, index < changed ? 'Number' : 'Part')).join('');
  const project = await testProject({ 'sync.config.yaml': config(), 'manifests/all.yaml': all(0) + group('Q', 'a') });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);

  await project.write('manifests/all.yaml', all(4) + group('Q', 'b'));
  const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
  const said =
    '4 of 10 ImportDefinition objects would be replaced (40%, the limit is 30%). This needs `--allow replacements`.';
  expect(code).toBe(4);
  expect(out).toContain(`  ✗ ImportDefinition/D0  blocked (replace)\n      ~ options.mapping`);
  expect(out).toContain(`\n  ✗ replacements  ${said}\n\nPlan: 1 to update, 4 blocked, 6 unchanged.\n`);
  expect(out).toContain('Result: 1 done, 4 blocked.');
  const { body: left } = await workspace.call('GET', '/imports');
  expect(left.results.map(({ name }: { name: string }) => name)).not.toContainEqual(expect.stringContaining('retired'));
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(4);

  const allowed = await project.run(['apply', '--yes', '--allow', 'replacements'], workspace.variables);
  expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('; allowed by `--allow replacements`.\n')]);
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
});

const specs = { resource: 'ITEM_SPECS', mode: 'OVERWRITE' };
const lines = (mode: string): string =>
  manifest('ImportDefinition', 'Items', {
    ...specs,
    options: {
      mapping: [
        { resource: 'ITEM_SPECS', apiName: 'number', sourceName: 'Number' },
        { resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' },
      ],
    },
  }) +
  manifest('ImportDefinition', 'Lines', {
    resource: 'ITEM_BOM',
    mode,
    options: {
      mapping: [
        { resource: 'ITEM_BOM', apiName: 'number', sourceName: 'Parent' },
        { resource: 'ITEM_BOM', apiName: 'item.number', sourceName: 'Child' },
      ],
    },
  }) +
  manifest('Import', 'All items', { definition: 'Items', source: { file: 'items.csv' } }) +
  manifest('Import', 'All lines', { definition: 'Lines', source: { file: 'lines.csv' } });
const tables = {
  'manifests/items.csv': 'Number,Name\nTOP,Top\nA,Part\nB,Part\n',
  'manifests/lines.csv': 'Parent,Child\nTOP,A\nTOP,B\n',
};

test('rows that replace are counted; rows that only add are not', async () => {
  const workspace = await testWorkspace();
  const limited = config('guards: { importRows: 1 }\n');
  const project = await testProject({ 'sync.config.yaml': limited, ...tables, 'manifests/all.yaml': lines('REPLACE') });
  const first = await project.run(['apply', '--yes'], workspace.variables);
  expect(first.code).toBe(4);
  expect(first.out).toContain(
    '  ✗ import-rows  2 rows of Import/All lines would replace existing records (mode REPLACE, the limit is 1). This needs `--allow import-rows`.\n',
  );
  expect(first.out).toContain('Rows: 3 committed, 0 failed.');
  const second = await project.run(['apply', '--yes', '--allow', 'import-rows'], workspace.variables);
  expect([second.code, second.out]).toEqual([0, expect.stringContaining('Rows: 2 committed, 0 failed.')]);
});

test('`dexsync import` is guarded alike', async () => {
  const workspace = await testWorkspace();
  const limited = config('guards: { importRows: 1 }\n', ', production: true');
  const project = await testProject({ 'sync.config.yaml': limited, ...tables, 'manifests/all.yaml': lines('REPLACE') });
  await project.run(
    ['apply', '--yes', '--only', 'ImportDefinition', '--only', 'Import/All items'],
    workspace.variables,
  );
  const file = ['import', 'manifests/lines.csv', '--definition', 'Lines', '--yes'];
  const refused = await project.run(file, workspace.variables);
  expect([refused.code, refused.out]).toEqual([
    4,
    expect.stringMatching(/✗ import-rows {2}2 rows.*\n {2}✗ production {2}1 step deletes or replaces/),
  ]);
  const allowed = await project.run([...file, '--allow', 'import-rows', '--confirm', NAME], workspace.variables);
  expect([allowed.code, allowed.out]).toEqual([0, expect.stringContaining('Rows: 2 committed, 0 failed.')]);
});

test('replacements in production wait for the name of the workspace', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'sync.config.yaml': config('', ', production: true'),
    'manifests/all.yaml': definition('D', 'Part') + group('Q', 'a'),
  });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  await project.write('manifests/all.yaml', definition('D', 'Number') + group('Q', 'b'));

  const silent = await planOf(project, workspace);
  expect(silent.steps.map(({ address, action, reason }) => [address, action, reason])).toEqual([
    ['ImportDefinition/D', 'blocked', 'guarded'],
    ['UserGroup/Q', 'update', 'differs'],
  ]);
  expect(silent.guards).toEqual([
    {
      guard: 'production',
      severity: 'deny',
      message: `1 step deletes or replaces objects or records in the production workspace "${NAME}". This needs \`--confirm "${NAME}"\`.`,
      override: `--confirm "${NAME}"`,
      addresses: ['ImportDefinition/D'],
    },
  ]);
  const wrong = await project.run(['apply', '--yes', '--confirm', 'Sandbox'], workspace.variables);
  expect([wrong.code, wrong.out]).toEqual([
    4,
    expect.stringContaining(`\`--confirm "Sandbox"\` was given, but this is workspace "${NAME}" (`),
  ]);
  const right = await project.run(['apply', '--yes', '--confirm', NAME], workspace.variables);
  expect(right.code).toBe(0);
  expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
});

test('an apply that would cost more than agreed sends no write', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'sync.config.yaml': config('guards: { maxRequests: 1 }\n'),
    'manifests/all.yaml': group('A', 'a') + group('B', 'b'),
  });
  const dear = await project.run(['apply', '--yes'], workspace.variables);
  expect([dear.code, dear.out]).toEqual([
    4,
    expect.stringContaining('This apply would take 2 requests (the limit is 1). This needs `--allow max-requests`.'),
  ]);
  expect(await writes(workspace)).toBe(0);
  const stricter = await project.run(['apply', '--yes', '--max-requests', '0'], workspace.variables);
  expect(stricter.out).toContain('(the limit is 0)');
  expect((await project.run(['apply', '--yes', '--max-requests', '2'], workspace.variables)).code).toBe(0);
});

const RULES = `rules:
  - name: owners
    when: '!("team" in step.labels)'
    effect: deny
    message: Every group has a team.
  - name: quality
    when: step.name == "Quality"
    effect: warn
    message: The quality manager wants to know of this
  - name: small steps
    scope: plan
    when: plan.steps.exists(s, s.labels.size() == 0) && plan.environment == "other"
    effect: deny
    message: Never asked for here.
`;

test("the user's own rules refuse steps and warn about others", async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'sync.config.yaml': config(RULES),
    'manifests/all.yaml': group('Quality', 'a', { labels: { team: 'q' } }) + group('Stray', 'b'),
  });
  const { code, out } = await project.run(['apply', '--yes'], workspace.variables);
  expect(code).toBe(4);
  const owners = 'Rule "owners": Every group has a team. No option overrides a rule; change the configuration instead.';
  expect(out).toContain('  ✗ UserGroup/Stray  blocked (create)\n');
  expect(out.split(owners)).toHaveLength(2);
  expect(out).toContain(
    `  ✗ ${owners}\n  ! Rule "quality": The quality manager wants to know of this. (UserGroup/Quality)\n\nPlan: `,
  );
  expect(out).toContain('Result: 1 done, 1 blocked.');
  const { guards } = await planOf(project, workspace);
  expect(guards).toMatchObject([{ guard: 'rule', rule: 'owners', severity: 'deny', addresses: ['UserGroup/Stray'] }]);
});

test('a rule that cannot be read is a mistake of the configuration, also for validate', async () => {
  const project = await testProject({
    'sync.config.yaml': config('rules:\n  - { name: r, effect: deny, message: m, when: step.actio == "delete" }\n'),
    'manifests/all.yaml': group('Q', 'a'),
  });
  const { code, out, err } = await project.run(['validate']);
  expect([code, err]).toEqual([3, expect.stringContaining('[CONFIG_INVALID, exit 3]')]);
  expect(out + err).toContain(
    'sync.config.yaml:6:48  error  rule-type\n  Rule "r": No such key: actio (character 6).\n',
  );
});

const groups = (count: number): string =>
  Array.from({ length: count }, (_, index) => group(`G${index}`, 'a')).join('') || '# nothing\n';

const groupsIn = async (workspace: TestWorkspace): Promise<string[]> => {
  const { body } = await workspace.call('GET', '/settings/usergroups');
  return body.results.map(({ name }: { name: string }) => name).filter((name: string) => /^G\d+$/.test(name));
};

test('deletes of many are blocked with numbers, those of few are not', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'sync.config.yaml': config(), 'manifests/all.yaml': groups(12) });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);

  await project.write('manifests/all.yaml', groups(7));
  const many = await project.run(['apply', '--yes', '--prune'], workspace.variables);
  const said = '5 of 12 UserGroup objects would be deleted (42%, the limit is 30%). This needs `--allow deletes`.';
  expect(many.code).toBe(4);
  expect(many.out).toContain(`\n  ✗ deletes  ${said}\n\nPlan: 5 blocked, 7 unchanged.\n`);
  expect(await groupsIn(workspace)).toHaveLength(12);

  await project.write('manifests/all.yaml', groups(9));
  expect((await project.run(['apply', '--yes', '--prune'], workspace.variables)).code).toBe(0);
  expect(await groupsIn(workspace)).toHaveLength(9);

  await project.write('manifests/all.yaml', groups(2));
  const allowed = await project.run(['apply', '--yes', '--prune', '--allow', 'deletes'], workspace.variables);
  expect(allowed.code).toBe(0);
  expect(await groupsIn(workspace)).toEqual(['G0', 'G1']);
  expect((await project.run(['plan', '--prune', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
});

test('an absence of manifests never means to delete everything', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({ 'sync.config.yaml': config(), 'manifests/all.yaml': groups(3) });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  await project.write('manifests/all.yaml', groups(0));
  const { code, out } = await project.run(['apply', '--yes', '--prune'], workspace.variables);
  expect([code, out]).toEqual([
    4,
    expect.stringContaining(
      '  ✗ empty-input  No manifest describes any object, and 3 objects would be deleted (use `dexsync destroy` to do that). This needs `--allow empty-input`.\n',
    ),
  ]);
  expect(await groupsIn(workspace)).toHaveLength(3);
  const allowed = ['apply', '--yes', '--prune', '--allow', 'empty-input'];
  expect((await project.run(allowed, workspace.variables)).code).toBe(0);
  expect(await groupsIn(workspace)).toEqual([]);
});

test('a selection without manifests does not count as empty input, where others describe something', async () => {
  const workspace = await testWorkspace();
  const kept = definition('D', 'Part');
  const project = await testProject({ 'sync.config.yaml': config(), 'manifests/all.yaml': groups(2) + kept });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  await project.write('manifests/all.yaml', kept);
  const pruned = await project.run(['apply', '--yes', '--prune', '--only', 'UserGroup/*'], workspace.variables);
  expect([pruned.code, pruned.out]).toEqual([0, expect.stringContaining('Result: 2 done.')]);
  expect(await groupsIn(workspace)).toEqual([]);
});

test('a refused delete stays in the ledger: the next plan wants it again', async () => {
  const workspace = await testWorkspace();
  const production = config(RULES_OF_DELETES, ', production: true');
  const project = await testProject({ 'sync.config.yaml': production, 'manifests/all.yaml': groups(3) });
  expect((await project.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
  await project.write('manifests/all.yaml', groups(1));
  const { steps } = await planOf(project, workspace, '--prune');
  expect(steps.map(({ address, action, reason, wanted }) => [address, action, reason, wanted])).toEqual([
    ['UserGroup/G1', 'blocked', 'guarded', 'delete'],
    ['UserGroup/G2', 'blocked', 'guarded', 'delete'],
  ]);
  expect((await project.run(['apply', '--yes', '--prune'], workspace.variables)).code).toBe(4);
  const confirmed = await project.run(['apply', '--yes', '--prune', '--confirm', NAME], workspace.variables);
  expect(confirmed.code).toBe(4);
  expect(confirmed.out).toContain('Result: 1 done, 1 blocked.');
  expect(await groupsIn(workspace)).toEqual(['G0', 'G2']);
  const { steps: left } = await planOf(project, workspace, '--prune', '--confirm', NAME);
  expect(left.map(({ address, reason }) => [address, reason])).toEqual([['UserGroup/G2', 'refused-by-rule']]);
});

const RULES_OF_DELETES = `rules:
  - name: keep G2
    when: step.action == "delete" && step.name == "G2"
    effect: deny
    message: It stays.
    environments: [remote]
`;

test.each([
  [['plan', '--allow', 'deletions'], 'Did you mean "deletes"?'],
  [
    ['apply', '--yes', '--allow', 'everything at all'],
    '"deletes", "changed-deletes", "replacements", "import-rows", "empty-input", "max-requests"',
  ],
  [['import', 'a.csv', '--definition', 'D', '--max-requests', '-1'], 'Give a whole number from 0 to 999999999.'],
])('%j is a mistake of the command line', async (args, said) => {
  const { code, err } = await (await testProject()).run(args);
  expect([code, err]).toEqual([3, expect.stringContaining(said)]);
});
