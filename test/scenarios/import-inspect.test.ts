import { describe, expect, test } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { workbookOf } from '../data/bulk/support.js';
import { itemsDefinition, manifest } from '../harness/manifest.js';
import { testProject } from '../harness/test-project.js';
import { testWorkspace } from '../harness/test-workspace.js';

const PARTS =
  'Part list of the pump;;;\n;;;\nPart Number;Name;Description;Colour\n0010;Base;"Base; cast";red\n0020;Lid;;blue\n0030;Seal;Soft;\n';

interface Line {
  readonly item: { readonly number: string };
  readonly quantity: number;
  readonly refDes: string;
}

const yaml = (text: string): unknown[] => parseAllDocuments(text).map((document) => document.toJS());

describe('import inspect', () => {
  test('needs no configuration: it shows delimiter, header, columns and keys, and proposes valid manifests', async () => {
    const project = await testProject({ 'data/parts.csv': PARTS });
    const { code, out, err } = await project.run(['import', 'inspect', 'data/parts.csv', '--config', 'missing.yaml']);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('Delimiter   semicolon ";"');
    expect(out).toContain('Header      row 3');
    expect(out).toMatch(/1 +Part Number +number +100% +3 +text +likely +0010 \| 0020 \| 0030/);
    expect(out).toMatch(/3 +Description +description +66% +2 +text +Base; cast \| Soft/);
    expect(out).toContain(
      '# - { resource: ITEM_SPECS, attribute: Colour, sourceName: Colour } # 2 values such as "red".',
    );

    const proposed = await project.run(['import', 'inspect', 'data/parts.csv', '--manifest']);
    await project.write(
      'manifests/parts.yaml',
      proposed.out.replace('file: data/parts.csv', 'file: ../data/parts.csv'),
    );
    expect(yaml(proposed.out)).toMatchObject([
      {
        kind: 'ImportDefinition',
        metadata: { name: 'pump items' },
        spec: { resource: 'ITEM_SPECS', mode: 'OVERWRITE' },
      },
      { kind: 'Import', spec: { definition: 'pump items', source: { file: 'data/parts.csv', headerRow: 3 } } },
    ]);
    const validated = await project.run(['validate']);
    expect([validated.code, validated.err]).toEqual([0, expect.not.stringContaining('error')]);
  });

  test('proposes manifests that load the file unchanged', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/parts.csv': PARTS });
    const { out } = await project.run(['import', 'inspect', 'manifests/parts.csv', '--manifest']);
    await project.write('manifests/parts.yaml', out.replace('file: manifests/parts.csv', 'file: parts.csv'));
    const applied = await project.run(['apply', '--yes'], workspace.variables);
    expect([applied.code, applied.err]).toEqual([0, '']);
    const { body } = await workspace.call('GET', '/items?number=00*');
    expect(body.results.map(({ number, name }: Record<string, string>) => `${number} ${name}`).sort()).toEqual([
      '0010 Base',
      '0020 Lid',
      '0030 Seal',
    ]);
  });

  test('proposes a BOM that changes no part, leaves out what is not fitted, and counts what is', async () => {
    const workspace = await testWorkspace();
    const known = await testProject({
      'manifests/m.yaml':
        itemsDefinition('Specs') +
        manifest('Import', 'Known', { definition: 'Specs', source: { file: '../known.csv' } }),
      'known.csv': 'Part,Name\nP-1,Resistor 10k\n',
    });
    expect((await known.run(['apply', '--yes'], workspace.variables)).code).toBe(0);
    const rows = ['P-1,R1,1,', 'P-1,R2,1,', 'P-1,R3,1,DNP', 'P-2,C1,1,', 'Sheet 2,,,'];
    const project = await testProject({ 'board.csv': `Part Number,Designator,Qty,DNP\n${rows.join('\n')}\n` });
    const { out } = await project.run(['import', 'inspect', 'board.csv', '--out', 'new']);
    expect(out).toContain('left out  1 row with a title alone, such as "Sheet 2" in "Part Number".');
    expect(out).toContain('left out  1 row that is marked as not fitted (DNP in "DNP").');
    for (const file of ['manifests/board.yaml', 'data/board.csv', 'data/board-assembly.csv']) {
      await project.write(file, await project.read(`new/${file}`));
    }
    const applied = await project.run(['apply', '--yes'], workspace.variables);
    expect(applied.code, out + applied.out + applied.err).toBe(0);
    const { results } = (await workspace.call('GET', '/items')).body;
    const named = (number: string) => results.find((item: { number: string }) => item.number === number);
    expect([named('P-1').name, named('P-2').name, named('Sheet 2')]).toEqual(['Resistor 10k', 'P-2', undefined]);
    const lines = (await workspace.call('GET', `/items/${named('board').guid}/bom`)).body.results;
    expect(lines.map(({ item, quantity, refDes }: Line) => [item.number, quantity, refDes])).toEqual([
      ['P-1', 2, 'R1,R2'],
      ['P-2', 1, 'C1'],
    ]);
    const again = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
    expect(again.code, again.out).toBe(0);
  });

  test('proposes a second list as the first one was settled, and asks nothing again', async () => {
    const head = 'Designator,Value,Qty,DNP';
    const project = await testProject({
      'pump.csv': `${head}\nR1,10k,1,\nR2,22k,1,DNP\nC1,1u,1,\n`,
      'valve.csv': `${head}\nR1,47k,1,\nR2,22k,1,NI\n`,
      'other.csv': 'Designator,Worth\nR1,10k\n',
    });
    expect((await project.run(['import', 'inspect', 'pump.csv', '--out', 'pump'])).code).toBe(0);
    const settled = (await project.read('pump/manifests/pump.yaml')).replace(
      'send: new\n---\n# Left',
      'send: changed\n  beforeImage: true\n---\n# Left',
    );
    expect(settled).toContain('beforeImage');
    await project.write('pump/manifests/pump.yaml', settled);
    const { code, out, err } = await project.run([
      'import',
      'inspect',
      'valve.csv',
      '--like',
      'pump',
      '--out',
      'valve',
    ]);
    expect([code, err]).toEqual([0, '']);
    expect(out).toContain('left out  1 row that is marked as not fitted (NI in "DNP").');
    const text = await project.read('valve/manifests/valve.yaml');
    // Names, the assembly and the marks of rows are those of the new list; what somebody decided stays.
    const renamed = text.replaceAll('valve', 'pump').replace('[ DNP, NI ]', 'DNP');
    expect(yaml(renamed)).toEqual(yaml(settled));

    const workspace = await testWorkspace();
    for (const name of ['pump', 'valve']) {
      const config = `stack: ${name}\nmanifests: [manifests]\nenvironments:\n  remote: { url: "\${env.TEST_URL}" }\n`;
      await project.write(`${name}/sync.config.yaml`, config);
      const run = (...args: string[]) =>
        project.run([...args, '--config', `${name}/sync.config.yaml`], workspace.variables);
      const applied = await run('apply', '--yes');
      expect(applied.code, applied.out + applied.err).toBe(0);
      expect((await run('plan', '--detailed-exitcode')).code).toBe(0);
    }
    const { results } = (await workspace.call('GET', '/items')).body;
    const numbers = results.map(({ number }: { number: string }) => number);
    expect(numbers).toEqual(expect.arrayContaining(['pump-10k', 'pump-1u', 'valve-47k']));

    const refused = await project.run(['import', 'inspect', 'other.csv', '--like', 'pump', '--out', 'other']);
    expect([refused.code, refused.out]).toEqual([3, '']);
    expect(refused.err).toContain('other.csv has not all columns of any list of the project: ../data/');
  });

  test.each([
    [
      'nothing can be proposed',
      'Colour,Size\nred,\n,5\n',
      'No column can be the item number: nothing is proposed.',
      false,
    ],
    ['rows do not pass the checks', 'Part Number,Qty\nA,2\nB,some\n', '"some" is not a quantity.', true],
  ])('ends with 4 and says why where %s', async (_, content, why, isWritten) => {
    const project = await testProject({ 'a.csv': content });
    for (const option of [[], ['--manifest'], ['--json']]) {
      const { code, out } = await project.run(['import', 'inspect', 'a.csv', ...option]);
      expect([code, out.replaceAll('\\', '')]).toEqual([4, expect.stringContaining(why)]);
    }
    const { code, out } = await project.run(['import', 'inspect', 'a.csv', '--out', 'new']);
    expect([code, out]).toEqual([4, expect.stringContaining(why)]);
    const written = await project.read('new/manifests/a.yaml').catch(() => undefined);
    expect(written !== undefined).toBe(isWritten);
  });

  test('prints with --json one document with counts of all rows', async () => {
    const rows = Array.from(
      { length: 5000 },
      (_, index) => `P-${index},${1 + (index % 7)},${index % 2 === 0 ? '' : 'x'}`,
    );
    const project = await testProject({ 'many.csv': `Part Number,Qty,Note\n${rows.join('\n')}\n` });
    const { code, out } = await project.run(['import', 'inspect', 'many.csv', '--json']);
    const found = JSON.parse(out);
    expect([code, found.rows, found.encoding, found.delimiter, found.headerRow]).toEqual([0, 5000, 'utf-8', ',', 1]);
    expect(found.columns).toMatchObject([
      { header: 'Part Number', filled: 5000, key: 'likely', type: 'text' },
      { header: 'Qty', filled: 5000, distinct: 7, key: 'no', type: 'integer' },
      { header: 'Note', filled: 2500, distinct: 1, samples: ['x'] },
    ]);
    expect(Math.abs(found.columns[0].distinct - 5000)).toBeLessThan(250);
  });

  test('shows a broken file as far as it goes, and ends with an error', async () => {
    const project = await testProject({ 'bad.csv': 'A,B\n1,2\n3,"4\n' });
    const { code, out } = await project.run(['import', 'inspect', 'bad.csv']);
    expect(code).toBe(3);
    expect(out).toContain(
      'Reading stopped after 1 row: bad.csv:3: the row that starts here has an opening quote that is never closed.',
    );
  });

  test('needs an existing file, which may have the name inspect', async () => {
    const project = await testProject({ inspect: 'Part Number,Name\nA,Bolt\n' });
    const missing = await project.run(['import', 'inspect', 'none.csv']);
    expect([missing.code, missing.err]).toEqual([3, expect.stringContaining('none.csv does not exist.')]);
    const meant = await project.run(['import', 'inspect', './inspect']);
    expect([meant.code, meant.out]).toEqual([0, expect.stringContaining('Rows        1')]);
    const without = await project.run(['import', './inspect']);
    expect([without.code, without.err]).toEqual([3, expect.stringContaining('Error: No import definition was given.')]);
  });
});

const REMOTE = 'environments:\n  remote: { url: "${env.TEST_URL}" }\n';

/** The second table of the second worksheet is the fullest; a summary is below it, a list of people beside it. */
const BOOK = {
  Cover: [['Pump 30'], ['Revision', 'B']],
  Parts: [
    ['Level', 'Artikel-Nr.', 'Benennung', 'Menge', 'Hersteller', 'Hersteller-Nr.', 'Farbe', null, 'Name', 'Phone'],
    [0, 'PUMP', 'Pump', '1', null, null, null, null, 'Ann', '1'],
    [1, 'HEAD', 'Head', '1', null, null, 'red', null, 'Ben', '2'],
    [2, 'SEAL', 'Seal', '2,5 m', 'Vishay', 'V-1', 'red', null, null, null],
    [1, 'BASE', 'Base', '1', null, null, null, null, null, null],
    [2, 'BOLT', 'Bolt', '4', 'Yageo', 'Y-1', null, null, null, null],
    ['Summe', null, null, '9,5', null, null, null, null, null, null],
    [],
    ['printed', 'today'],
  ],
};

test('writes with --out a project that validates and applies unchanged; omitted columns are named', async () => {
  const workspace = await testWorkspace();
  const project = await testProject();
  const book = await workbookOf(BOOK);
  const { code, out, err } = await project.run(['import', 'inspect', book, '--out', 'pump', '--json']);
  expect([code, err]).toEqual([0, '']);
  const found = JSON.parse(out);
  expect(found.written.map(({ file }: { file: string }) => file)).toEqual([
    'pump/sync.config.yaml',
    'pump/manifests/book.yaml',
    'pump/data/book.xlsx',
  ]);
  expect(found).toMatchObject({
    worksheet: 'Parts',
    rows: 5,
    end: { row: 6, why: '"Summe" in column "Level" ends the table' },
    others: expect.arrayContaining([
      { worksheet: 'Parts', range: 'I1:J3', rows: 3, is: 'table' },
      { worksheet: 'Parts', range: 'A9:B9', rows: 1, is: 'text' },
    ]),
  });
  const again = await project.run(['import', 'inspect', book, '--out', 'pump']);
  expect([again.code, again.err]).toEqual([
    3,
    expect.stringContaining('already exist and are not overwritten. Nothing was written.'),
  ]);

  const inProject = ['--config', 'pump/sync.config.yaml', '--env', 'remote'];
  await project.write(
    'pump/sync.config.yaml',
    (await project.read('pump/sync.config.yaml')).replace(/environments:[\s\S]*/, () => REMOTE),
  );
  const plan = await project.run(['plan', '--validate-imports', ...inProject], workspace.variables);
  expect([plan.code, plan.err]).toEqual([0, '']);
  const applied = await project.run(['apply', '--yes', ...inProject], workspace.variables);
  expect([applied.code, applied.err]).toEqual([0, '']);
  const items = await workspace.pages('/items?responseview=full');
  const guidOf = (number: string) => items.find((item) => item.number === number)?.guid;
  const lines = async (number: string) =>
    (await workspace.call('GET', `/items/${guidOf(number)}/bom`)).body.results.map(
      (line: { item: { number: string }; quantity: number }) => `${line.item.number} x ${line.quantity}`,
    );
  expect([await lines('PUMP'), await lines('HEAD'), await lines('BASE')]).toEqual([
    ['HEAD x 1', 'BASE x 1'],
    ['SEAL x 2.5'],
    ['BOLT x 4'],
  ]);
  const { body } = await workspace.call('GET', `/items/${guidOf('SEAL')}/sourcing`);
  expect(body.results).toMatchObject([{ supplierItem: { number: 'V-1', supplier: { name: 'Vishay' } } }]);
  const done = await project.run(['plan', '--detailed-exitcode', ...inProject], workspace.variables);
  expect(done.code).toBe(0);
});

const DEFINITION = `apiVersion: dexsync/v1
kind: ImportDefinition
metadata: { name: Parts }
spec:
  resource: ITEM_SPECS
  mode: OVERWRITE
  options:
    mapping:
      - { resource: ITEM_SPECS, apiName: number, sourceName: Part Number }
      - { resource: ITEM_SPECS, apiName: name, sourceName: Title }
      - { resource: ITEM_SPECS, apiName: descripton, sourceName: Description }
      - { resource: ITEM_SPECS, apiName: category.path, sourceName: Category }
`;

describe('import map', () => {
  test('compares a mapping with the headers and with the fields of the workspace', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'manifests/parts.yaml': DEFINITION, 'parts.csv': PARTS });
    const args = [
      'import',
      'map',
      'parts.csv',
      '--definition',
      'Parts',
      '--header-row',
      '3',
      '--set',
      'Category=Uncategorized',
    ];
    const { code, out, err } = await project.run(args, workspace.variables);
    expect([code, err]).toEqual([3, '']);
    expect(out).toMatch(/Part Number +file +number +yes +required +SINGLE_LINE_TEXT/);
    expect(out).toMatch(/Title +MISSING +name +yes/);
    expect(out).toMatch(/Description +file +descripton +NO .*Did you mean "description"\?/);
    expect(out).toMatch(/Category +constants +category.path +reference/);
    expect(out).toContain('Not mapped: Name, Colour.');
    expect(out).toContain('2 problems.');

    const json = await project.run([...args, '--rename', 'Name=Title', '--json'], workspace.variables);
    expect(JSON.parse(json.out)).toMatchObject({
      definedIn: 'manifests',
      problems: 1,
      mapped: [{ from: 'file' }, { from: 'file', exists: 'yes' }, { exists: 'no' }, { from: 'constants' }],
    });
  });

  test('ends with 0 where all fits; an Import manifest brings its source options; neither or both is refused', async () => {
    const workspace = await testWorkspace();
    const project = await testProject({ 'parts.csv': PARTS });
    const { out } = await project.run(['import', 'inspect', 'parts.csv', '--manifest']);
    await project.write('manifests/parts.yaml', out.replace('file: parts.csv', 'file: ../parts.csv'));
    const fits = await project.run(['import', 'map', 'parts.csv', '--manifest', 'pump items'], workspace.variables);
    expect([fits.code, fits.out]).toEqual([
      0,
      expect.stringContaining('The mapping matches the file and the workspace.'),
    ]);
    expect(fits.out).toContain('headers in row 3');
    const neither = await project.run(['import', 'map', 'parts.csv'], workspace.variables);
    expect([neither.code, neither.err]).toEqual([
      3,
      expect.stringContaining('Either `--definition` or `--manifest` is required, but not both.'),
    ]);
    const unknown = await project.run(['import', 'map', 'parts.csv', '--definition', 'Prats'], workspace.variables);
    expect(unknown.code).toBe(3);
  });
});

test('an Import takes the newest file of a name with *, and messages show which', async () => {
  const workspace = await testWorkspace();
  const manifest = (
    pick: string,
  ) => `${DEFINITION.replace('descripton', 'description').replace(/ +- .*Category.*\n/, '')}---
apiVersion: dexsync/v1
kind: Import
metadata: { name: parts }
spec:
  definition: Parts
  source: { file: "parts-*.csv", pick: ${pick}, headerRow: 3, rename: { Name: Title }, where: { Colour: [red, blue] } }
`;
  const project = await testProject({
    'manifests/parts.yaml': manifest('only'),
    'manifests/parts-2026-9-1.csv': 'old\n',
    'manifests/parts-2026-11-1.csv': PARTS,
  });
  const several = await project.run(['apply', '--yes'], workspace.variables);
  expect([several.code, several.err + several.out]).toEqual([
    3,
    expect.stringContaining('matches 2 files: "parts-2026-9-1.csv", "parts-2026-11-1.csv"'),
  ]);
  await project.write('manifests/parts.yaml', manifest('newest'));
  const applied = await project.run(['apply', '--yes'], workspace.variables);
  expect([applied.code, applied.out]).toEqual([0, expect.stringContaining('parts-2026-11-1.csv')]);
  const { body } = await workspace.call('GET', '/items?number=00*');
  expect(body.results.map(({ number }: Record<string, string>) => number).sort()).toEqual(['0010', '0020']);
  const again = await project.run(['plan', '--detailed-exitcode'], workspace.variables);
  expect(again.code).toBe(0);
});
