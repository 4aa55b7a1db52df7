import { describe, expect, test } from 'vitest';
import { fileOf, readAll, refusal } from '../support.js';

const rowsOf = async (lines: readonly string[], options = {}) => {
  const { headers, rows } = await readAll(await fileOf('list.txt', `${lines.join('\r\n')}\r\n`), options);
  return { headers, rows: rows.map(({ row, cells }) => [row, ...cells]) };
};

const PARTS = [
  'Partlist',
  '',
  'Exported at 12/7/21, 10:09',
  '',
  'Part   Value            Qty  Library',
  '',
  'C1     100nF 16V          2  rcl',
  'U1                        1  Linear Technology',
  'LED_1  10µF/16V TANTALUM 10  rcl',
];

describe('a text whose columns spaces align', () => {
  test('is cut below the words of its header; empty cells stay empty', async () => {
    expect(await rowsOf(PARTS, { headerRow: 5 })).toEqual({
      headers: ['Part', 'Value', 'Qty', 'Library'],
      rows: [
        [7, 'C1', '100nF 16V', '2', 'rcl'],
        [8, 'U1', '', '1', 'Linear Technology'],
        [9, 'LED_1', '10µF/16V TANTALUM', '10', 'rcl'],
      ],
    });
  });

  test('may have cells that are longer than their column, and numbers that end below their header', async () => {
    const { rows } = await rowsOf([
      'Item    Name     Amount',
      ...['A-1     Bolt          2', 'A-2     Nut          12', 'A-3     Washer       30', 'A-4     Pin           1'],
      ...['A-5     Rod       10000', 'A-0000006 Plate       1'],
    ]);
    expect(rows.slice(4)).toEqual([
      [6, 'A-5', 'Rod', '10000'],
      [7, 'A-0000006', 'Plate', '1'],
    ]);
  });

  test('may be aligned by runs of tabs', async () => {
    const { headers, rows } = await rowsOf([
      'No\tDesignator\t\tName\t\t\tDescription',
      '-----------------------------------------------------------------',
      '1\tU1\t\t\tAS6C1008\t\tMemory',
      '2\tU2, U3, U4, U5\t\tLM358\t\t\tAmplifier',
      '3\tR1\t\t\t\t\t\tResistor',
    ]);
    expect(headers).toEqual(['No', 'Designator', 'Name', 'Description']);
    expect(rows.slice(1)).toEqual([
      [3, '1', 'U1', 'AS6C1008', 'Memory'],
      [4, '2', 'U2, U3, U4, U5', 'LM358', 'Amplifier'],
      [5, '3', 'R1', '', 'Resistor'],
    ]);
  });

  test('is not one whose cells are one tab apart', async () => {
    const { rows } = await rowsOf(['No\tName\tQty', '1\t\t3', '2\tNut\t4']);
    expect(rows).toEqual([
      [2, '1', '', '3'],
      [3, '2', 'Nut', '4'],
    ]);
  });

  test('is asked for by its name, and refused if no line heads columns', async () => {
    expect((await rowsOf(PARTS, { headerRow: 5, delimiter: 'aligned' })).rows).toHaveLength(3);
    expect(await refusal(rowsOf(['Part,Qty', 'A-1,2'], { delimiter: 'aligned' }))).toContain(
      'list.txt has no line of headers with columns below them that spaces align.',
    );
    expect((await rowsOf(PARTS, { headerRow: 5, delimiter: ';' })).headers).toHaveLength(1);
  });
});
