import { describe, expect, test } from 'vitest';
import { pairProject } from '../harness/environment-pair.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const SUPPLIERS = `apiVersion: dexsync/v1
kind: Supplier
forEach: { file: ../data/suppliers.csv }
metadata: { name: "\${row.Name}", protect: "\${row.Keep}" }
spec:
  description: From the list of purchasing
  website: "\${row.Web}"
  addresses:
    - { label: "\${row.Place}", city: "\${row.City}", country: Austria }
  phoneNumbers:
    - number: "\${row.Phone}"
`;
const HEADER = 'Name,Web,Place,City,Phone,Keep';
const ROWS = ['Alpha,a.example,HQ,Graz,1,', 'Alpha,,Dock,Linz,1,', 'Beta,b.example,HQ,Wels,,', 'Gamma,,,,3,true'];
const listOf = (rows: readonly string[]): string => `${[HEADER, ...rows].join('\n')}\n`;

async function suppliers() {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/suppliers.yaml': SUPPLIERS, 'data/suppliers.csv': listOf(ROWS) });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const rows = (changed: readonly string[]) => project.write('data/suppliers.csv', listOf(changed));
  const found = async (name: string) => {
    const { body } = await workspace.call('GET', '/suppliers');
    return body.results.find((one: { name: string }) => one.name === name);
  };
  const writes = async () => (await workspace.usage()).filter(({ method }) => method !== 'GET').length;
  const steps = async (...args: string[]): Promise<string[]> => {
    const { out } = await run('plan', '--json', ...args);
    return JSON.parse(out).steps.map(({ address, action }: Record<string, string>) => `${address} ${action}`);
  };
  return { workspace, project, run, rows, found, writes, steps };
}

describe('suppliers of a list', () => {
  test('are created, then nothing is planned; a changed cell changes one field, also of one entry', async () => {
    const { run, rows, steps, workspace, found } = await suppliers();
    expect(await run('validate')).toMatchObject({ code: 0, out: 'Valid: 3 manifests in 1 file.\n' });
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    expect(await run('plan', '--detailed-exitcode')).toMatchObject({
      code: 0,
      out: expect.stringContaining('(3 unchanged)'),
    });
    const { guid } = await found('Alpha');
    const { body } = await workspace.call('GET', `/suppliers/${guid}/addresses`);
    expect(
      body.results.map(({ address }: { address: Record<string, string> }) => [address.label, address.city]),
    ).toEqual([
      ['HQ', 'Graz'],
      ['Dock', 'Linz'],
    ]);

    await rows([...ROWS.slice(0, 1), 'Alpha,,Dock,Enns,2,', ...ROWS.slice(2)]);
    const { out } = await run('plan');
    expect(out).toContain('~ addresses[Dock].city: "Linz" -> "Enns"\n      + phoneNumbers[2]');
    expect(out).toContain('Plan: 1 to update, 2 unchanged.');
    expect(await run('apply', '--yes', '--only', 'Supplier/Alpha')).toMatchObject({ code: 0 });
    expect(await steps()).toEqual([]);
    // An emptied cell leaves its field as it is, the last row of a list removes the entry.
    await rows(['Alpha,,HQ,Graz,,', ...ROWS.slice(2)]);
    expect((await run('plan')).out).toMatch(
      / {6}- addresses\[Dock\].*\n {6}- phoneNumbers\[1\].*\n {6}- phoneNumbers\[2\].*\n\nPlan: 1 to update/,
    );
  });

  test('that lost their rows are removed as if their manifests were: only if asked, within limits, protected ones never', async () => {
    const { run, rows, steps, project, found } = await suppliers();
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    await rows(ROWS.slice(0, 2));
    expect(await steps()).toEqual([]);
    expect((await run('plan')).out).toContain(
      'Note: 2 objects of this stack are no longer in any manifest: Supplier/Beta, Supplier/Gamma.',
    );
    expect(await steps('--prune')).toEqual(['Supplier/Beta delete', 'Supplier/Gamma blocked']);
    const config = await project.read('sync.config.yaml');
    await project.write('sync.config.yaml', `${config}guards: { deletes: { count: 0 } }\n`);
    const limited = await run('apply', '--prune', '--yes');
    expect([limited.code, limited.out]).toEqual([4, expect.stringContaining('This needs `--allow deletes`.')]);
    expect(await found('Beta')).toBeDefined();
    expect(await run('apply', '--prune', '--yes', '--allow', 'deletes')).toMatchObject({ code: 4 });
    expect([await found('Beta'), await found('Gamma')]).toEqual([undefined, expect.anything()]);
  });

  test('whose rows contradict each other are an error that names both cells, and nothing is sent', async () => {
    const { run, rows, writes } = await suppliers();
    await rows([...ROWS, 'Beta,other.example,HQ,Graz,,', ',x.example,,,,']);
    const { code, out } = await run('apply', '--yes');
    expect([code, await writes()]).toEqual([3, 0]);
    expect(out).toContain(
      'manifests/suppliers.yaml:7:12  error  rows-contradict\n  Supplier/Beta has two values for "website": "b.example" (data/suppliers.csv, row 4, column "Web") and "other.example" (data/suppliers.csv, row 6, column "Web").',
    );
    expect(out).toContain('"addresses[0].city": "Wels" (data/suppliers.csv, row 4, column "City") and "Graz"');
    expect(out).toContain('manifests/suppliers.yaml:4:19  error  row-unnamed');
  });

  test('that somebody changed in the workspace are drift; a pull leaves manifest and list alone and names the row to change', async () => {
    const { run, workspace, project, found } = await suppliers();
    expect(await run('apply', '--yes')).toMatchObject({ code: 0 });
    for (const [name, website] of [['Alpha', 'hand.example'] as const, ['Gamma', 'gamma.example'] as const]) {
      const { guid } = await found(name);
      expect((await workspace.call('PUT', `/suppliers/${guid}`, { name, website })).status).toBe(200);
    }
    const { guid } = await found('Beta');
    expect((await workspace.call('POST', `/suppliers/${guid}/phonenumbers`, { number: '9' })).status).toBe(201);
    const drift = await run('drift');
    expect([drift.code, drift.out]).toEqual([
      2,
      expect.stringMatching(
        /Supplier\/Alpha[\s\S]*website[\s\S]*hand\.example[\s\S]*Supplier\/Beta[\s\S]*phoneNumbers/,
      ),
    ]);
    const explained = await run('plan', '--explain', 'Supplier/Alpha');
    expect(explained.out).toContain('manifests/suppliers.yaml:1 (data/suppliers.csv, rows 2 and 3), owned by this');
    expect(explained.out).toContain('manifests/suppliers.yaml:7 (data/suppliers.csv, row 2, column "Web")');

    const { code, err } = await run('pull', '--kind', 'Supplier');
    expect(code).toBe(0);
    expect(err).toContain(
      'website differs in environment "remote" and was not edited, because it comes from data/suppliers.csv, row 2, column "Web". The workspace has "hand.example".',
    );
    expect(err).toContain('Change it there, or in the manifest for all of its objects, or put this into an overlay');
    expect(err).toContain('phoneNumbers differs in environment "remote" and was not edited, because it comes from');
    expect([await project.read('manifests/suppliers.yaml'), await project.read('data/suppliers.csv')]).toEqual([
      SUPPLIERS,
      listOf(ROWS),
    ]);
    await workspace.call('DELETE', `/suppliers/${guid}`);
    expect((await run('pull', '--kind', 'Supplier')).err).toContain(
      'Remove data/suppliers.csv, row 4 if it was deleted on purpose.',
    );
    expect(await run('fmt', '--check')).toMatchObject({ code: 0 });
    expect((await run('render', '--only', 'Supplier/Beta')).out).toContain(
      '# manifests/suppliers.yaml:1 (data/suppliers.csv, row 4)\n',
    );
  });
});

test('members of groups and categories that must be there are rows too, of one list with several kinds of manifests', async () => {
  const workspace = await testWorkspace();
  const project = await testProject({
    'manifests/groups.yaml': `apiVersion: dexsync/v1
kind: UserGroup
forEach: { file: people.csv, where: { Group: { not: "" } } }
metadata: { name: "\${row.Group}" }
spec: { members: ["\${row.E-mail}"], enabled: "\${row.Active}" }
`,
    'manifests/people.csv':
      'Group;E-mail;Active\nBoard;ann@example.com;TRUE\nBoard;ben@example.com;\n;cleo@example.com;\nAudit;ann@example.com;\n',
    'manifests/categories.yaml': `apiVersion: dexsync/v1
kind: ItemCategory
forEach: { file: categories.csv, fillDown: [Parent], columns: { Path: 'Item\\{Name}' } }
metadata: { name: "\${row.Path}" }
spec: { activated: "\${row.Active}" }
---
apiVersion: dexsync/v1
kind: ItemAttribute
forEach: { file: attributes.csv }
metadata: { name: "\${row.Name}" }
spec: { fieldType: "\${row.Type}", possibleValues: ["\${row.Value}"] }
`,
    'manifests/categories.csv': 'Parent,Name,Active\nItem,Resistor,true\n,Turbine,true\n',
    'manifests/attributes.csv': 'Name,Type,Value\nRoHS Status,FIXED_DROP_DOWN,Compliant\nRoHS Status,,Exempt\n',
  });
  const run = (...args: string[]) => project.run(args, workspace.variables);
  const { out } = await run('plan', '--json');
  expect(JSON.parse(out).steps.map(({ address, action }: Record<string, string>) => `${address} ${action}`)).toEqual([
    'ItemAttribute/RoHS Status manual',
    'ItemCategory/Item\\Turbine manual',
    'UserGroup/Audit create',
    'UserGroup/Board create',
  ]);
  expect(await run('apply', '--yes', '--only', 'UserGroup')).toMatchObject({ code: 0 });
  await project.write(
    'manifests/people.csv',
    'Group;E-mail;Active\nBoard;ann@example.com;TRUE\nAudit;ann@example.com;\n',
  );
  const changed = await run('plan', '--only', 'UserGroup');
  expect(changed.out).toContain('- members[ben@example.com]');
  expect(changed.out).toContain('Plan: 1 to update, 1 unchanged.');
});

describe('a list that cannot be used is an error with what to do, and nothing is sent', () => {
  test.each([
    ['../data/none.csv', 'source-unreadable', 'data/none.csv does not exist.'],
    ['../../../../../etc/hostname', 'path-outside', 'is outside the project folder'],
    ['../data/empty.csv', 'rows-none', 'data/empty.csv has no rows'],
    ['../data/suppliers.csv, worksheet: A', 'source-unreadable', 'worksheet'],
    ['../data/broken.csv', 'source-unreadable', 'this row has 7 cells'],
    ['../data/many.csv', 'rows-many', 'data/many.csv has more than 100000 rows'],
  ])('%s', async (file, code, message) => {
    const { project, run, writes } = await suppliers();
    await project.write('data/empty.csv', `${HEADER}\n`);
    if (code === 'rows-many') await project.write('data/many.csv', listOf(Array<string>(100_001).fill('A,,,,,')));
    await project.write('data/broken.csv', `${HEADER}\n1,2,3,4,5,6,7\n`);
    await project.write('manifests/suppliers.yaml', SUPPLIERS.replace('../data/suppliers.csv', file));
    const result = await run('apply', '--yes');
    expect([result.code, result.out]).toEqual([
      3,
      expect.stringContaining(`manifests/suppliers.yaml:3:18  error  ${code}`),
    ]);
    expect(result.out).toContain(message);
    expect(await writes()).toBe(0);
  });
});

test('what the reader of a list guessed is a warning at its name, and its texts are those of the file', async () => {
  const { project, run } = await suppliers();
  await project.write('data/suppliers.csv', Buffer.from(listOf(['M\u00fcller,,,,,']), 'latin1'));
  const { code, out } = await run('validate');
  expect([code, out]).toEqual([0, expect.stringContaining('manifests/suppliers.yaml:3:18  warning  encoding-guessed')]);
  expect((await run('render')).out).toContain('name: M\u00fcller\n');
});

test('each environment may have a list of its own, whose cells win in a promotion as variables do; a shared list promotes what is there', async () => {
  const shared = SUPPLIERS.replaceAll('suppliers.csv', 'shared.csv');
  const { project, run, dev } = await pairProject({
    prod: 'variables: { site: prod }',
    files: {
      'manifests/own.yaml': SUPPLIERS.replace('../data/suppliers.csv', '"../data/${var.site}.csv"'),
      'manifests/shared.yaml': shared,
      'data/dev.csv': listOf(['Own,dev.example,,,,']),
      'data/prod.csv': listOf(['Own,prod.example,,,,']),
      'data/shared.csv': listOf(['Shared,shared.example,,,,']),
    },
  });
  await project.write('sync.config.yaml', `${await project.read('sync.config.yaml')}variables: { site: dev }\n`);
  expect(await run('apply', '--yes', '--env', 'dev')).toMatchObject({ code: 0 });
  const { body } = await dev.call('GET', '/suppliers');
  for (const { guid, name } of body.results.filter(({ name }: { name: string }) => ['Own', 'Shared'].includes(name))) {
    expect((await dev.call('PUT', `/suppliers/${guid}`, { name, website: 'hand.example' })).status).toBe(200);
  }
  const { out } = await run('promote', '--from', 'dev', '--to', 'prod', '--only', 'Supplier');
  expect(out).toMatch(
    /Supplier\/Own[\s\S]*website: "prod\.example"[\s\S]*Supplier\/Shared[\s\S]*website: "hand\.example"/,
  );
  expect(await run('validate')).toMatchObject({ code: 0, out: 'Valid: 2 manifests in 2 files.\n' });
});

test('five thousand rows become one object for each name', async () => {
  const rows = Array.from(
    { length: 5000 },
    (_, index) => `S${index % 2500},w${index % 2500}.example,P${index},Graz,${index},`,
  );
  const { run, rows: write } = await suppliers();
  await write(rows);
  expect(await run('validate')).toMatchObject({ code: 0, out: 'Valid: 2500 manifests in 1 file.\n' });
}, 60_000);
