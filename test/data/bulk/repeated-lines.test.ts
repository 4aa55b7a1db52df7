import { readdir, readFile } from 'node:fs/promises';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { definitionOf, fileOf, findingLines, prepare } from './support.js';

const BOM = { number: 'Parent', 'item.number': 'Child', quantity: 'Qty', refDes: 'Ref', notes: 'Notes' };
const HEAD = 'Parent,Child,Qty,Ref,Notes';

async function prepared(mode: string, lines: readonly string[], over: object = {}, options: object = {}) {
  const path = await fileOf('bom.csv', `${[HEAD, ...lines].join('\n')}\n`);
  return prepare(path, definitionOf('ITEM_BOM', mode, BOM, options), {}, { repeated: 'sum', ...over });
}

/** The rows that are sent, read by another library. */
const sent = async ({ path }: { path: string }): Promise<string[]> =>
  Papa.parse<string[]>(await readFile(path, 'utf8'), { skipEmptyLines: true })
    .data.slice(1)
    .map((cells) => cells.join('|'));

describe('repeated lines of a BOM', () => {
  test('count once under `once` if they are equal, and are added up otherwise', async () => {
    const lines = ['A,R,2,"R1,R2",', ' A,R,2,"R1,R2",', 'A,S,4,,', 'A,S,4,,', 'A,R,1,R3,', 'A,S,1,,', 'B,S,4,,'];
    const made = await prepared('OVERWRITE', lines, { repeated: 'once' });
    expect([findingLines(made), await sent(made)]).toEqual([[], ['A|R|3|R1,R2,R3|', 'A|S|5||', 'B|S|4||']]);
    const taken = await prepared('OVERWRITE', ['A,R,1,R1,', 'A,S,1,R1,'], { repeated: 'once' });
    expect(findingLines(taken)).toEqual([expect.stringContaining('error designator-repeated row 3')]);
  });

  test('become one in the place of the first: quantities added, designators joined in the order of the rows', async () => {
    const made = await prepared('OVERWRITE', [
      'A,R,2,"R1, R2",x',
      'A,C,1,C1,',
      'A,R,1,R7,x',
      'B,R,5,,',
      '" A ",R,1.5,"R9,",x',
      'A,C,0.1,C2,',
    ]);
    expect(await sent(made)).toEqual(['A|R|4.5|R1, R2,R7,R9|x', 'A|C|1.1|C1,C2|', 'B|R|5||']);
    expect([made.rows, made.repeats?.count]).toEqual([3, 3]);
    expect([1, 2, 3].map((n) => [made.sourceRowOf(n), made.repeats?.rowsOf(n)])).toEqual([
      [2, [4, 6]],
      [3, [7]],
      [5, []],
    ]);
    expect([2, 3, 4, 5, 6, 7, 8].map((row) => made.repeats?.dataRowOf(row))).toEqual([
      ...[undefined, undefined, 1, undefined, 1, 2, undefined],
    ]);
    expect(findingLines(made).map((line) => line.split(':')[0])).toEqual([
      'error designators-uneven row 2 "Ref"',
      'error designators-uneven row 3 "Ref"',
    ]);
  });

  test('have as many designators as pieces together, not row by row', async () => {
    const right = await prepared('OVERWRITE', ['A,R,1,"R1,R2",', 'A,R,1,,']);
    expect([findingLines(right), await sent(right)]).toEqual([[], ['A|R|2|R1,R2|']]);
    const wrong = await prepared('OVERWRITE', ['A,R,1,R1,', 'A,R,2,,', 'A,C,2,C1,']);
    expect(findingLines(wrong)).toEqual([
      expect.stringContaining('row 2 "Ref": The quantity is 3, but there is 1 reference designator.'),
      expect.stringContaining('row 4 "Ref": The quantity is 2, but there is 1 reference designator.'),
    ]);
  });

  test('have each designator once', async () => {
    expect(findingLines(await prepared('OVERWRITE', ['A,R,1,R1,', 'A,R,1,R1,']))).toEqual([
      expect.stringContaining('error designator-repeated row 3'),
    ]);
  });

  test('are not added up where they differ in anything else: both rows are named, and nothing is lost', async () => {
    const made = await prepared('OVERWRITE', ['A,R,2,,x', 'A,R,1,,y', 'A,R,3,,x']);
    expect(findingLines(made)).toEqual([
      'error key-overwritten row 3 "Child": "A / R" is already in row 2, and they differ in more than quantity and ' +
        'reference designators, so the two rows are not added up. Correct the cells, or keep one of the rows.',
    ]);
    expect(await sent(made)).toEqual(['A|R|5||x', 'A|R|1||y']);
  });

  test.each(['', 'two', '0', '[Remove Value]'])('are not added up where a quantity is %j', async (quantity) => {
    for (const rows of [
      ['A,R,2,,', `A,R,${quantity},,`],
      [`A,R,${quantity},,`, 'A,R,2,,'],
    ]) {
      const made = await prepared('OVERWRITE', rows);
      expect(await sent(made)).toHaveLength(2);
      expect(findingLines(made).join('\n')).toContain('one of their quantities is not a number above 0');
    }
  });

  test('stay separate where they differ and a definition allows that', async () => {
    const made = await prepared('CREATE', ['A,R,2,,x', 'A,R,1,,y', 'A,R,3,,x'], {}, { createDuplicates: 'ALLOW' });
    expect([findingLines(made), await sent(made)]).toEqual([[], ['A|R|5||x', 'A|R|1||y']]);
  });

  test('give the same content as a file that has them added up', async () => {
    const [added, whole] = [
      await prepared('REPLACE', ['A,R,2,R1,', 'A,C,1,,', 'A,R,1,R2,']),
      await prepared('REPLACE', ['A,R,3,"R1,R2",', 'A,C,1,,'], { repeated: 'error' }),
    ];
    expect(added.rowsDigest).toBe(whole.rowsDigest);
    const unsummed = await prepared('OVERWRITE', ['A,R,2,R1,', 'A,C,1,,', 'A,R,1,R2,'], { repeated: 'error' });
    expect(unsummed.rowsDigest).not.toBe(added.rowsDigest);
  });

  test('are counted once where rows are divided into runs', async () => {
    const rows = ['A,R,1,,', 'A,R,1,,', 'A,C,1,,', 'B,R,1,,'];
    const made = await prepared('OVERWRITE', rows, { division: { by: 'size', rowsPerRun: 2 } });
    expect(made.parts.map(({ first, last }) => [first, last])).toEqual([
      [1, 2],
      [3, 3],
    ]);
  });

  test('leave no message and no second spool where there are none', async () => {
    const made = await prepared('OVERWRITE', ['A,R,1,,', 'A,C,1,,']);
    expect(made.repeats).toBeUndefined();
    expect(await readdir(made.path.replace(/rows\.csv$/, ''))).not.toContain('source-rows.csv');
  });

  test('cannot be added up where the column of quantities is missing or empty', async () => {
    const items = definitionOf('ITEM_SPECS', 'OVERWRITE', { number: 'Parent', name: 'Child' });
    const path = await fileOf('a.csv', `${HEAD}\nA,R,1,,\n`);
    expect(findingLines(await prepare(path, items, {}, { repeated: 'sum' }))).toEqual([
      'error repeated-impossible `repeated: sum` adds up the quantities of BOM lines, but rows of ITEM_SPECS are not lines of a BOM. Leave out `repeated`.',
    ]);
    const bare = definitionOf('ITEM_BOM', 'OVERWRITE', { number: 'Parent', 'item.number': 'Child' });
    expect(findingLines(await prepare(path, bare, {}, { repeated: 'sum' }))[0]).toContain(
      'no column is mapped to "quantity"',
    );
    expect(findingLines(await prepared('DELETE', ['A,R,1,,']))[0]).toContain('mode DELETE takes no quantities');
    expect(findingLines(await prepared('OVERWRITE', ['A,R,1,,'], { upload: 'original' }))[0]).toContain(
      '`repeated: sum` changes its rows',
    );
  });
});
