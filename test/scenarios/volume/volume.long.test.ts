import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { linesOf } from '../../harness/manifest.js';
import { peakIn, TELL_PEAK } from '../../harness/peak-memory.js';
import { IS_WHOLE, SEED } from '../../harness/sample.js';
import { finished, testProject } from '../../harness/test-project.js';
import { testWorkspace } from '../../harness/test-workspace.js';
import {
  type Catalogue,
  hasCatalogue,
  partOf,
  type Row,
  randomFrom,
  sampleOf,
  type TableName,
  wholeCatalogue,
} from './catalogue.js';
import { type Format, writeTables } from './files.js';

const SUPPLIER = 'The Brick Company';
const MINUTE = 60_000;

/** Tens of megabytes of tables, of which the program holds none. */
const MOST_MEGABYTES = 600;

interface Planned {
  readonly name: string;
  readonly table: TableName;
  readonly constants?: Row;
  readonly after?: readonly string[];
  readonly where?: Readonly<Record<string, { readonly not: string }>>;
}

/** In the order of their definitions in the manifest, whose names they have. */
const IMPORTS: readonly Planned[] = [
  { name: 'Elements', table: 'elements' },
  { name: 'Sets', table: 'sets' },
  { name: 'Figures', table: 'minifigs' },
  { name: 'Inventories', table: 'inventories', after: ['Elements'] },
  { name: 'Inventory of', table: 'inventories' },
  { name: 'Figures in', table: 'inventory_minifigs' },
  { name: 'Sets in', table: 'inventory_sets' },
  // An unknown colour is -1, which cannot be a priority.
  { name: 'Sources', table: 'elements', constants: { Supplier: SUPPLIER }, where: { color_id: { not: '-1' } } },
];

const manifestOf = (sources: ReadonlyMap<string, object>): string => {
  const imports = IMPORTS.map(({ name, table, constants, where, after }) => ({
    apiVersion: 'dexsync/v1',
    kind: 'Import',
    metadata: { name },
    spec: { definition: name, source: { ...sources.get(table), constants, where }, after },
  }));
  const definitions = readFileSync(resolve('test/scenarios/volume/manifest.yaml'), 'utf8');
  return [definitions, ...imports.map((one) => JSON.stringify(one))].join('\n---\n');
};

describe.skipIf(!hasCatalogue)(
  `a catalogue of toys loads as items, BOM and sourcing in one plan (DEXSYNC_SEED=${SEED})`,
  () => {
    const random = randomFrom(SEED);
    const all = hasCatalogue ? wholeCatalogue() : undefined;

    test.each<Format>(['CSV', 'XLSX'])(
      'as %s',
      async (format) => {
        const tables = IS_WHOLE ? (all as Catalogue) : partOf(all as Catalogue, random);
        const workspace = await testWorkspace(['--quota', '1000000']);
        const project = await testProject();
        const sources = await writeTables(join(project.folder, 'data'), tables, format);
        await project.write('manifests/all.yaml', manifestOf(sources));

        const begin = Date.now();
        const applied = await finished(
          project.start(['apply', '--yes', '--json'], { ...workspace.variables, ...TELL_PEAK }),
        );
        const seconds = Math.round((Date.now() - begin) / 1000);
        const { err, megabytes } = peakIn(applied.err);
        expect([applied.code, err]).toEqual([0, '']);
        const committed = committedIn(applied.out);
        console.info(`${format}: ${sumOf(committed)} rows in ${seconds} s, ${megabytes} MB.`);
        expect(committed).toEqual(
          new Map(
            IMPORTS.map(({ name, table }) => [
              name,
              name === 'Sources' ? sourced(tables).length : tables[table].length,
            ]),
          ),
        );
        expect(megabytes).toBeLessThan(MOST_MEGABYTES);

        const guids = new Map((await workspace.pages('/items')).map(({ number, guid }) => [number, guid]));
        const found: Found = { guids, get: async (path) => (await workspace.call('GET', path)).body };
        await expectItems(found, tables, random);
        await expectLines(found, tables, random);
        await expectSources(found, tables, random);
        const supplied = (await workspace.pages('/supplieritems')).map(({ number }) => number);
        expect(supplied.length).toBe(new Set(sourced(tables).map(({ part_num: number }) => number)).size);

        const before = await workspace.usage();
        expect((await project.run(['plan', '--detailed-exitcode'], workspace.variables)).code).toBe(0);
        expect((await workspace.usage()).slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);
      },
      IS_WHOLE ? 30 * MINUTE : 3 * MINUTE,
    );
  },
);

const sourced = ({ elements }: Catalogue): Row[] => elements.filter(({ color_id: colour }) => colour !== '-1');

/** Rows that each import committed, as `apply --json` reports them. */
function committedIn(out: string): Map<string, number> {
  const events = linesOf(out);
  const rows = events.filter(({ type }) => type === 'rows');
  return new Map(rows.map(({ address, outcome }) => [address.replace('Import/', ''), outcome.succeeded]));
}

const sumOf = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);

const SAMPLE = 60;

/** What is in the workspace. */
interface Found {
  readonly guids: ReadonlyMap<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: answers of the service as they come; each test says what it expects.
  get(path: string): Promise<any>;
}

type Given = Readonly<Record<string, string | null>>;

/** All numbers, and of some items every cell. */
async function expectItems({ guids, get }: Found, tables: Catalogue, random: () => number): Promise<void> {
  const text = (value: string | undefined): string | null => value?.trim() || null;
  const items = new Map<string, Given>();
  const put = (number: string | undefined, fields: Given) =>
    items.set(number ?? '', { ...items.get(number ?? ''), ...fields });
  for (const row of tables.elements) {
    const fields = { name: text(row.part_num), 'Manufacturer Part Number': text(row.design_id) };
    put(row.element_id, { ...fields, Value: text(row.color_id) });
  }
  for (const row of tables.sets) {
    const fields = { name: text(row.name), description: text(row.year) };
    put(row.set_num, { ...fields, Value: text(row.num_parts), Remarks: text(row.img_url) });
  }
  for (const row of tables.minifigs) {
    put(row.fig_num, { name: text(row.name), Value: text(row.num_parts), Remarks: text(row.img_url) });
  }
  for (const row of tables.inventories) put(row.id, { name: text(row.set_num), Value: text(row.version) });

  const own = [...guids.keys()].filter((number) => !number.startsWith('DX-'));
  expect(own.length).toBe(items.size);
  expect(own.filter((number) => !items.has(number))).toEqual([]);
  for (const [number, fields] of sampleOf([...items], SAMPLE, random)) {
    const item = await get(`/items/${guids.get(number)}`);
    const custom = item.additionalAttributes.map(({ name, value }: Row) => [name, value]);
    const all = { ...item, ...Object.fromEntries(custom) };
    const shown = Object.fromEntries(Object.keys(fields).map((name) => [name, all[name] ?? null]));
    expect({ number: item.number, ...shown }).toEqual({ number, ...fields });
  }
}

interface Line {
  readonly item: { readonly number: string };
  readonly quantity: number;
  readonly notes: string | null;
}

/** All lines of some parents. */
async function expectLines({ guids, get }: Found, tables: Catalogue, random: () => number): Promise<void> {
  const lines = new Map<string, object[]>();
  const put = (parent: string | undefined, child: string | undefined, quantity: number, notes: string | null) =>
    lines.set(parent ?? '', [...(lines.get(parent ?? '') ?? []), { child, quantity, notes }]);
  for (const { set_num: set, id, version } of tables.inventories) put(set, id, 1, version ?? null);
  for (const { inventory_id: id, fig_num: figure, quantity } of tables.inventory_minifigs) {
    put(id, figure, Number(quantity), null);
  }
  for (const { inventory_id: id, set_num: set, quantity } of tables.inventory_sets)
    put(id, set, Number(quantity), null);
  for (const [parent, expected] of sampleOf([...lines], SAMPLE, random)) {
    const { results } = await get(`/items/${guids.get(parent)}/bom?limit=400`);
    const shown = results.map(({ item, quantity, notes }: Line) => ({
      child: item.number,
      quantity,
      notes: notes || null,
    }));
    expect(byText(shown)).toEqual(byText(expected));
  }
}

/** The sources of some elements. */
async function expectSources({ guids, get }: Found, tables: Catalogue, random: () => number): Promise<void> {
  for (const element of sampleOf(sourced(tables), SAMPLE, random)) {
    const { results } = await get(`/items/${guids.get(element.element_id ?? '')}/sourcing`);
    const notes = element.design_id?.trim() || null;
    const supplierItem = { number: element.part_num, supplier: { name: SUPPLIER } };
    expect(results).toMatchObject([{ supplierItem, priority: Number(element.color_id), notes }]);
  }
}

const byText = (objects: readonly object[]): string[] => objects.map((object) => JSON.stringify(object)).sort();
