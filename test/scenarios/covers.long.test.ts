import { expect, test } from 'vitest';
import { alteringProxy } from '../harness/altering-proxy.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const COLUMNS = { Part: 'number', Name: 'name', Category: 'category.path' };
const HEAD = 'Part,Name,Category\n';
const OURS = `${HEAD}P-1,one,Item\\Cable\nP-2,two,Item\\Resistor\nQ-1,three,Item\\Cable\n`;
/** What somebody else put into the workspace: one of our numbers, one of our category, one of both. */
const THEIRS = `${HEAD}P-8,eight,Item\\Resistor\nX-1,x,Item\\Cable\nP-9,nine,Item\\Cable\np-7,seven,Item\\Resistor\n`;

const manifests = (spec: object): string =>
  itemsDefinition('Specs', COLUMNS) +
  itemsDefinition('Removal', { Part: 'number' }, 'DELETE') +
  manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../a.csv' }, when: 'always', ...spec });

/** A workspace with items of ours and of others, some of whose answers are altered. */
async function mixed(alter: Parameters<typeof alteringProxy>[1] = () => undefined) {
  const workspace = await testWorkspace();
  const project = await testProject({ 'manifests/m.yaml': manifests({}), 'a.csv': OURS, 'other.csv': THEIRS });
  const variables = { ...workspace.variables, TEST_URL: await alteringProxy(workspace.url, alter) };
  const run = (...args: string[]) => project.run(args, variables);
  for (const args of [['apply'], ['import', 'other.csv', '--definition', 'Specs']]) {
    const { code, err, out } = await run(...args, '--yes', ...(args[0] === 'apply' ? ['--preview', 'none'] : []));
    expect([code, err], out).toEqual([0, '']);
  }
  const plan = async (spec: object) => {
    await project.write('manifests/m.yaml', manifests(spec));
    const { out, err, code } = await run('plan', '--json');
    expect(code, out + err).toBe(0);
    return JSON.parse(out).steps as { address: string; preview: { counts: object; rows: Row[] } }[];
  };
  return { workspace, project, run, plan };
}

interface Row {
  readonly change: string;
  readonly key: readonly string[];
  readonly why?: string;
}

const goneIn = (rows: readonly Row[]): string[] =>
  rows.flatMap(({ change, key, why }) =>
    change === 'gone' ? [`${key.join()}${why === undefined ? '' : `: ${why}`}`] : [],
  );

const ABSENT = 'in the workspace, and not in the file';

test('objects within the cover of a file that it lacks are shown, and deleted in a step of their own on request', async () => {
  const { workspace, project, run, plan } = await mixed();
  const covering = async (covers: object) => {
    const [step, ...others] = await plan({ covers });
    expect(others).toEqual([]);
    return step?.preview;
  };
  const byPrefix = await covering({ numberPrefix: 'P-' });
  expect(byPrefix).toMatchObject({
    // The rows that were sent last, whether there are more, the page, and Q-1, which the search cannot find.
    ...{ with: 'workspace', by: 'pages', requests: 4, covers: 'the items whose number begins with "P-"' },
    counts: { new: 0, changed: 0, unchanged: 3, gone: 2 },
  });
  expect(goneIn(byPrefix?.rows ?? [])).toEqual([`P-8: ${ABSENT}`, `P-9: ${ABSENT}`]);
  const byCategory = await covering({ category: 'Item\\Cable' });
  expect(byCategory).toMatchObject({ counts: { unchanged: 3 }, covers: 'the items of category "Item\\Cable"' });
  const cables = goneIn(byCategory?.rows ?? []);
  expect(cables).toEqual(expect.arrayContaining([`X-1: ${ABSENT}`, `P-9: ${ABSENT}`]));
  expect(cables.join()).not.toMatch(/P-8|P-1:|Q-1/);
  const all = await workspace.pages('/items');
  expect(await covering({ items: 'all' })).toMatchObject({
    counts: { new: 0, unchanged: 3, gone: all.length - 3 },
    covers: 'all items',
  });

  await project.write('a.csv', OURS.replace(/P-2.*\n/, ''));
  await project.write(
    'manifests/m.yaml',
    manifests({ covers: { numberPrefix: 'P-' }, missing: 'delete', deleteDefinition: 'Removal', when: 'changed' }),
  );
  const shown = await run('plan', '--out', 'plan.json');
  expect(shown.out).toContain('2 unchanged, 3 not in the file, which covers the items whose number begins with "P-"');
  expect(shown.out).toContain('3 rows that a.csv does not have through ImportDefinition/Removal.');
  expect(shown.out).toContain('- P-9: Name "nine", Category "Item\\Cable"');
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', `${config}guards: { missingRows: { from: 5 } }\n`);
  const guarded = await run('plan');
  expect([guarded.code, guarded.out]).toEqual([
    4,
    expect.stringContaining(
      '3 of 5 records would be deleted by Import/Parts (missing), since the file no longer has them (60%,',
    ),
  ]);
  await project.write('sync.config.yaml', config);
  const rename = async (name: string): Promise<void> => {
    await project.write('other.csv', `${HEAD}P-9,${name},Item\\Cable\n`);
    expect((await run('import', 'other.csv', '--definition', 'Specs', '--yes', '--force')).code).toBe(0);
  };
  await rename('precious');
  const stale = await run('apply', 'plan.json', '--yes');
  expect([stale.code, stale.err]).toEqual([
    5,
    expect.stringContaining('Import/Parts (missing) would change other cells than this plan shows'),
  ]);
  expect(stale.err).toContain('"P-9", Name was "nine" and is "precious" now');
  await rename('nine');
  const applied = await run('apply', 'plan.json', '--yes');
  expect(applied.code, applied.out + applied.err).toBe(0);
  const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => /^[PQX]-/i.test(one));
  expect(left.sort()).toEqual(['P-1', 'Q-1', 'X-1', 'p-7']);
  expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
});

test('no object counts as gone that was not read whole, that a file with errors covers, or that another import has', async () => {
  let isBroken = false;
  const { workspace, project, run, plan } = await mixed(({ method, path }) =>
    isBroken && method === 'GET' && path.startsWith('/items?') ? { status: 500 } : undefined,
  );
  const deleting = { covers: { numberPrefix: 'P-' }, missing: 'delete', deleteDefinition: 'Removal' };
  isBroken = true;
  const [unread, ...none] = await plan(deleting);
  expect([none, unread?.preview]).toEqual([[], expect.objectContaining({ with: 'last import' })]);
  expect(goneIn(unread?.preview.rows ?? [])).toEqual([]);
  await project.write('a.csv', OURS.replace(/P-2.*\n/, ''));
  const [, unsure] = await plan(deleting);
  expect(unsure).toMatchObject({
    address: 'Import/Parts (missing)',
    preview: { with: 'last import', since: { runs: 'run #1' }, counts: { removed: 1 } },
  });
  isBroken = false;
  await project.write('a.csv', `${OURS},nameless,\n`);
  await project.write('manifests/m.yaml', manifests({ ...deleting, commit: 'always' }));
  const wrong = await run('plan');
  expect(wrong.out).toContain('2 not in the file, which covers');
  expect(wrong.out).toContain('Rows of Import/Parts have errors, so nothing is deleted that the file does not have.');
  expect(wrong.out).not.toContain('Import/Parts (missing)');
  await project.write('a.csv', OURS);
  const [somebody] = await workspace.pages('/items');
  await project.write('renames.csv', `GUID,Name\n${somebody?.guid},other\n`);
  const refusals = [
    [
      manifests(deleting) + manifest('Import', 'Others', { definition: 'Specs', source: { file: '../other.csv' } }),
      'Import/Parts deletes the items that its file does not have, but Import/Others has 2 of them, such as "P-8".',
    ],
    [
      manifests(deleting) +
        itemsDefinition('By GUID', { GUID: 'guid', Name: 'name' }) +
        manifest('Import', 'Renames', { definition: 'By GUID', source: { file: '../renames.csv' } }),
      'but Import/Renames may have them: row 2 has a GUID alone',
    ],
    [manifests(deleting).replace('"OVERWRITE"', '"DELETE"'), 'says `covers`, but its rows delete records'],
    [manifests(deleting).replaceAll('ITEM_SPECS', 'FILE_SUMMARY'), 'which is for imports of ITEM_SPECS, not of FILE'],
    [manifests({ ...deleting, missing: 'keep' }), 'says `covers` and `missing: keep`'],
    [manifests({ ...deleting, covers: { category: 'Item\\None' } }), 'Category/Item\\None'],
    [manifests({ ...deleting, covers: {} }), 'in "covers": expected exactly one of'],
  ] as const;
  for (const [text, message] of refusals) {
    await project.write('manifests/m.yaml', text.replaceAll('"Specs"', '"New"'));
    const { code, out, err } = await run('plan');
    expect([code, out + err]).toEqual([3, expect.stringContaining(message)]);
  }
});

test('a record that the file or another import has is not deleted, and a pending deletion is not forgotten', async () => {
  const { workspace, project, run } = await mixed();
  const deleting = { covers: { numberPrefix: 'P-' }, missing: 'delete', deleteDefinition: 'Removal', when: 'changed' };
  const source = { file: '../a.csv', where: { Name: { not: 'left out' } } };
  await project.write('a.csv', `${HEAD}p-1,ONE,Item\\Cable\nP-2,left out,Item\\Resistor\nQ-1,three,Item\\Cable\n`);
  const again = manifest('Import', 'Again', { ...deleting, definition: 'Specs', source: { file: '../b.csv' } });
  await project.write('b.csv', `${HEAD}P-2,two,Item\\Resistor\nP-1,one,Item\\Cable\n`);
  await project.write('manifests/m.yaml', manifests({ ...deleting, source }) + again);
  const alone = await run('plan', '--only', 'Import/Parts');
  expect(alone.out + alone.err).toContain('because this plan leaves out Import/Again, whose file may have it');
  expect(alone.out).not.toContain('(missing)');
  const both = await run('plan', '--json');
  expect(both.code, both.out + both.err).toBe(0);
  const removals = JSON.parse(both.out).steps.filter(({ address }: { address: string }) => /missing/.test(address));
  expect(removals).toEqual([
    expect.objectContaining({
      address: 'Import/Again (missing)',
      preview: expect.objectContaining({ counts: expect.objectContaining({ removed: 2 }) }),
    }),
  ]);
  await project.write('manifests/m.yaml', manifests({ ...deleting, source }));
  const config = await project.read('sync.config.yaml');
  await project.write('sync.config.yaml', `${config}guards: { importRows: 1 }\n`);
  const applied = await run('apply', '--yes');
  expect(applied.code, applied.out + applied.err).toBe(4);
  const said = applied.out + applied.err;
  expect(said).toContain('does not delete "P-1": its file has the same key with other letter case or white space');
  expect(said).toContain('does not delete "P-2": its file has it in a row that `where`');
  const held = await run('plan');
  expect([held.code, held.out]).toEqual([4, expect.stringContaining('This needs `--allow import-rows`')]);
  const allowed = await run('apply', '--yes', '--allow', 'import-rows');
  expect(allowed.code, allowed.out + allowed.err).toBe(0);
  const left = (await workspace.pages('/items')).map(({ number }) => number).filter((one) => /^[PQ]-/i.test(one));
  expect(left.sort()).toEqual(['P-1', 'P-2', 'Q-1', 'p-1', 'p-7']);
  const { out, code } = await run('plan', '--detailed-exitcode');
  expect([code, out]).toEqual([0, expect.stringContaining('Requests: 2 used')]);
});
