import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { variablesOf } from '../harness/environment-pair.js';
import { sample } from '../harness/sample.js';
import { finished, testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const example = (file: string): string => readFileSync(`examples/own-kind/${file}`, 'utf8');
const supplier = (name: string, spec: object, metadata: object = {}): string =>
  JSON.stringify({ apiVersion: 'dexsync/v1', kind: 'Supplier', metadata: { name, ...metadata }, spec });

const CONFIG = `stack: suppliers
manifests: [manifests]
kinds: [./kinds/supplier.mjs]
defaultEnvironment: reference
environments:
  reference: { workspace: embedded }
  arena: { workspace: embedded, profile: arena, overlay: overlays/arena.yaml }
`;

const project = () =>
  testProject({
    'sync.config.yaml': CONFIG,
    'kinds/supplier.mjs': example('kinds/supplier.mjs'),
    'manifests/suppliers.yaml': example('manifests/suppliers.yaml'),
    'overlays/arena.yaml': supplier('Acme Fasteners', { description: 'In this dialect' }),
  });

const TRUST = { DEXSYNC_TRUST: 'yes' };

test.each(sample(['reference', 'arena'], 1))(
  'a kind of a project is applied and converges, with the profile %s',
  async (env) => {
    const { run, read, write } = await project();
    const workspace = await testWorkspace([], env);
    const config = await read('sync.config.yaml');
    await write(
      'sync.config.yaml',
      config.replaceAll(/workspace: embedded(, profile: arena)?/g, 'url: "${env.TEST_URL}"'),
    );
    const variables = { ...TRUST, ...workspace.variables, ...variablesOf(env.toUpperCase(), workspace), CI: '' };
    const dexsync = async (...args: string[]) => {
      const { code, out, err } = await run([...args, '--env', env], variables);
      return { code, text: `${out}${err}` };
    };
    const converged = async () => {
      const again = await dexsync('apply', '--yes', '--json');
      const summary = JSON.parse(again.text.trim().split('\n').at(-1) ?? '');
      expect(summary).toMatchObject({ exitCode: 0, done: 0, requests: { used: 1 } });
    };
    expect(await dexsync('validate')).toMatchObject({ code: 0 });
    expect((await dexsync('apply', '--yes')).text).toContain('Result: 2 done.');
    await converged();
    const { text } = await dexsync('get', 'Supplier', '-o', 'yaml');
    const specs = parseAllDocuments(text).map((one) => one.toJS().spec);
    expect(specs.map(({ description, approvalStatus }) => [description, approvalStatus])).toEqual([
      [env === 'arena' ? 'In this dialect' : '', 'approved'],
      ['', 'unrated'],
    ]);

    // A change, and one that somebody else makes.
    await write(
      'manifests/suppliers.yaml',
      `${supplier('Acme Fasteners', { website: 'https://acme.example.net', approvalStatus: 'approved' })}\n---\n${supplier('Bolts', { supplierId: 'S-17' }, { renamedFrom: 'Bolt Brothers' })}`,
    );
    const changed = await dexsync('plan');
    expect(changed.text).toContain('~ website: "https://acme.example.com" -> "https://acme.example.net"');
    expect(changed.text).toContain('Plan: 1 to update, 1 to rename.');
    expect((await dexsync('apply', '--yes')).code).toBe(0);
    await converged();
    const guid = (await dexsync('output', 'Supplier/Bolts')).text.match(/[A-Z0-9]{20}/)?.[0];
    expect(
      (await dexsync('api', 'PUT', `/suppliers/${guid}`, '-f', 'name=Bolts', '-f', 'supplierId=S-18', '--yes')).code,
    ).toBe(0);
    expect(await dexsync('drift')).toMatchObject({ code: 2, text: expect.stringContaining('Supplier/Bolts') });
    expect((await dexsync('apply', '--yes')).text).toContain('✓ Supplier/Bolts  updated');
    await converged();

    // No manifest describes one of the two now.
    await write('manifests/suppliers.yaml', supplier('Acme Fasteners', { website: 'https://acme.example.net' }));
    expect((await dexsync('apply', '--yes', '--prune', '--allow', 'deletes')).text).toContain(
      '✓ Supplier/Bolts  deleted',
    );
    expect((await dexsync('history', '--address', 'supplier/Bolts')).text).toContain('delete');
    expect((await dexsync('destroy', '--yes', '--confirm', 'Embedded Workspace')).text).toContain(
      '✓ Supplier/Acme Fasteners  deleted',
    );
  },
);

describe('without trust', () => {
  test.each([[['validate']], [['plan']], [['get', 'Supplier']], [['env', 'check']], [['apply', 'plan.json', '--yes']]])(
    '`dexsync %j` ends before it runs anything',
    async (args) => {
      const { run, write } = await project();
      if (args.includes('plan.json')) expect((await run(['plan', '--out', 'plan.json'], TRUST)).code).toBe(0);
      await write('kinds/supplier.mjs', 'throw new Error("It ran.");');
      const { code, out, err } = await run(args);
      expect({ code, text: `${out}${err}` }).toMatchObject({
        code: 3,
        text: expect.stringContaining('The configuration loads code: ./kinds/supplier.mjs. It was not run.'),
      });
    },
  );

  test('the configuration cannot trust itself', async () => {
    const { run, write } = await project();
    await write('sync.config.yaml', `${CONFIG}trust: true\n`);
    const { code, out } = await run(['validate']);
    expect([code, out]).toEqual([3, expect.stringContaining('has no field "trust"')]);
  });
});

test('the log of a kind is not part of the data', async () => {
  const { start, write } = await project();
  await write('kinds/supplier.mjs', `console.log('It was loaded.');\n${example('kinds/supplier.mjs')}`);
  const { out, err } = await finished(start(['validate', '--json'], TRUST));
  expect(JSON.parse(out)).toMatchObject({ type: 'valid' });
  expect(err).toContain('It was loaded.');
});

test('a finding has the place in the manifest; kinds and explain know the kind', async () => {
  const { run, write } = await project();
  await write(
    'manifests/suppliers.yaml',
    'apiVersion: dexsync/v1\nkind: Supplier\nmetadata: { name: A }\nspec:\n  webiste: x\n',
  );
  const { code, out } = await run(['validate', '--trust']);
  expect(code).toBe(3);
  expect(out).toContain('manifests/suppliers.yaml:5:3  error  field-unknown\n  Supplier/A has no field "webiste".');
  expect((await run(['kinds', '--trust'])).out).toContain('unrated until somebody rates it.');
  expect((await run(['kinds'])).out).not.toContain('unrated until somebody rates it.');
  expect((await run(['explain', 'supplier.website', '--trust'])).out).toContain("Address of the supplier's site.");
});

test('an object of a kind that the project dropped is neither planned nor deleted silently', async () => {
  const { run, write } = await project();
  const own = example('kinds/supplier.mjs')
    .replace("'Supplier'", "'Requirement'")
    .replace("'/suppliers'", "'/settings/items/requirements'");
  await write('kinds/supplier.mjs', own);
  await write('manifests/suppliers.yaml', '');
  expect((await run(['adopt', 'Requirement/RoHS'], TRUST)).code).toBe(0);
  await write('sync.config.yaml', CONFIG.replace(/^kinds.*\n/m, ''));
  await write('manifests/suppliers.yaml', 'apiVersion: dexsync/v1\nkind: UserGroup\nmetadata: { name: A }\nspec: {}\n');
  expect((await run(['plan'])).out).toContain('Plan: 1 to create.');
  expect(await run(['plan', '--prune'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('This stack owns Requirement/RoHS, but there is no kind "Requirement".'),
  });
});
