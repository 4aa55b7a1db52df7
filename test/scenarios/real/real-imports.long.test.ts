import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sample } from '../../harness/sample.js';
import { expectedOf, type Given, givenBy, loading, picked, type Refusal, sorted, toldOf } from './loading.js';
import { DATA, hasData, type Row } from './tables.js';

/** What keeps rows of an import out, and which. */
interface Expected {
  readonly refused: readonly Refusal[];
  /** Rows without a value in any mapped column, which the service does not count. */
  readonly passedOver?: readonly number[];
}

interface Told extends Partial<Expected> {
  readonly rows: number;
}

interface Case {
  readonly manifest: string;
  /** How many rows each import has, and what becomes of some of them. */
  readonly imports: Readonly<Record<string, Told>>;
}

const refusals = (rows: readonly number[], code: number, message: string): Refusal[] =>
  rows.map((row) => ({ row, code, message }));

const withoutNumber = (...rows: number[]) => refusals(rows, 3001, 'The attribute "number" is required.');
const withoutChild = (...rows: number[]) => refusals(rows, 3001, 'The attribute "item.number" is required.');
const absent = (...rows: number[]) => refusals(rows, 3012, 'There is no item with the number "{}".');
/** `{}` stands for the number in the row. */
const repeated = (...rows: number[]) => refusals(rows, 3025, 'An item with the number "{}" exists already.');

/** Resistors and capacitors of any make, a jumper, and a coil that is wound to order. */
const UNNUMBERED = [2, 3, 4, 5, 6, 7, 11, 29, 32, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50];

/** The summary below the table, in two columns; of row 65 even the second is empty. */
const SUMMARY = [59, 60, 61, 62, 63, 64, 66, 67, 68];

/** Part numbers that stand further up already. */
const TWICE = repeatedLines('hildogjr/KiCost/tests/part_list_big.csv');

const CASES: readonly Case[] = [
  { manifest: 'libresolar-board.yaml', imports: { Parts: { rows: 62 }, BOM: { rows: 62 } } },
  {
    manifest: 'libresolar-ordered.yaml',
    imports: {
      Parts: { rows: 62, refused: [...withoutNumber(...UNNUMBERED), ...repeated(53)] },
      BOM: { rows: 62, refused: withoutChild(...UNNUMBERED) },
    },
  },
  { manifest: 'libresolar-mechanical.yaml', imports: { Parts: { rows: 5 }, BOM: { rows: 5 } } },
  {
    manifest: 'px4.yaml',
    // Row 33 is a second source of row 2, row 183 lacks the number, and row 227 is an asterisk and nothing else.
    imports: {
      Parts: {
        rows: 234,
        refused: [
          ...repeated(33),
          ...withoutNumber(183),
          ...refusals([227], 3001, 'The attribute "name" is required.'),
        ],
      },
      BOM: { rows: 234, refused: [...withoutChild(183), ...absent(227)] },
    },
  },
  {
    manifest: 'ulx3s.yaml',
    // Two colours of one diode are in two rows each.
    imports: {
      Parts: { rows: 62, refused: [...repeated(15, 17), ...withoutNumber(...SUMMARY)], passedOver: [65] },
      BOM: { rows: 62, refused: withoutChild(...SUMMARY, 65).sort((a, b) => a.row - b.row) },
    },
  },
  { manifest: 'ulx3s-table.yaml', imports: { Parts: { rows: 52, refused: repeated(15, 17) }, BOM: { rows: 52 } } },
  { manifest: 'ulx3s-order.yaml', imports: { Parts: { rows: 63 }, BOM: { rows: 63 } } },
  {
    manifest: 'exa-spim.yaml',
    imports: {
      Parts: { rows: 92, passedOver: [9, 12] },
      BOM: { rows: 92, refused: withoutChild(9, 12) },
    },
  },
  { manifest: 'exa-spim-workbook.yaml', imports: { Parts: { rows: 92 }, BOM: { rows: 92 } } },
  { manifest: 'beaglebone.yaml', imports: { Parts: { rows: 107 }, BOM: { rows: 107 } } },
  { manifest: 'ezogateway.yaml', imports: { Parts: { rows: 57 }, BOM: { rows: 57 } } },
  { manifest: 'ezogateway-quoted.yaml', imports: { Parts: { rows: 57 }, BOM: { rows: 57 } } },
  { manifest: 'open-gamma.yaml', imports: { Parts: { rows: 25 }, BOM: { rows: 25 } } },
  { manifest: 'photon.yaml', imports: { Parts: { rows: 25 }, BOM: { rows: 25 } } },
  {
    manifest: 'opentrons.yaml',
    imports: { Hardware: { rows: 15 }, Parts: { rows: 101 }, BOM: { rows: 101 } },
  },
  {
    manifest: 'gritsbot.yaml',
    imports: {
      Main: { rows: 29 },
      Motor: { rows: 18 },
      More: { rows: 5 },
      'Main BOM': { rows: 29 },
      'Motor BOM': { rows: 18 },
      'More BOM': { rows: 5 },
    },
  },
  {
    manifest: 'opulo.yaml',
    imports: {
      Motor: { rows: 3 },
      Extension: { rows: 3 },
      'Motor BOM': { rows: 3 },
      'Extension BOM': { rows: 3 },
      'Mobo BOM': { rows: 3 },
      'Tail BOM': { rows: 3 },
    },
  },
  {
    manifest: 'kicost.yaml',
    imports: { Parts: { rows: 430, refused: repeated(...TWICE) }, BOM: { rows: 430 } },
  },
  {
    manifest: 'kicost-zero.yaml',
    imports: {
      Parts: { rows: 1 },
      BOM: { rows: 1 },
      Wrong: { rows: 1, refused: absent(2) },
      Windows: { rows: 1, refused: absent(2) },
    },
  },
];

/** The dialects differ in the wire, not in what rows mean: these have all that a row can bring. */
const OF_BOTH = ['libresolar-ordered.yaml', 'ulx3s.yaml', 'opentrons.yaml'];

/** Lines of a list of one column that repeat an earlier line. */
function repeatedLines(file: string): number[] {
  if (!hasData) return [];
  const lines = readFileSync(resolve(DATA, file), 'utf8').split('\n');
  return lines.flatMap((line, index) => (line !== '' && lines.indexOf(line) < index ? [index + 1] : []));
}

/** Whether an item exists is for the service to say. */
const UNFORESEEN = 3012;

function numbered({ row, code, message }: Refusal, { rows, mapping }: Given): Refusal {
  const key = mapping.find(({ apiName, sourceName }) => /number$/.test(apiName ?? '') && sourceName !== 'Assembly');
  return { row, code, message: message.replace('{}', rows.get(row)?.[key?.sourceName ?? ''] ?? '') };
}

/** Checks what dexsync says about an import; returns the rows that must be in the workspace. */
function expectTold(given: Given, { rows, refused = [], passedOver = [] }: Told, out: string): Row[] {
  expect([given.name, given.rows.size]).toEqual([given.name, rows]);
  const told = toldOf(given.name, out);
  expect(told.refused).toEqual(refused.map((refusal) => numbered(refusal, given)));
  const known = refused.filter(({ code }) => code !== UNFORESEEN).map(({ row }) => row);
  expect(told.foreseen).toEqual([...known, ...passedOver].sort((a, b) => a - b));
  const lost = `The service processed ${rows - passedOver.length} of ${rows} rows.`;
  expect(told.warnings).toEqual(passedOver.length === 0 ? [] : [lost]);
  const lostRows = [...refused.map(({ row }) => row), ...passedOver];
  return [...given.rows].filter(([row]) => !lostRows.includes(row)).map(([, row]) => expectedOf(row, given.mapping));
}

test.skipIf(!hasData)('every real file has a manifest', async () => {
  const files = readdirSync(DATA, { recursive: true, encoding: 'utf8' }).filter((file) => /\.\w+$/.test(file));
  const named = CASES.map(({ manifest }) => readFileSync(resolve('test/scenarios/real', manifest), 'utf8'));
  const lists = files.filter((file) => /\.(csv|tsv|xlsx)$/.test(file));
  expect(lists.length).toBeGreaterThan(20);
  expect(lists.filter((file) => !named.some((text) => text.includes(file)))).toEqual([]);
});

describe.skipIf(!hasData).each(['reference', 'arena'] as const)('real part lists in the dialect %s', (dialect) => {
  const all = dialect === 'reference' ? CASES : CASES.filter(({ manifest }) => OF_BOTH.includes(manifest));
  const cases = sample(all, 3);
  test.each(cases)('$manifest loads, reads back equal, and is done', async ({ manifest, imports }) => {
    const { text, run, items, lines, workspace } = await loading(manifest, dialect);
    const given = await givenBy(text);
    const applied = await run(['apply', '--yes', '--json']);
    const complete = Object.values(imports).every(({ refused }) => refused === undefined);
    expect([applied.code, applied.err]).toEqual([complete ? 0 : 8, '']);
    expect(given.map(({ name }) => name).sort()).toEqual(Object.keys(imports).sort());

    const good = given.map((one) => ({ ...one, good: expectTold(one, imports[one.name] as Told, applied.out) }));
    const specs = good.filter(({ resource }) => resource === 'ITEM_SPECS');
    expect(sorted(shownOf(await items(), specs))).toEqual(sorted(overwritten(specs.flatMap((one) => one.good))));
    const boms = good.filter(({ resource }) => resource === 'ITEM_BOM');
    const found = (await lines()).map((line) => picked(line, boms[0]?.mapping ?? []));
    expect(sorted(found)).toEqual(sorted(boms.flatMap((one) => one.good)));

    const before = await workspace.usage();
    const again = await run(['plan', '--detailed-exitcode']);
    expect([again.code, again.err]).toEqual([0, '']);
    expect((await workspace.usage()).slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});

/** A later row of the same number changes the columns that it has. */
function overwritten(rows: readonly Row[]): Row[] {
  const items = new Map<string, Row>();
  for (const row of rows) items.set(row.number ?? '', { ...items.get(row.number ?? ''), ...row });
  return [...items.values()];
}

/** The fields of each item that some import gave it. */
function shownOf(items: readonly Row[], specs: readonly (Given & { readonly good: readonly Row[] })[]): Row[] {
  return items.map((item) => {
    const its = specs.filter(({ good }) => good.some(({ number }) => number === item.number));
    return Object.assign({}, ...its.map(({ mapping }) => picked(item, mapping)));
  });
}
