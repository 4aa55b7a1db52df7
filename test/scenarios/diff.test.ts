import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import diffSchema from '../../schema/diff.json' with { type: 'json' };
import { pairProject } from '../harness/environment-pair.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';

const isDocument = new Ajv({ allowUnionTypes: true, strictRequired: false }).compile(diffSchema);

const MANIFESTS = {
  'manifests/all.yaml': [
    manifest('UserGroup', 'Quality', { description: 'Approves', members: ['ann@example.com'] }),
    itemsDefinition('Parts', { Part: 'number', RoHS: '@RoHS Status' }),
    manifest('Trigger', 'Edited', { resource: 'ITEM', action: 'EDIT', category: 'Item\\Resistor' }),
  ].join(''),
};

test.each([
  ['reference', 'reference'],
  ['reference', 'arena'],
] as const)(
  'environments with the same applies are equal, by names, %s and %s; then each difference is shown in every output',
  async (...dialects) => {
    const { run, dev, prod, project, guidsIn } = await pairProject({ files: MANIFESTS, dialects });
    for (const env of ['dev', 'prod'])
      expect((await run('apply', '--yes', '--manual', 'warn', '--env', env)).code).toBe(0);
    const kinds = ['--kind', 'UserGroup', '--kind', 'ImportDefinition'];
    const same = await run('diff', '--from', 'dev', '--to', 'prod', ...kinds);
    expect([same.code, same.out]).toEqual([0, expect.stringContaining('No differences (')]);

    const group = async (on: typeof dev) =>
      (await on.pages('/settings/usergroups')).find(({ name }) => name === 'Quality').guid as string;
    const users = await prod.pages('/settings/users');
    const { guid } = users.find(({ email }) => email === 'ben@example.com');
    await prod.call('POST', `/settings/usergroups/${await group(prod)}/users`, { guid });
    await dev.call('POST', '/settings/usergroups', { name: 'Only here' });
    await dev.call('POST', '/imports', { name: 'Twin', resource: 'ITEM_SPECS', mode: 'EDIT', options: {} });
    await dev.call('POST', '/imports', { name: 'Twin', resource: 'ITEM_SPECS', mode: 'EDIT', options: {} });

    const outputs = ['md', 'html', 'junit', 'sarif', 'github', 'gitlab', 'json'].map(
      (format) => `${format}=r.${format}`,
    );
    const found = await run(
      'diff',
      '--from',
      'dev',
      '--to',
      'prod',
      ...kinds,
      ...outputs.flatMap((one) => ['--output', one]),
    );
    expect(found.code).toBe(2);
    expect(found.out).toContain('  ~ UserGroup/Quality  different\n      - members[ben@example.com]\n');
    expect(found.out).toContain('  + UserGroup/Only here  only in dev\n');
    expect(found.out).toContain('  ? ImportDefinition/Twin  not comparable\n');
    expect(found.err).toContain('Environment "dev" has 2 objects named ImportDefinition/Twin (#');
    const document = JSON.parse(await project.read('r.json'));
    expect(isDocument(document), JSON.stringify(isDocument.errors)).toBe(true);
    expect(document.objects).toMatchObject([
      { address: 'ImportDefinition/Twin', what: 'unclear' },
      { address: 'UserGroup/Only here', what: 'only-from' },
      { address: 'UserGroup/Quality', what: 'different', fields: [{ path: 'members[ben@example.com]' }] },
    ]);
    expect(await project.read('r.md')).toContain(
      '## dexsync diff <code>dev</code> <code>prod</code>: 1 only in dev, 1 different, 1 not comparable\n',
    );
    expect(await project.read('r.junit')).toContain('failures="3"');

    const files = (await readdir(project.folder)).filter((file) => file.startsWith('r.'));
    expect(files).toHaveLength(7);
    const texts = [found.out, found.err, ...(await Promise.all(files.map((file) => project.read(join(file)))))];
    expect(
      await guidsIn(
        texts.join('\n'),
        '/imports',
        '/settings/usergroups',
        '/settings/users',
        '/settings/items/attributes',
      ),
    ).toEqual([]);
    expect(isDocument(JSON.parse((await run('diff', '--from', 'dev', '--to', 'prod', '--json', 'group/Q*')).out))).toBe(
      true,
    );
  },
);

test('an object that cannot be compared prevents equality: exit 4', async () => {
  const { run, dev } = await pairProject();
  for (const _ of [1, 2])
    await dev.call('POST', '/imports', { name: 'Twin', resource: 'ITEM_SPECS', mode: 'EDIT', options: {} });
  const { code, out } = await run('diff', '--from', 'dev', '--to', 'prod', 'ImportDefinition/Twin');
  expect([code, out]).toEqual([4, expect.stringContaining('1 not comparable, 0 equal.')]);
});

test('mistakes on the command line are found before a request is spent', async () => {
  const { run, project, variables } = await pairProject();
  const cases: [args: string[], message: string, hint: string][] = [
    [['--from', 'dev', '--to', 'dev'], 'Both environments are "dev".', '`dexsync env list`'],
    [['--from', 'dev', '--to', 'prd'], 'The configuration has no environment "prd".', 'Did you mean "prod"?'],
    [['--from', 'dev', '--to', 'prod', '--env', 'dev'], '`--env` has no meaning', 'Remove `--env`'],
    [['--from', 'dev', '--to', 'prod', 'label:x'], '"label:x" selects manifests; live objects have no labels.', 'KIND'],
    [['--from', 'dev', '--to', 'prod', 'Grup/x'], 'There is no kind "Grup" (`pattern` "Grup/x").', '`dexsync kinds`'],
    [
      ['--from', 'dev', '--to', 'prod', '--kind', 'User'],
      'User objects are looked up in the workspace and never compared.',
      '',
    ],
  ];
  for (const [args, message, hint] of cases) {
    const { code, err } = await run('diff', ...args);
    expect([code, err]).toEqual([3, expect.stringContaining(message)]);
    expect(err).toContain(hint);
  }
  const unmatched = await run('diff', '--from', 'dev', '--to', 'prod', 'UserGroup/Nowhere');
  expect([unmatched.code, unmatched.err]).toEqual([
    3,
    expect.stringContaining('"UserGroup/Nowhere" matches no object of environment "dev" or "prod".'),
  ]);
  const { DEXSYNC_DEV_EMAIL, DEXSYNC_DEV_PASSWORD, DEXSYNC_DEV_WORKSPACE_ID, DEV_URL } = variables;
  const prodIsDev = {
    ...{ PROD_URL: DEV_URL ?? '', DEXSYNC_PROD_EMAIL: DEXSYNC_DEV_EMAIL ?? '' },
    ...{ DEXSYNC_PROD_PASSWORD: DEXSYNC_DEV_PASSWORD ?? '', DEXSYNC_PROD_WORKSPACE_ID: DEXSYNC_DEV_WORKSPACE_ID ?? '' },
  };
  const same = await project.run(['diff', '--from', 'dev', '--to', 'prod'], { ...variables, ...prodIsDev });
  expect([same.code, same.err]).toEqual([
    3,
    expect.stringContaining('The environments "dev" and "prod" lead to the same workspace, "'),
  ]);
});
