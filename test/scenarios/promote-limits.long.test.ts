import { expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { pairProject } from '../harness/environment-pair.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { finished } from '../harness/test-project.js';

const FROM_TO = ['promote', '--from', 'dev', '--to', 'prod'];
const group = (name: string, spec: object = {}): string => manifest('UserGroup', name, spec);

test('a reference to a deleted object, and objects of one name, are refused before prod is reached', async () => {
  const { run, dev, prod } = await pairProject({
    files: { 'manifests/a.yaml': itemsDefinition('Old', { Part: 'number', RoHS: '@RoHS Status' }) },
  });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const rohs = (await dev.pages('/settings/items/attributes')).find(({ name }) => name === 'RoHS Status');
  await dev.administer('DELETE', `/embedded/attributes/${rohs.guid}`);
  for (const _ of [1, 2]) {
    await dev.call('POST', '/imports', { name: 'Twin', resource: 'ITEM_SPECS', mode: 'EDIT', options: {} });
  }
  const { code, out, err } = await run(...FROM_TO, '--only', 'ImportDefinition', '--out', 'plan.json');
  expect(code).toBe(3);
  expect(out).toContain(
    'error  reference-dead\n  ImportDefinition/Old of environment "dev" refers to an object that was deleted (options.mapping[1].attribute).',
  );
  expect(out).toMatch(
    /error {2}name-ambiguous\n {2}Environment "dev" has 2 objects named ImportDefinition\/Twin \(#\d+, #\d+\)/,
  );
  expect(err).toContain('2 errors in what would be promoted; nothing was sent.');
  expect(await prod.usage()).toEqual([]);
  // What the ledger has of it names the attribute, which prod has.
  expect((await run(...FROM_TO, '--from-applied')).code).toBe(0);
});

const trigger = (conditions: unknown): object => ({ name: 'T', resource: 'ITEM', action: 'EDIT', conditions });
const number = { attribute: 'number', operator: 'STARTS_WITH', value: '1' };

test('fields that the service of dev does not return are neither promoted nor silently reported as equal', async () => {
  const { run, prod } = await pairProject({ dialects: ['arena', 'reference'] });
  const edited = { ...trigger([number]), name: 'Item edited', description: 'Any edit of an item' };
  expect((await prod.call('POST', '/settings/integrations/triggers', edited)).status).toBe(201);
  const hidden =
    'The service of environment "dev" does not return category, attributes, conditions of Trigger objects, so they are not';
  const compared = await run('diff', '--from', 'dev', '--to', 'prod', 'Trigger/Item edited');
  expect([compared.code, compared.err]).toEqual([0, expect.stringContaining(`${hidden} compared.`)]);
  const promoted = await run(...FROM_TO, '--only', 'Trigger/Item edited', '--adopt');
  expect([promoted.code, promoted.out]).toEqual([0, expect.stringContaining(`${hidden} promoted.`)]);
});

test('an object that was renamed in prod and not yet in dev does not come back under its old name', async () => {
  const { run, project } = await pairProject({ files: { 'manifests/a.yaml': group('Old') } });
  for (const env of ['dev', 'prod']) expect((await run('apply', '--env', env, '--yes')).code).toBe(0);
  await project.write('manifests/a.yaml', manifest('UserGroup', 'New', {}, { renamedFrom: 'Old' }));
  expect((await run('apply', '--env', 'prod', '--yes')).code).toBe(0);
  const early = await run(...FROM_TO);
  expect(early.out).toContain(
    'UserGroup/Old is not promoted: the manifests rename it to "New", and environment "dev" has the old name.\n  Rename it there first: `dexsync apply --env dev`.',
  );
  expect(early.out).not.toContain('+ UserGroup/Old');
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  expect((await run(...FROM_TO)).out).toContain(
    'No changes. The workspace matches the promoted objects (1 unchanged).',
  );
});

test('the adopted one of several objects of a name is promoted; numbers that dev reserved are not', async () => {
  const { run, dev, prod } = await pairProject();
  for (const description of ['the first', 'the second']) {
    await dev.call('POST', '/imports', {
      name: 'Twin',
      description,
      resource: 'ITEM_SPECS',
      mode: 'EDIT',
      options: {},
    });
  }
  const [, second] = (await dev.pages('/imports')).filter(({ name }) => name === 'Twin');
  const { body } = await dev.call('GET', `/imports/${second.guid}`);
  expect((await run('adopt', 'ImportDefinition/Twin', '--number', String(body.number), '--env', 'dev')).code).toBe(0);
  const categories = await dev.pages('/settings/items/categories');
  const category = { guid: categories.find(({ path }) => path === 'Item\\Resistor').guid };
  const reserved = await dev.call('POST', '/settings/items/numberreservations', { name: 'R', category, quantity: 2 });
  expect(reserved.status).toBe(201);
  const planned = await run(...FROM_TO, '--only', '*', '--exclude', 'UserGroup', '--out', 'plan.json');
  expect(planned.code, planned.out + planned.err).toBe(0);
  expect(planned.out).toContain(`+ description: "${body.description}"`);
  expect(planned.out).toContain(
    'NumberReservation/R is not promoted: what it holds was consumed in environment "dev".',
  );
  expect(planned.out).not.toContain('+ NumberReservation');
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect((await prod.pages('/imports')).map(({ name }) => name)).toContain('Twin');
});

test('objects from the command line that do not exist are reported', async () => {
  const { run } = await pairProject({ files: { 'manifests/a.yaml': group('Quality') } });
  const cases: [args: string[], message: string, hint: string][] = [
    [[], 'The stack "test" owns nothing in environment "dev", so there is nothing to promote.', '--only KIND/NAME'],
    [
      ['--only', 'UserGroup/Qualty'],
      '`--only` "UserGroup/Qualty" matches no object of environment "dev"',
      'Did you mean',
    ],
    [['--only', 'UserGroup/Quality'], 'Nothing of environment "dev" is selected', '`--only` selects'],
    [['--env', 'prod'], '`--env` has no meaning', 'Remove `--env`'],
  ];
  for (const [args, message, hint] of cases) {
    const { code, err } = await run(...FROM_TO, ...args);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(err).toContain(hint);
  }
  const same = await run('promote', '--from', 'dev', '--to', 'dev');
  expect([same.code, same.err]).toEqual([3, expect.stringContaining('Both environments are "dev"')]);
});

test('an import is promoted by its name alone, as its manifest says; its definition comes along', async () => {
  const { run, prod } = await pairProject({
    files: {
      'manifests/a.yaml':
        itemsDefinition('Parts') +
        manifest('Import', 'Load', { definition: 'Parts', source: { file: 'p.csv' }, commit: 'clean' }),
      'manifests/p.csv': 'Part,Name\nP-1,one\n',
    },
  });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const objects = await run(...FROM_TO);
  expect(objects.out).toContain('+ ImportDefinition/Parts  create');
  expect(objects.out).not.toContain('Import/Load');
  const named = await run(...FROM_TO, '--only', 'Import/Load', '--out', 'plan.json');
  expect(named.code, named.err).toBe(0);
  expect(named.out).toContain('ImportDefinition/Parts comes along: Import/Load refers to it.');
  expect(named.out).toContain('⇪ Import/Load  import');
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect((await prod.pages('/items')).filter(({ number }) => number === 'P-1')).toHaveLength(1);
  expect((await run(...FROM_TO, '--only', 'Import/Load', '--detailed-exitcode')).code).toBe(0);
});

test('production is guarded as usual: a replacement needs its consent', async () => {
  const { run, project } = await pairProject({
    files: { 'manifests/a.yaml': itemsDefinition('Parts') },
    prod: 'production: true',
  });
  for (const env of ['dev', 'prod']) expect((await run('apply', '--env', env, '--yes')).code).toBe(0);
  expect((await run(...FROM_TO, '--detailed-exitcode')).code).toBe(0);
  await project.write('manifests/a.yaml', itemsDefinition('Parts', { Part: 'number', Title: 'name' }));
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const blocked = await run(...FROM_TO, '--out', 'plan.json');
  expect([blocked.code, blocked.out]).toEqual([
    4,
    expect.stringContaining('ImportDefinition/Parts  blocked (replace)'),
  ]);
  const confirmed = await run(...FROM_TO, '--confirm', 'Embedded Workspace', '--out', 'plan.json');
  expect([confirmed.code, confirmed.out]).toEqual([0, expect.stringContaining('± ImportDefinition/Parts  replace')]);
  expect((await run('apply', 'plan.json', '--yes')).code).toBe(0);
  expect((await run('diff', '--from', 'dev', '--to', 'prod', 'ImportDefinition')).code).toBe(0);
});

test('a service that is too old for a value says so', async () => {
  const { run } = await pairProject({
    files: { 'manifests/a.yaml': group('Trainers', { assignability: ['TRAINING'] }) },
    flags: ['--release', '2025.1'],
  });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const { code, out, err } = await run(...FROM_TO);
  expect([code, err]).toEqual([3, expect.stringContaining('PROMOTION_INVALID')]);
  expect(out).toMatch(/error {2}[\w-]+\n {2}UserGroup\/Trainers .*TRAINING.*2025\.2/);
});

test("another stack's object is only referred to, and a comparison with an unknown option of prod is an error", async () => {
  const { run, project, variables, dev, prod } = await pairProject({
    files: {
      'manifests/a.yaml': manifest('Policy', 'Read', { userGroups: ['Shared'] }),
      'other.yaml': `stack: other
manifests: [other]
environments: { dev: { url: "\${env.DEV_URL}" }, prod: { url: "\${env.PROD_URL}" } }
`,
      'other/a.yaml': group('Shared', { description: 'Of the other stack' }),
    },
  });
  const other = ['--config', 'other.yaml'];
  expect((await project.run(['apply', '--env', 'dev', '--yes', ...other], variables)).code).toBe(0);
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const lacking = await run(...FROM_TO);
  expect([lacking.code, lacking.out]).toEqual([
    3,
    expect.stringContaining('Policy/Read refers to UserGroup/Shared, which is neither'),
  ]);
  await prod.call('POST', '/settings/usergroups', { name: 'Shared' });
  const planned = await run(...FROM_TO);
  expect([planned.code, planned.out]).toEqual([0, expect.stringContaining('Plan: 1 to create.')]);

  for (const [on, possibleValues] of [
    [dev, ['Red', 'Blue']],
    [prod, ['Read', 'Blue']],
  ] as const) {
    await on.administer('POST', '/embedded/attributes', {
      world: 'ITEMS',
      name: 'Colour',
      fieldType: 'DROP_DOWN',
      possibleValues,
    });
  }
  await project.write(
    'manifests/t.yaml',
    manifest('Trigger', 'Red ones', {
      ...{ resource: 'ITEM', action: 'EDIT' },
      conditions: [{ attribute: 'Colour', operator: 'IS_IN', value: ['Red', 'Blue'] }],
    }),
  );
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  const refused = await run(...FROM_TO, '--only', 'Trigger/Red ones');
  expect([refused.code, refused.out]).toEqual([
    3,
    expect.stringContaining(
      'error  attribute-value\n  Trigger/Red ones compares the attribute "Colour" with "Red", which is not among its options in environment "prod".\n  Did you mean "Read"?',
    ),
  ]);
});

test('Ctrl-C while prod is read leaves no plan, and both environments free', async () => {
  const { run, project, variables, prod } = await pairProject({ files: { 'manifests/a.yaml': group('Quality') } });
  expect((await run('apply', '--env', 'dev', '--yes')).code).toBe(0);
  let reached = (): void => undefined;
  const isReached = new Promise<void>((done) => {
    reached = done;
  });
  const slow = await alteringProxy(
    prod.url,
    () => undefined,
    ({ path }) => {
      if (!path.startsWith('/settings/usergroups')) return undefined;
      reached();
      return new Promise(() => undefined);
    },
  );
  const child = project.start([...FROM_TO, '--out', 'plan.json'], { ...variables, PROD_URL: slow });
  const ended = finished(child);
  await isReached;
  child.kill('SIGINT');
  expect((await ended).code).toBe(130);
  await expect(project.read('plan.json')).rejects.toThrow();
  for (const env of ['dev', 'prod']) {
    expect((await run('lock', 'show', '--env', env)).out).toBe(`Environment ${env} is not in use.\n`);
    expect((await run('apply', '--env', env, '--yes')).code).toBe(0);
  }
});
