import { describe, expect, test } from 'vitest';
import { type FoundTable, rangeText, TableFinder } from '#data/bulk/inspect/find-tables.js';
import { findHeader } from '#data/bulk/inspect/table-header.js';

const lines = (rows: readonly string[]) => rows.map((text, index) => ({ row: index + 1, cells: text.split('|') }));

function tablesOf(rows: readonly string[]): FoundTable[] {
  const finder = new TableFinder();
  for (const row of lines(rows)) finder.add(row);
  return finder.tables();
}

const ranges = (rows: readonly string[]): string[] =>
  tablesOf(rows).map((table) => `${rangeText(table)} ${table.rows}/${table.filled}`);

describe('the tables of a sheet', () => {
  test('are split by blank rows where the next rows are narrower or have a header of their own', () => {
    expect(ranges(['Part|Qty|Note|Site', 'a|1|x|y', 'b|2|y|z', '', 'Printed|today', 'by|me'])).toEqual([
      'A1:D3 3/12',
      'A5:B6 2/4',
    ]);
    expect(ranges(['Part|Qty', 'a|1', 'b|2', '', 'Part|Qty', 'c|3'])).toEqual(['A1:B3 3/6', 'A5:B6 2/4']);
    expect(ranges(['Title', '', 'Part|Qty', 'a|1'])).toEqual(['A1:A1 1/1', 'A3:B4 2/4']);
  });

  test('continue behind a blank row with rows like theirs', () => {
    expect(ranges(['Part|Qty', 'a|1', 'b|2', '|', 'c|3'])).toEqual(['A1:B5 4/8']);
    expect(tablesOf(['Part|Qty', 'a|1', 'b|2', '', 'c|3'])[0]?.holds).toBe('blank rows');
    expect(tablesOf(['Part|Qty', 'a|1', 'b|2'])[0]?.holds).toBe('rows');
  });

  test('are side by side where their rows differ; an empty column within a table splits nothing', () => {
    const beside = ['Part|Qty||', 'a|1||Name|Phone', 'b|2||Ann|1', 'c|3|||', 'd|4|||', 'e|5|||'];
    expect(ranges(beside)).toEqual(['A1:B6 6/12', 'D2:E3 2/4']);
    expect(ranges(['Part|Qty||Note|Site', 'a|1||x|y', 'b|2||x|y'])).toEqual(['A1:E3 3/12']);
  });

  test('are split only by their own rows: 100,000 rows with blank ones between them are one table', () => {
    const finder = new TableFinder();
    for (let row = 0; row < 100_000; row += 1)
      finder.add({ row: 2 * row + 1, cells: row === 0 ? ['Part', 'Qty'] : [`P${row}`, '1'] });
    const tables = finder.tables();
    expect(tables.at(-1)?.rows).toBe(100_000);
  });
});

describe('the header of a table', () => {
  test.each([
    ['the first row', ['Part Number|Qty', 'a|1'], { row: 1, rows: 1, firstRow: 2 }],
    ['below a title', ['Pump|', 'Part Number|Qty|Name', 'a|1|x'], { row: 2, rows: 1, firstRow: 3 }],
    ['below a title in two cells', ['Pump|2026', 'Part Number|Qty|Name', 'a|1|x'], { row: 2, rows: 1, firstRow: 3 }],
    ['none: numbers', ['0010|3|x', '0020|1|y'], { rows: 0, firstRow: 1 }],
    ['none: codes', ['RC0402-1', 'RC0402-2'], { rows: 0, firstRow: 1 }],
    ['none, below a comment', ['# made by a script|', '0010|3|x', '0020|1|y'], { rows: 0, firstRow: 2, comment: '#' }],
    [
      'two rows, the upper one over groups',
      ['|Size|', 'Part Number|L|L', 'a|1|2', 'b|3|4'],
      { row: 1, rows: 2, firstRow: 3 },
    ],
    ['two rows', ['Part Number|Size||Note', '|Length|Width|', 'a|1|2|x', 'b|3|4|y'], { row: 1, rows: 2, firstRow: 3 }],
    [
      'two rows with names, above variants',
      ['QTY||PART OR|NOMENCLATURE OR|ITEM', '-02|-01|IDENTIFYING NO.|DESCRIPTION|NO.', '1|2|D-1|x|1'],
      { row: 1, rows: 2, firstRow: 3 },
    ],
    ['unknown names', ['Foo|Bar', 'a|b', 'c|d'], { row: 1, rows: 1, firstRow: 2 }],
    ['one row', ['Foo|1'], { row: 1, rows: 1, firstRow: 2 }],
  ] as const)('%s', (_, rows, found) => {
    expect(findHeader(lines(rows))).toEqual(found);
  });
});
