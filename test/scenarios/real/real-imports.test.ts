import { describe, expect, test } from 'vitest';
import { expectedOf, givenBy, loading, picked, type Refusal, refusalsIn, sorted } from './loading.js';
import { hasData } from './tables.js';

interface Case {
  readonly manifest: string;
  readonly rows: number;
  readonly refused?: { readonly Parts: readonly Refusal[]; readonly BOM: readonly Refusal[] };
}

const CASES: readonly Case[] = [
  { manifest: 'libresolar-board.yaml', rows: 62 },
  { manifest: 'libresolar-ordered.yaml', rows: 62 },
  { manifest: 'libresolar-mechanical.yaml', rows: 5 },
  { manifest: 'px4.yaml', rows: 234 },
  { manifest: 'ulx3s.yaml', rows: 62 },
];

const ACCEPTED = { Parts: [], BOM: [] };

describe.skipIf(!hasData).each(['reference', 'arena'])('in the dialect %s', (dialect) => {
  test.each(CASES)('$manifest loads and reads back equal', async ({ manifest, rows, refused = ACCEPTED }) => {
    const { run, items, lines, workspace, ...loaded } = await loading(manifest, dialect);
    const given = await givenBy(loaded.manifest);
    const applied = await run(['apply', '--yes', '--json']);
    console.log(manifest, applied.code, applied.err, JSON.stringify([...refusalsIn(applied.out)]), applied.out.slice(-2000));
    for (const [name, found] of [['Parts', await items()], ['BOM', await lines()]] as const) {
      const { rows: all, mapping } = given.get(name) ?? { rows: new Map(), mapping: [] };
      expect(all.size).toBe(rows);
      const told = refusalsIn(applied.out).get(name) ?? [];
      const out = told.map(({ row }) => row);
      const good = [...all].filter(([row]) => !out.includes(row)).map(([, row]) => expectedOf(row, mapping));
      expect(sorted(found.map((one) => picked(one, mapping)))).toEqual(sorted(good));
    }
    const before = await workspace.usage();
    const again = await run(['plan', '--detailed-exitcode']);
    expect([again.code, again.err]).toEqual([0, '']);
    expect((await workspace.usage()).slice(before.length).filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
