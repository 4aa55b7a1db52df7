import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planJson } from '#app/views/plan-json.js';
import { addressOf } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { RowChange } from '#core/model/rows-preview.js';
import { openRowChanges } from '#data/imports/preview/row-changes.js';
import { temporaryFolder } from '../../data/bulk/support.js';
import { planReport } from './reports/hostile.js';

const ADDRESS = addressOf('Import', 'Parts');
const NONCE = 'b0b7c1de-0000-4000-8000-000000000001';

const change = (n: number, value = `v${n}`): RowChange => ({
  change: 'changed',
  row: n + 1,
  key: [`P-${n}`],
  cells: [{ column: 'Name', before: 'a', after: value }],
});

function planOf(...steps: readonly object[]): Plan {
  const { plan } = planReport(steps).planned ?? {};
  return { ...plan, nonce: NONCE } as Plan;
}

const importStep = (rows: readonly RowChange[], address = ADDRESS) => ({
  ...{ address, action: 'import', message: '500 rows.' },
  preview: { with: 'workspace', requests: 1, digest: 'x', rows },
});

const given = (rows: readonly RowChange[]) => ({
  of: (address: string) =>
    address === ADDRESS
      ? (async function* () {
          yield* rows;
        })()
      : undefined,
});

async function all<T>(given: AsyncIterable<T> | Iterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const one of given) found.push(one);
  return found;
}

async function parsed(plan: Plan, rows: readonly RowChange[]): Promise<Plan> {
  const pieces = await all(planJson(plan, given(rows)));
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(70_000);
  return JSON.parse(pieces.join('')) as Plan;
}

test('the document of a plan has all changed rows of its imports, and otherwise equals the plan', async () => {
  const all = Array.from({ length: 5000 }, (_, n) => change(n));
  const other = importStep([change(7)], addressOf('Import', 'Other'));
  const plan = planOf({ address: 'UserGroup/Quality', action: 'create' }, importStep(all.slice(0, 200)), other);
  expect(await parsed(plan, all)).toEqual({
    ...plan,
    steps: [plan.steps[0], { ...plan.steps[1], preview: { ...plan.steps[1]?.preview, rows: all } }, plan.steps[2]],
  });
  expect((await parsed(plan, [])).steps[1]?.preview?.rows).toEqual([]);
  const uncompared = planOf({
    address: ADDRESS,
    action: 'import',
    preview: { with: 'nothing', requests: 0, why: 'x' },
  });
  expect(await parsed(uncompared, all)).toEqual(uncompared);
});

test('no value of a plan is mistaken for the place of its rows', async () => {
  const hostile = [change(1, '"rows 0"'), change(2, `"rows ${NONCE.slice(0, 8)} 0"`), change(3, '\u2028"\n\\"rows')];
  const plan = planOf({ ...importStep(hostile.slice(0, 1)), message: `"rows ${NONCE}" rows 0"` });
  expect((await parsed(plan, hostile)).steps[0]).toMatchObject({
    message: plan.steps[0]?.message,
    preview: { rows: hostile },
  });
});

test('changes outlive the folder of their plan, and closing them removes them', async () => {
  const data = await temporaryFolder();
  const path = join(data, 'changes.ndjson');
  const rows = [change(1, 'a\u2028b\u2029c\r'), change(2)];
  await writeFile(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
  await mkdir(join(data, 'tmp'));
  const changes = await openRowChanges();
  await changes.keep([[ADDRESS, path]], data);
  expect(await readdir(data)).toEqual(['tmp']);
  expect(changes.of(addressOf('Import', 'Other'))).toBeUndefined();
  // More than once: standard output and a file may both have them.
  for (const _ of [1, 2]) expect(await all(changes.of(ADDRESS) ?? [])).toEqual(rows);
  await changes.close();
  expect([await readdir(join(data, 'tmp')), changes.of(ADDRESS)]).toEqual([[], undefined]);
});
