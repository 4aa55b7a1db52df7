import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { manifest } from '../harness/manifest.js';
import { SEED, sample, scaled } from '../harness/sample.js';
import { testProject } from '../harness/test-project.js';
import { type TestWorkspace, testWorkspace } from '../harness/test-workspace.js';

/** Options of the definition that decide how cells are read (wire-facts 4). */
interface Options {
  readonly stripWhiteSpace: 'STRIP' | 'RETAIN';
  readonly multiSelectDelimiter: string;
  readonly timeZone: string;
}

const CASES: readonly (Options & { readonly dialect: string })[] = ['reference', 'arena'].flatMap((dialect) => [
  { dialect, stripWhiteSpace: 'STRIP' as const, multiSelectDelimiter: ';', timeZone: 'UTC' },
  { dialect, stripWhiteSpace: 'STRIP' as const, multiSelectDelimiter: ' / ', timeZone: 'America/New_York' },
  { dialect, stripWhiteSpace: 'RETAIN' as const, multiSelectDelimiter: '|', timeZone: '+05:30' },
]);

type Cells = Readonly<Record<string, fc.Arbitrary<string>>>;

const MARKER = '[Remove Value]';
const emptyOr = (cell: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ weight: 4, arbitrary: cell }, { weight: 1, arbitrary: fc.constantFrom('', MARKER) });

const words = fc
  .string({ unit: fc.constantFrom(...'aAß ,"\'é漢💡-;|/=+@0'), minLength: 1, maxLength: 8 })
  .filter((text) => text.trim() !== '');
const numbers = fc
  .integer({ min: 0, max: 99_999 })
  .chain((n) =>
    fc.constantFrom(String(n / 100), (n / 100).toFixed(4), `+${n / 100}`, (n / 100).toExponential(), `0${n / 100}`),
  );
const truths = fc.constantFrom('true', 'TRUE', 'yes', 'no', 'False', 'NO');
const dates = fc
  .date({ min: new Date('2020-01-01T00:00:00Z'), max: new Date('2030-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 19))
  .chain((text) =>
    fc.constantFrom(
      text.slice(0, 10),
      text,
      `${text}Z`,
      `${text.slice(0, 16)}+02:00`,
      text.replace('T', ' '),
      `${text}-0730`,
    ),
  );

/** One cell of every type that attributes have (wire-facts 7), all of them valid. */
const itemCells = ({ multiSelectDelimiter, stripWhiteSpace }: Options): Cells => {
  const option = (...values: string[]) =>
    fc.constantFrom(...values).chain((value) => fc.constantFrom(value, value.toUpperCase(), value.toLowerCase()));
  const several = fc
    .subarray(['CE', 'fcc', 'UL', 'Ukca'], { minLength: 1 })
    .chain((all) => fc.shuffledSubarray(all, { minLength: all.length }))
    .map((all) => all.join(` ${multiSelectDelimiter}`));
  const padding = stripWhiteSpace === 'STRIP' ? fc.constantFrom('', ' ', '\t') : fc.constant('');
  const padded = (cell: fc.Arbitrary<string>) => fc.tuple(padding, cell, padding).map((parts) => parts.join(''));
  return {
    name: padded(words),
    description: padded(emptyOr(words)),
    'category.path': fc.constantFrom('Item\\Resistor', 'Item\\Cable', ''),
    uom: emptyOr(fc.constantFrom('each', 'foot', 'Each')),
    standardCost: padded(emptyOr(numbers)),
    shared: emptyOr(truths),
    '@Weight in Grams': padded(emptyOr(numbers)),
    '@Last Reviewed': padded(emptyOr(dates)),
    '@Safety Critical': padded(emptyOr(truths)),
    '@Certifications': padded(emptyOr(several)),
    '@Finish': padded(emptyOr(option('Anodized', 'Painted', 'None'))),
    '@RoHS Status': emptyOr(option('Compliant', 'Not Compliant')),
    '@Remarks': emptyOr(
      fc.tuple(words, fc.constantFrom('\n', '\r\n', ' ; ', ','), words).map((parts) => parts.join('')),
    ),
    '@Manufacturer': padded(emptyOr(words)),
  };
};

const lineCells: Cells = {
  quantity: fc.oneof(
    numbers.filter((text) => Number(text) > 0),
    fc.constant(''),
  ),
  refDes: emptyOr(fc.constantFrom('R1-R3', 'R1,R2,R3', 'R3 R2 R1', 'R01-R03', 'C1', 'c1', 'C1;C2')),
  notes: emptyOr(words),
  '@Find Number': emptyOr(words),
  '@Placement Side': emptyOr(fc.constantFrom('Top', 'top', 'Bottom')),
  '@Do Not Place': emptyOr(truths),
};

const sourcingCells: Cells = {
  priority: emptyOr(numbers),
  notes: emptyOr(words),
  'approvalStatus.name': emptyOr(fc.constantFrom('Approved', 'approved', 'Conditional')),
  'supplierItem.name': emptyOr(words),
  'supplierItem.description': emptyOr(words),
  'supplierItem.leadTime': emptyOr(numbers),
  '@Minimum Order Quantity': emptyOr(numbers),
};

const fileCells: Cells = {
  title: words,
  name: emptyOr(words),
  description: emptyOr(words),
  'category.path': fc.constantFrom('-uncategorized-', ''),
  author: emptyOr(words),
  location: emptyOr(words),
  storageMethodName: fc.constantFrom('FILE', 'place_holder', 'PLACE_HOLDER', ''),
  private: emptyOr(truths),
  '@Confidential': emptyOr(truths),
};

/** Rows that name a file change its association alone, so that its title is not read. */
const itemFileCells: Cells = {
  primary: emptyOr(truths),
  latestEditionAssociation: emptyOr(truths),
  'file.title': words,
};

type Row = readonly string[];

const csv = (rows: readonly Row[]): string =>
  `${rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\r\n')}\r\n`;

/** Rows of a first list, and of a second one in which some cells are others. */
function listsOf(keys: readonly Row[], cells: Cells, seed: number): readonly [Row[], Row[]] {
  const row = fc.tuple(...Object.values(cells));
  const second = fc.array(fc.integer({ min: 0, max: 9 }), {
    minLength: Object.keys(cells).length,
    maxLength: Object.keys(cells).length,
  });
  const drawn = fc.sample(fc.tuple(row, row, second), { seed, numRuns: keys.length });
  const first = drawn.map(([one], index) => [...(keys[index] ?? []), ...one]);
  const other = drawn.map(([one, two, which], index) => [
    ...(keys[index] ?? []),
    ...one.map((cell, at) => (index % 3 === 0 || (which[at] ?? 0) > 0 ? cell : (two[at] ?? ''))),
  ]);
  return [first.slice(0, -3), other];
}

const definition = (
  name: string,
  resource: string,
  fields: readonly string[],
  options: Options,
  mode = 'OVERWRITE',
): string =>
  manifest('ImportDefinition', name, {
    resource,
    mode,
    options: {
      ...options,
      ...(resource === 'ITEM_BOM' ? { checkRefDes: 'DO_NOT_CHECK' } : {}),
      mapping: fields.map((field) => ({
        resource,
        ...(field.startsWith('@') ? { attribute: field.slice(1) } : { apiName: field }),
        sourceName: field,
      })),
    },
  });

/** Without times and addresses; several values and designators have no order. */
const texts = (record: object): string =>
  JSON.stringify(record, (key, value) => {
    if (/modified|url/i.test(key)) return undefined;
    if (key === 'refDes' && typeof value === 'string') return DESIGNATORS[value] ?? value;
    return key === 'value' && Array.isArray(value) ? [...value].sort() : value;
  });

/** Ways to write the same designators. */
const DESIGNATORS: Readonly<Record<string, string>> = { 'R1,R2,R3': 'R1-R3', 'R3 R2 R1': 'R1-R3' };

/** What the service itself says of all items and lines, each as one text by its key. */
async function snapshot(workspace: TestWorkspace): Promise<{ items: Map<string, string>; lines: Map<string, string> }> {
  const found = await workspace.pages('/items?responseview=full&includeEmptyAdditionalAttributes=true');
  const items = new Map<string, string>();
  const lines = new Map<string, string>();
  for (const { isAssembly: _, inAssembly: __, assemblyType: ___, ...item } of found) {
    items.set(item.number, texts(item));
    if (!String(item.number).startsWith('A-')) continue;
    const { body } = await workspace.call('GET', `/items/${item.guid}/bom?includeAdditionalAttributes=true`);
    for (const { item: child, lineNumber: ____, ...line } of body.results)
      lines.set(`${item.number} ${child.number}`, texts(line));
  }
  return { items, lines };
}

/** The same of some items' sourcing, with the supplier items whole, and files, and of all files. */
async function furtherSnapshot(workspace: TestWorkspace): Promise<Record<string, Map<string, string>>> {
  const [sources, itemFiles, files] = [new Map(), new Map(), new Map<string, string>()];
  const results = async (path: string) => (await workspace.call('GET', path)).body.results;
  for (const file of await workspace.pages('/files')) files.set(file.number, texts(file));
  for (const owner of OWNERS) {
    const [{ guid }] = await results(`/items?number=${owner}`);
    for (const { supplierItem, item: _, ...relation } of await results(`/items/${guid}/sourcing`)) {
      const { body } = await workspace.call('GET', `/supplieritems/${supplierItem.guid}`);
      const key = `${owner} ${supplierItem.supplier.name} ${supplierItem.number}`;
      sources.set(key, texts({ ...relation, supplierItem: body }));
    }
    for (const { file, ...association } of await results(`/items/${guid}/files`))
      itemFiles.set(`${owner} ${file.number}`, texts(association));
  }
  return { Sources: sources, 'Item files': itemFiles, Files: files };
}

/** The items that have sourcing and files. */
const OWNERS = ['P-6', 'P-7', 'P-8'];

const SOURCES = Array.from({ length: 9 }, (_, n) => [
  OWNERS[n % 3] ?? '',
  n % 2 === 0 ? 'Acme' : 'Bolts & Co',
  `S-${n}`,
]);
const FILES = Array.from({ length: 12 }, (_, n) => [`F-${n}`]);
const ITEM_FILES = Array.from({ length: 12 }, (_, n) => [OWNERS[n % 3] ?? '', `F-${n}`]);

/** What is imported beside items and BOMs: resource, keys and cells by the name of the import. */
const FURTHER = {
  Sources: ['ITEM_SOURCING', SOURCES, ['number', 'supplier.name', 'supplierItem.number'], sourcingCells],
  Files: ['FILE_SUMMARY', FILES, ['number'], fileCells],
  'Item files': ['ITEM_FILES', ITEM_FILES, ['number', 'file.number'], itemFileCells],
} as const;

const differing = (before: Map<string, string>, after: Map<string, string>) => ({
  new: [...after.keys()].filter((key) => !before.has(key)).sort(),
  changed: [...after].flatMap(([key, text]) => (before.has(key) && before.get(key) !== text ? [key] : [])).sort(),
});

interface Preview {
  readonly counts: Record<string, number>;
  readonly rows: readonly {
    readonly change: string;
    readonly key: readonly string[];
    readonly cells?: readonly object[];
  }[];
}

const told = ({ rows }: Preview) => {
  const of = (change: string): string[] =>
    rows.flatMap((row) => (row.change === change ? [row.key.join(' ')] : [])).sort();
  return { new: of('new'), changed: of('changed') };
};

describe.each(sample(CASES, 1))(
  'random tables: $dialect, $stripWhiteSpace, $timeZone, "$multiSelectDelimiter"',
  ({ dialect, ...options }) => {
    test('the preview shows the changes of the commit, and is empty after it', async () => {
      const count = scaled(190, 40);
      const numbersOf = Array.from({ length: count }, (_, index) => [index < 6 ? `A-${index}` : `P-${index}`]);
      const pairs = Array.from({ length: count }, (_, index) => [`A-${index % 6}`, `P-${6 + (index % (count - 12))}`]);
      const cells = itemCells(options);
      const [items, otherItems] = listsOf(numbersOf, cells, SEED);
      const [lines, otherLines] = listsOf(
        pairs.filter(([a, b], at) => pairs.findIndex(([c, d]) => a === c && b === d) === at),
        lineCells,
        SEED + 1,
      );
      const further = Object.entries(FURTHER).map(([name, [resource, keys, columns, own]], nth) => {
        const [first, second] = listsOf(keys, own, SEED + 2 + nth);
        // Under REPLACE, which makes new associations too, the rows are all files of their items.
        const mode = name === 'Item files' ? 'REPLACE' : 'OVERWRITE';
        const fields = [...columns, ...Object.keys(own)];
        return { name, resource, fields, first, second, mode, path: `${nth}.csv` };
      });
      const itemFields = ['number', ...Object.keys(cells)];
      const lineFields = ['number', 'item.number', ...Object.keys(lineCells)];
      const workspace = await testWorkspace([], dialect);
      const project = await testProject({
        'manifests/m.yaml':
          definition('Specs', 'ITEM_SPECS', itemFields, options) +
          definition('Lines', 'ITEM_BOM', lineFields, options) +
          manifest('Import', 'Parts', { definition: 'Specs', source: { file: '../parts.csv' } }) +
          manifest('Import', 'BOM', { definition: 'Lines', source: { file: '../bom.csv' } }) +
          further
            .map(({ name, resource, fields, mode }) => definition(name, resource, fields, options, mode))
            .join('') +
          further
            .map(({ name, path }) =>
              manifest('Import', name, { definition: name, source: { file: `../${path}` }, beforeImage: true }),
            )
            .join(''),
      });
      const write = async (parts: readonly Row[], bom: readonly Row[], nth: 'first' | 'second'): Promise<void> => {
        for (const one of further) await project.write(one.path, csv([one.fields, ...one[nth]]));
        await project.write('parts.csv', csv([itemFields, ...parts]));
        await project.write('bom.csv', csv([lineFields, ...bom]));
      };
      const apply = async (): Promise<void> => {
        const { code, out, err } = await project.run(['apply', '--yes', '--preview', 'none'], workspace.variables);
        expect([code, err], out).toEqual([0, '']);
      };
      const preview = async (): Promise<Record<string, Preview>> => {
        const again = ['Parts', 'BOM', ...Object.keys(FURTHER)].flatMap((name) => ['--reimport', name]);
        const { code, out, err } = await project.run(['plan', '--json', ...again], workspace.variables);
        expect(code, err).toBe(0);
        const steps = JSON.parse(out).steps as { address: string; preview: Preview }[];
        return Object.fromEntries(steps.map((step) => [step.address, step.preview]));
      };
      const expectNothing = (found: Record<string, Preview>): void => {
        for (const { counts, rows } of Object.values(found)) {
          expect(rows.filter(({ change }) => change !== 'gone')).toEqual([]);
          expect(counts).toMatchObject({ new: 0, changed: 0, refused: 0, removed: 0, notCompared: 0 });
        }
      };

      await write(items, lines, 'first');
      await apply();
      expectNothing(await preview());

      await write(otherItems, otherLines, 'second');
      const before = await snapshot(workspace);
      const furtherBefore = await furtherSnapshot(workspace);
      const planned = await preview();
      await apply();
      const after = await snapshot(workspace);
      const furtherAfter = await furtherSnapshot(workspace);
      for (const [name, found] of Object.entries(furtherAfter)) {
        const expected = differing(furtherBefore[name] ?? new Map(), found);
        expect([name, told(planned[`Import/${name}`] as Preview)]).toEqual([name, expected]);
        expect(expected.new.length).toBe(3);
        if (name !== 'Item files') expect(expected.changed.length).toBeGreaterThan(1);
      }
      expect(told(planned['Import/Parts'] as Preview)).toEqual(differing(before.items, after.items));
      expect(told(planned['Import/BOM'] as Preview)).toEqual(differing(before.lines, after.lines));
      expect(differing(before.items, after.items).changed.length).toBeGreaterThan(count / 3);
      expectNothing(await preview());

      // The newest first: files that items have cannot be deleted.
      const named = new Set<string>();
      for (const name of ['Item files', 'Files', 'Sources']) {
        const { code, out } = await project.run(['import', 'undo', name, '--yes', '--json'], workspace.variables);
        expect([0, 4], out).toContain(code);
        for (const key of notUndone(out)) named.add(`${name}: ${key}`);
      }
      for (const [name, found] of Object.entries(await furtherSnapshot(workspace))) {
        const isNamed = (key: string): boolean => named.has(`${name}: ${key}`);
        const unnamed = (all: Map<string, string> | undefined) =>
          [...(all ?? [])].filter(([key]) => !isNamed(key)).map(([key, text]) => `${key} ${withoutGuid(text)}`);
        expect([name, ...unnamed(found).sort()]).toEqual([name, ...unnamed(furtherBefore[name]).sort()]);
        expect([...found.keys()].sort()).toEqual([...(furtherBefore[name]?.keys() ?? [])].sort());
      }
      // New sources made their supplier items; of files only what cannot be stored again stays.
      const newSources = [...named].filter((key) => key.startsWith('Sources:')).length;
      expect([newSources, [...named].filter((key) => key.startsWith('Item files:'))]).toEqual([3, []]);
    });
  },
);

/** The keys of the rows that an undo leaves, in whole or in part. */
const notUndone = (out: string): string[] =>
  out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .flatMap(({ type, plan }) => (type === 'plan' ? plan.steps : []))
    .filter(({ reason }: { reason?: string }) => reason === 'not-undone')
    .flatMap(({ preview }: { preview: Preview }) => preview.rows.map(({ key }) => key.join(' ')));

/** An association that was removed and came back is another one. */
const withoutGuid = (text: string): string => text.replace(/^\{"guid":"\w+",?/, '{');
