import { expect, test } from 'vitest';
import type { RowChange } from '#core/model/rows-preview.js';
import { compareRows } from '#data/bulk/compare/compare-rows.js';
import { KeyedRows } from '#data/bulk/compare/keyed-rows.js';
import { definitionOf, fileOf, temporaryFolder } from '../support.js';

const COLUMNS = ['number', 'name', 'standardCost', 'category.path'];

/** Compares rows with items of these names and costs, in a category that no test changes. */
async function compare(
  rows: readonly string[],
  items: Readonly<Record<string, readonly [name: string, cost: string]>>,
  signal = new AbortController().signal,
) {
  const records = await KeyedRows.open(await temporaryFolder(), 'records');
  for (const [number, [name, cost]] of Object.entries(items)) {
    records.add(
      [number],
      [
        ['text', name],
        ['number', cost],
        ['text', 'Item\\Cable'],
      ],
      `GUID ${number}`,
    );
  }
  records.seal();
  const columns = COLUMNS.map((field, index) => ({
    ...{ header: field, fields: [field.toLowerCase()] },
    from: { type: 'cell' as const, index },
  }));
  const path = await fileOf('rows.csv', `${COLUMNS.join(',')}\n${rows.map((row) => `${row}\n`).join('')}`);
  const prepared = { path, rows: rows.length, columns, sourceRowOf: (n: number) => n + 1 };
  const definition = definitionOf('ITEM_SPECS', 'OVERWRITE', {});
  const changes: RowChange[] = [];
  try {
    const compared = await compareRows(
      { prepared, definition, records, signal },
      (change) => void changes.push(change),
    );
    return { ...compared, changes };
  } finally {
    records.close();
  }
}

test('a repeated row with the same content is one change; with other content it never counts as unchanged', async () => {
  const items = { A: ['one', '1'], B: ['two', '2'] } as const;
  const { changes, counts } = await compare(
    ['A,one,1,', 'A,other,1,', 'B,new,2,', 'B,new,2,', 'C,c,,', 'C,c,,', 'C,d,,'],
    items,
  );
  expect(changes.map(({ change, row, cells }) => [change, row, cells?.map(({ after }) => after)])).toEqual([
    ['changed', 3, ['other']],
    ['changed', 4, ['new']],
    ['new', 6, ['c']],
    ['new', 8, ['d']],
  ]);
  expect(counts).toMatchObject({ new: 2, changed: 2, unchanged: 3, notCompared: 0 });
});

test('a cell that empties a category is not compared, since the replacement by the service is unknown', async () => {
  const { changes, counts, columnsNotCompared } = await compare(['A,one,1.0,[Remove Value]'], { A: ['one', '1'] });
  expect([changes, counts.notCompared, columnsNotCompared]).toEqual([[], 1, ['category.path']]);
});

test('an interruption ends the comparison', async () => {
  const work = compare(['A,one,1,'], { A: ['one', '1'] }, AbortSignal.abort());
  await expect(work).rejects.toMatchObject({ code: 'INTERRUPTED', message: 'Interrupted while comparing rows.' });
});

test('records are found by their other name at any time', async () => {
  const records = await KeyedRows.open(await temporaryFolder(), 'records');
  records.add(['P-1'], [null], 'G1');
  records.add(['P-2'], [['text', 'two']], 'G2');
  records.seal();
  expect(records.withName('G2')).toEqual([{ id: 2, key: ['P-2'], values: [['text', 'two']] }]);
  expect(records.withKey(['P-1'])).toEqual([{ id: 1, key: ['P-1'], values: [null] }]);
  const [one] = records.withName('G1');
  expect(one && records.mark(one)).toBe('first');
  expect([...records.unmarked()].map(({ key }) => key)).toEqual([['P-2']]);
  records.close();
});
