import { describe, expect, test } from 'vitest';
import type { ImportSource } from '#core/jobs/source.js';
import type { Hierarchy } from '#core/jobs/source-cells.js';
import { definitionOf, fileOf, findingLines, prepare, readAll, refusal } from '../support.js';
import { outlinedWorkbook } from './raw-workbook.js';

/** `parent > child` of each line. */
async function linesOf(path: string, hierarchy: Hierarchy, more: Partial<ImportSource> = {}) {
  const { headers, rows } = await readAll(path, { ...more, hierarchy });
  const [child, parent] = [headers.indexOf('Part'), headers.indexOf('Parent Number')];
  return rows.map(({ row, cells }) => `${row} ${cells[parent]} > ${cells[child]}`);
}

const levelled = (levels: readonly string[], parts: readonly string[]) =>
  fileOf('h.csv', `Level,Part,Qty\n${levels.map((level, index) => `${level},${parts[index]},1\n`).join('')}`);

const PARTS = ['PUMP', 'HEAD', 'SEAL', 'BOLT', 'BASE', 'BOLT'];
const LINES = ['3 PUMP > HEAD', '4 HEAD > SEAL', '5 HEAD > BOLT', '6 PUMP > BASE', '7 BASE > BOLT'];

describe('the parents of rows', () => {
  test.each([
    ['numbers', ['0', '1', '2', '2', '1', '2']],
    ['numbers from one, behind dots', ['1', '.2', '..3', '..3', '.2', '..3']],
    ['dashes alone', ['-', '--', '---', '- - -', '--', '---']],
  ])('by levels: %s', async (_, levels) => {
    expect(await linesOf(await levelled(levels, PARTS), { level: 'Level', number: 'Part' })).toEqual(LINES);
  });

  test('by dotted numbers, also those that end with a dot', async () => {
    const path = await levelled(['1', '1.1.', '1.1.1', '1.1.2', '1.10', '1.10.1'], PARTS);
    expect(await linesOf(path, { path: 'Level', number: 'Part' })).toEqual(LINES);
  });

  test('by columns of which one has a value', async () => {
    const marks = ['x;;', ';x;', ';;x', ';;x', ';x;', ';;x'];
    const path = await fileOf(
      'h.csv',
      `L1;L2;L3;Part\n${marks.map((mark, row) => `${mark};${PARTS[row]}\n`).join('')}`,
    );
    expect(await linesOf(path, { level: ['L1', 'L2', 'L3'], number: 'Part' })).toEqual(LINES);
  });

  test('by the outline of a worksheet', async () => {
    const path = await outlinedWorkbook(
      ['Part'],
      [0, 1, 2, 2, 1, 2].map((level, row) => [level, [PARTS[row] ?? '']]),
    );
    expect(await linesOf(path, { outline: true, number: 'Part' })).toEqual(LINES);
  });

  test('come from top for the highest rows; rows that are left out are parents all the same', async () => {
    const path = await levelled(['1', '2', '1', '2'], ['A', 'B', 'C', 'D']);
    const hierarchy = { level: 'Level', number: 'Part', top: 'X' };
    expect(await linesOf(path, hierarchy)).toEqual(['2 X > A', '3 A > B', '4 X > C', '5 C > D']);
    expect(await linesOf(path, hierarchy, { where: { Part: ['B', 'D'] } })).toEqual(['3 A > B', '5 C > D']);
    const added = { columns: { Number: 'P-{Part}' }, hierarchy: { ...hierarchy, number: 'Number' } };
    expect((await readAll(path, added)).rows.map(({ cells }) => cells)).toEqual([
      ['1', 'A', '1', 'P-A', 'X'],
      ['2', 'B', '1', 'P-B', 'P-A'],
      ['1', 'C', '1', 'P-C', 'X'],
      ['2', 'D', '1', 'P-D', 'P-C'],
    ]);
  });

  test('an assembly that is listed again has its lines once, and a part that only the later list has is an error', async () => {
    const path = await levelled(
      ['0', '1', '2', '2', '1', '2', '2', '1', '1', '2'],
      ['X', 'S', 'A', 'A', 'T', 'S', 'B', 'S', 'S', 'A'],
    );
    expect(await linesOf(path, { level: 'Level', number: 'Part' })).toEqual([
      '3 X > S',
      '4 S > A',
      '5 S > A',
      '6 X > T',
      '7 T > S',
      '8 T > B',
      '9 X > S',
      '10 X > S',
    ]);
    const other = await levelled(['0', '1', '2', '1', '2'], ['X', 'S', 'A', 'S', 'B']);
    expect(await findings(other, { level: 'Level', number: 'Part' })).toEqual([
      'error parent-unknown row 6 "Parent Number": The cell in column "Parent Number" has "S", which is listed further up without this row below it (assemblies with different rows need different numbers). Correct the level of the row, or `hierarchy` in the source.',
    ]);
  });

  const findings = async (path: string, hierarchy: Hierarchy) => {
    const mapping = { number: 'Parent Number', 'item.number': 'Part', quantity: 'Qty' };
    const found = findingLines(await prepare(path, definitionOf('ITEM_BOM', 'CREATE', mapping), { hierarchy }));
    return found.filter((line) => line.includes('parent-unknown'));
  };

  test('a level that is missing, that skips one, or that comes before the first is an error of its row', async () => {
    const says = async (levels: readonly string[], by: 'level' | 'path') => {
      const path = await levelled(
        levels,
        levels.map((_, index) => `P${index}`),
      );
      const found = await findings(path, { [by]: 'Level', number: 'Part' } as Hierarchy);
      return found.map((line) => line.replace(/.* row (\d+) .*is empty: (.*?)\. Correct.*/, '$1 $2'));
    };
    expect(await says(['1', '', '3', '2'], 'level')).toEqual([
      '3 the row has no level',
      '4 the row has level 3, and no row above it has level 2',
    ]);
    expect(await says(['2', '3', '1', 'abc'], 'level')).toEqual([
      '4 the row has level 1, and no row above it has level 0',
      '5 the row has no level',
    ]);
    expect(await says(['1', '1.1', '1.2.1', '2.1', '1-2'], 'path')).toEqual([
      '4 the row is "1.2.1", and no row "1.2" is above it',
      '5 the row is "2.1", and no row "2" is above it',
      '6 the row has no level',
    ]);
  });

  test('need an existing column, and may have another name for the added one', async () => {
    const path = await levelled(['0', '1'], ['A', 'B']);
    expect(await refusal(readAll(path, { hierarchy: { level: 'Lvl', number: 'Part' } }))).toContain(
      '`hierarchy.level` refers to the column "Lvl"',
    );
    const { headers, rows } = await readAll(path, {
      hierarchy: { level: 'Level', number: 'Part', parent: 'Assembly' },
    });
    expect([headers, rows]).toEqual([['Level', 'Part', 'Qty', 'Assembly'], [{ row: 3, cells: ['1', 'B', '1', 'A'] }]]);
  });
});
