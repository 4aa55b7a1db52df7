import { describe, expect, test } from 'vitest';
import { expectedOf, type Given, givenBy, loading, picked, type Refusal, sorted, toldOf } from './loading.js';
import { hasData } from './tables.js';

/** What keeps rows of an import out, and which. */
interface Expected {
  readonly refused: readonly Refusal[];
  /** Rows without a value in any mapped column, which the service does not count. */
  readonly passedOver?: readonly number[];
}

interface Case {
  readonly manifest: string;
  readonly rows: number;
  readonly parts?: Expected;
  readonly bom?: Expected;
}

const refusals = (rows: readonly number[], code: number, message: string): Refusal[] =>
  rows.map((row) => ({ row, code, message }));

const withoutNumber = (...rows: number[]) => refusals(rows, 3001, 'The attribute "number" is required.');
const withoutChild = (...rows: number[]) => refusals(rows, 3001, 'The attribute "item.number" is required.');
/** `{}` stands for the number in the row. */
const repeated = (...rows: number[]) => refusals(rows, 3025, 'An item with the number "{}" exists already.');

/** Resistors and capacitors of any make, a jumper, and a coil that is wound to order. */
const UNNUMBERED = [2, 3, 4, 5, 6, 7, 11, 29, 32, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50];

/** The summary below the table, in two columns; of row 65 even the second is empty. */
const SUMMARY = [59, 60, 61, 62, 63, 64, 66, 67, 68];

const CASES: readonly Case[] = [
  { manifest: 'libresolar-board.yaml', rows: 62 },
  {
    manifest: 'libresolar-ordered.yaml',
    rows: 62,
    parts: { refused: [...withoutNumber(...UNNUMBERED), ...repeated(53)] },
    bom: { refused: withoutChild(...UNNUMBERED) },
  },
  { manifest: 'libresolar-mechanical.yaml', rows: 5 },
  {
    manifest: 'px4.yaml',
    rows: 234,
    // Row 33 is a second source of row 2, row 183 lacks the number, and row 227 is an asterisk and nothing else.
    parts: {
      refused: [...repeated(33), ...withoutNumber(183), ...refusals([227], 3001, 'The attribute "name" is required.')],
    },
    bom: { refused: [...withoutChild(183), ...refusals([227], 3012, 'There is no item with the number "{}".')] },
  },
  {
    manifest: 'ulx3s.yaml',
    rows: 62,
    // Two colours of one diode are in two rows each.
    parts: { refused: [...repeated(15, 17), ...withoutNumber(...SUMMARY)], passedOver: [65] },
    bom: { refused: withoutChild(...SUMMARY, 65).sort((a, b) => a.row - b.row) },
  },
  { manifest: 'ulx3s-order.yaml', rows: 63 },
];

const NONE: Expected = { refused: [] };
/** Whether an item exists is for the service to say. */
const UNFORESEEN = 3012;

function numbered({ row, code, message }: Refusal, { rows, mapping }: Given): Refusal {
  const key = mapping.find(({ apiName, sourceName }) => /number$/.test(apiName ?? '') && sourceName !== 'Assembly');
  return { row, code, message: message.replace('{}', rows.get(row)?.[key?.sourceName ?? ''] ?? '') };
}

describe.skipIf(!hasData).each(['reference', 'arena'])('real part lists in the dialect %s', (dialect) => {
  test.each(CASES)('$manifest loads, reads back equal, and is done', async ({ manifest, rows, parts, bom }) => {
    const { text, run, items, lines, workspace } = await loading(manifest, dialect);
    const given = await givenBy(text);
    const applied = await run(['apply', '--yes', '--json']);
    const complete = [parts, bom].every((expected) => expected === undefined);
    expect([applied.code, applied.err]).toEqual([complete ? 0 : 8, '']);

    for (const [name, found, { refused, passedOver = [] }] of [
      ['Parts', await items(), parts ?? NONE],
      ['BOM', await lines(), bom ?? NONE],
    ] as const) {
      const { rows: all, mapping } = given.get(name) as Given;
      expect(all.size).toBe(rows);
      const told = toldOf(name, applied.out);
      expect(told.refused).toEqual(refused.map((refusal) => numbered(refusal, { rows: all, mapping })));
      const known = refused.filter(({ code }) => code !== UNFORESEEN).map(({ row }) => row);
      expect(told.foreseen).toEqual([...known, ...passedOver].sort((a, b) => a - b));
      const lost = `The service processed ${rows - passedOver.length} of ${rows} rows.`;
      expect(told.warnings).toEqual(passedOver.length === 0 ? [] : [lost]);

      const out = [...refused.map(({ row }) => row), ...passedOver];
      const good = [...all].filter(([row]) => !out.includes(row)).map(([, row]) => expectedOf(row, mapping));
      expect(sorted(found.map((one) => picked(one, mapping)))).toEqual(sorted(good));
    }

    const before = await workspace.usage();
    const again = await run(['plan', '--detailed-exitcode']);
    expect([again.code, again.err]).toEqual([0, '']);
    expect((await workspace.usage()).slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
