import { Readable } from 'node:stream';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { RowError } from '#core/stream/row-error.js';
import { joinReport } from '#data/bulk/errors/join-report.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { scaled } from '../../../harness/sample.js';
import { reportOf } from '../../imports/scripted-runs.js';
import { definitionOf, fileOf, prepare } from '../support.js';

const BOM = definitionOf('ITEM_BOM', 'CREATE', { number: 'Parent', 'item.number': 'Child' });

interface Line {
  readonly parent: string;
  readonly child: string;
  /** Blank rows of the sheet before it. */
  readonly gap: number;
}

async function prepared(lines: readonly Line[]): Promise<PreparedImport> {
  const body = lines.map(({ parent, child, gap }) => `${'\n'.repeat(gap)}${parent},${child}\n`).join('');
  return prepare(await fileOf('bom.csv', `Parent,Child\n${body}`), BOM);
}

/** Failed rows, how their messages name them, and the lines of the report that have them. */
const failures = (rows: number) =>
  fc.uniqueArray(
    fc.record({
      n: fc.integer({ min: 1, max: rows }),
      message: fc.constantFrom('silent' as const, 'quoting' as const),
      order: fc.nat(),
    }),
    { selector: ({ n }) => n, minLength: 1, maxLength: rows },
  );

/** The row that each line of the report truly means, by the number of its status. */
const truth = (errors: readonly RowError[]): [number, number | undefined][] =>
  errors.filter(({ certainty }) => certainty === 'certain').map(({ code, dataRow }) => [(code ?? 0) - 10_000, dataRow]);

const table = fc.array(
  fc.record({ parent: fc.constantFrom('A', 'B', 'C'), child: fc.constantFrom('X', 'Y', 'Z', 'A'), gap: fc.nat(1) }),
  { minLength: 1, maxLength: 12 },
);

const world = table.chain((lines) =>
  fc.record({
    lines: fc.constant(lines),
    failed: failures(lines.length),
    shift: fc.integer({ min: -3, max: 6 }),
    counts: fc.constantFrom('rows' as const, 'sheet rows' as const),
  }),
);

test('no line is certain about a wrong row, with any shift and order of the report', async () => {
  await fc.assert(
    fc.asyncProperty(world, async ({ lines, failed, shift, counts }) => {
      const source = await prepared(lines);
      const report = failed
        .toSorted((a, b) => a.order - b.order)
        .map(({ n, message }) => {
          const { parent, child } = lines[n - 1] as Line;
          const place = counts === 'rows' ? n + 1 : (source.sourceRowOf(n) ?? 0);
          const said = message === 'silent' ? 'No.' : `"There is no item ""${child}""."`;
          return `${Math.max(0, place + shift)},${parent},Error,${10_000 + n},${said}`;
        });
      // A number below 0 cannot be written: such a report has no one shift.
      fc.pre(failed.every(({ n }) => (counts === 'rows' ? n + 1 : (source.sourceRowOf(n) ?? 0)) + shift >= 0));
      const path = `${source.path}.errors`;
      const { kept } = await joinReport(Readable.from([reportOf(...report)]), { prepared: source, path, keep: 100 });
      for (const [n, placed] of truth(kept)) expect(placed).toBe(n);
    }),
    { numRuns: scaled(250, 40) },
  );
});

test('no line is certain about a wrong row where some row numbers are wrong, as long as keys are right and unique', async () => {
  const rows = fc.integer({ min: 1, max: 12 });
  const damaged = rows.chain((count) =>
    fc.record({
      count: fc.constant(count),
      failed: failures(count),
      shift: fc.integer({ min: -1, max: 5 }),
      wrong: fc.array(fc.option(fc.nat(20)), { minLength: count, maxLength: count }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(damaged, async ({ count, failed, shift, wrong }) => {
      const lines = Array.from({ length: count }, (_, index) => ({ parent: `P${index}`, child: 'X', gap: 0 }));
      const source = await prepared(lines);
      const report = failed
        .toSorted((a, b) => a.order - b.order)
        .map(({ n }) => `${wrong[n - 1] ?? n + 1 + shift},P${n - 1},Error,${10_000 + n},No.`);
      const path = `${source.path}.errors`;
      const { kept } = await joinReport(Readable.from([reportOf(...report)]), { prepared: source, path, keep: 100 });
      for (const [n, placed] of truth(kept)) expect(placed).toBe(n);
    }),
    { numRuns: scaled(100, 20) },
  );
});
