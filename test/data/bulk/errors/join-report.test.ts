import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { RowError } from '#core/stream/row-error.js';
import { joinReport } from '#data/bulk/errors/join-report.js';
import { readJoinedErrors } from '#data/bulk/errors/joined-file.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import { scaled } from '../../../harness/sample.js';
import { preparedRows, reportOf } from '../../imports/scripted-runs.js';
import { definitionOf, fileOf, prepare } from '../support.js';

const join = (
  lines: readonly string[],
  prepared: PreparedImport,
  more: Partial<Parameters<typeof joinReport>[1]> = {},
) =>
  joinReport(Readable.from([reportOf(lines.join('\r\n'))]), {
    prepared,
    path: `${prepared.path}.errors`,
    keep: 1000,
    ...more,
  });

/** Rows R1, R2, ... stand from row 3 of the file on. */
const joined = async (lines: readonly string[], rows = 10): Promise<readonly RowError[]> =>
  (await join(lines, await preparedRows(rows))).kept;

const short = (errors: readonly RowError[]) => errors.map(({ row, key, certainty }) => [row, key, certainty]);

describe('errors joined to the source', () => {
  test('are certain where row number and key agree', async () => {
    expect(short(await joined(['2,R1,Error,1,x', '5,R4,Error,1,x']))).toEqual([
      [3, 'R1', 'certain'],
      [6, 'R4', 'certain'],
    ]);
  });

  test.each([[0], [1], [3], [100]])('are certain too in a report whose base is shifted by %i', async (shift) => {
    const lines = [1, 4, 9].map((n) => `${n + 1 + shift},R${n},Error,1,x`);
    expect(short(await joined(lines))).toEqual([
      [3, 'R1', 'certain'],
      [6, 'R4', 'certain'],
      [11, 'R9', 'certain'],
    ]);
  });

  test('name the cell that the message is about, and otherwise the cell of the key', async () => {
    const [named, other] = await joined([
      '2,R1,Error,1,"The attribute ""NAME"" is required."',
      '3,R2,Error,1,Some trouble.',
    ]);
    expect(named).toMatchObject({ column: 'Description', value: 'part 1' });
    expect(other).toMatchObject({ column: 'Part Number', value: 'R2' });
  });

  test('state their doubt where row number and key disagree, and follow the key', async () => {
    const errors = await joined([
      '2,R1,Error,1,x',
      '3,R2,Error,1,x',
      '4,R9,Error,1,x',
      '5,R77,Error,1,x',
      '99,R4,Error,1,x',
      '98,R88,Error,1,x',
    ]);
    expect(errors.slice(2).map(({ row, certainty, doubt }) => [row, certainty, doubt])).toEqual([
      [
        6,
        'doubtful',
        'The service gives row number 5 (row 6 of the file), which has another key; no row has the key "R77".',
      ],
      [6, 'doubtful', 'The service gives row number 99, which matches no row; row 6 has the key "R4".'],
      [
        11,
        'doubtful',
        'The service gives row number 4 (row 5 of the file), which has another key; row 11 has the key "R9".',
      ],
      [undefined, 'doubtful', 'The service gives row number 98, which matches no row; no row has the key "R88".'],
    ]);
  });

  test('go by the row where there is no key, and by the key where there is no row number', async () => {
    expect(short(await joined(['4,,Error,1,x', ',R5,Error,1,x']))).toEqual([
      [5, '', 'by-row'],
      [7, 'R5', 'by-key'],
    ]);
  });

  test('do not prove another base by one far-off row number', async () => {
    expect(short(await joined(['9,R1,Error,1,x']))).toEqual([[3, 'R1', 'doubtful']]);
  });

  test('of a BOM, whose key is the parent’s: certain where parents show the base, by row where one parent has all lines', async () => {
    const definition = definitionOf('ITEM_BOM', 'CREATE', { number: 'Parent', 'item.number': 'Child' });
    const bomOf = async (parents: readonly string[]) =>
      prepare(
        await fileOf('bom.csv', `Parent,Child\n${parents.map((parent, n) => `${parent},C${n}\n`).join('')}`),
        definition,
      );
    const at = async (parents: readonly string[], ...lines: string[]) =>
      short((await join(lines, await bomOf(parents))).kept);
    expect(await at(['A', 'B', 'C', 'D'], '4,B,Error,1,x', '5,C,Error,1,x')).toEqual([
      [3, 'B', 'certain'],
      [4, 'C', 'certain'],
    ]);
    expect(await at(['A', 'A', 'A', 'A'], '3,A,Error,1,x')).toEqual([[3, 'A', 'by-row']]);
    expect(await at(['A', 'A'], ',A,Error,1,x')).toEqual([[2, 'A', 'doubtful']]);
  });

  test.each([
    ['as the report has them', (lines: string[]) => lines],
    ['backwards', (lines: string[]) => lines.reverse()],
  ])('are all in a file, in the order of the source, %s, in any number', { timeout: 300_000 }, async (_, ordered) => {
    const count = scaled(134_881, 5000);
    const prepared = await preparedRows(count);
    const lines = Array.from({ length: count }, (__, index) => `${index + 2},R${index + 1},Error,1,x`);
    const { total, kept, groups } = await join(ordered(lines), prepared, { keep: 2 });
    expect([total, kept.map(({ row }) => row)]).toEqual([count, [3, 4]]);
    expect(groups).toEqual([expect.objectContaining({ code: 1, message: 'x', count })]);
    let n = 0;
    for await (const { dataRow, key, certainty } of readJoinedErrors(`${prepared.path}.errors`)) {
      n += 1;
      if (dataRow !== n || key !== `R${n}` || certainty !== 'certain') expect([dataRow, key, certainty]).toEqual([n]);
    }
    expect(n).toBe(count);
  });

  test('of one of several runs are counted from its own first row', async () => {
    const lines = ['2,R5,Error,1,x', '4,R7,Error,1,x'];
    const { kept } = await join(lines, await preparedRows(10), { covered: { first: 5, last: 8 } });
    expect(short(kept)).toEqual([
      [7, 'R5', 'certain'],
      [9, 'R7', 'certain'],
    ]);
    const beyond = await join(['6,R9,Error,1,x'], await preparedRows(10), { covered: { first: 5, last: 8 } });
    expect(short(beyond.kept)).toEqual([[undefined, 'R9', 'doubtful']]);
  });

  /** Parent A has lines C1 to C4 in rows 2 to 8 of the sheet, where every second row is blank. */
  const sparse = async (): Promise<PreparedImport> => {
    const body = [1, 2, 3, 4].map((n) => `A,C${n}\n\n`).join('');
    return prepare(await fileOf('bom.csv', `Parent,Child\n${body}`), BOM);
  };
  const BOM = definitionOf('ITEM_BOM', 'CREATE', { number: 'Parent', 'item.number': 'Child' });

  test('are found too where the service counts the rows of the sheet, as it does for the file itself', async () => {
    const noPart = (row: number, child: string) =>
      `${row},A,Error,3012,"There is no item with the number ""${child}""."`;
    const { kept, numbering } = await join([noPart(4, 'C2'), noPart(8, 'C4')], await sparse());
    expect(numbering).toEqual({ counts: 'sheet rows', base: 0, proof: 'all keys' });
    expect(kept.map(({ row, value, certainty }) => [row, value, certainty])).toEqual([
      [4, 'C2', 'certain'],
      [8, 'C4', 'certain'],
    ]);
    const silent = await join(['4,A,Error,1,x'], await sparse(), { expected: 'sheet rows' });
    expect(short(silent.kept)).toEqual([[4, 'A', 'by-row']]);
  });

  test('of a BOM are distinguished by the part that a message quotes, where the parent has all lines', async () => {
    const lines = Array.from({ length: 9 }, (_, n) => `A,C${n + 1},R${n}\n`).join('');
    const definition = definitionOf('ITEM_BOM', 'CREATE', { number: 'Parent', 'item.number': 'Child', refDes: 'Refs' });
    const prepared = await prepare(await fileOf('bom.csv', `Parent,Child,Refs\n${lines}`), definition);
    const { kept } = await join(
      [
        '5,A,Error,3012,"There is no item with the number ""C3""."',
        '8,A,Error,3234,"""C6"" is in the BOM of ""A"" already, or more than once."',
        '10,A,Error,3229,"Another line of the BOM has the designator ""R7""."',
      ],
      prepared,
    );
    expect(kept.map(({ row, column, value, certainty }) => [row, column, value, certainty])).toEqual([
      [4, 'Child', 'C3', 'certain'],
      [7, 'Child', 'C6', 'certain'],
      [9, 'Refs', 'R7', 'certain'],
    ]);
  });

  test('of a BOM show the cell of the parent where the parent is missing', async () => {
    const prepared = await prepare(await fileOf('bom.csv', 'Parent,Child\nA,C1\nB,C2\n'), BOM);
    const { kept } = await join(
      ['2,A,Error,3012,"There is no item with the number ""A""."', '3,B,Error,1,Some trouble.'],
      prepared,
    );
    expect(kept.map(({ column, value }) => [column, value])).toEqual([
      ['Parent', 'A'],
      ['Child', 'C2'],
    ]);
  });

  test('of files are identified by the number of the file', async () => {
    const definition = definitionOf('ITEM_FILES', 'CREATE', { number: 'Item', 'file.number': 'File' });
    const prepared = await prepare(await fileOf('files.csv', 'Item,File\nI1,F1\nI1,F2\n'), definition);
    const { kept } = await join(['3,F2,Error,1,x'], prepared);
    expect(kept).toMatchObject([{ row: 3, column: 'File', value: 'F2', certainty: 'certain' }]);
  });

  test('show the named cell also where a value is spelled like another column', async () => {
    const definition = definitionOf('ITEM_SPECS', 'CREATE', { number: 'Part', name: 'Name', uom: 'Unit' });
    const prepared = await prepare(await fileOf('a.csv', 'Part,Name,Unit\nA,x,Name\n'), definition);
    const { kept } = await join(['2,A,Error,3006,"""Name"" is not an option of the attribute ""uom""."'], prepared);
    expect(kept).toMatchObject([{ column: 'Unit', value: 'Name' }]);
  });

  /** Lines of a BOM, block after block of one parent; those from `first` to `last` failed. */
  const blocks = async (parents: Readonly<Record<string, number>>, first: number, last: number) => {
    const keys = Object.entries(parents).flatMap(([parent, count]) => new Array<string>(count).fill(parent));
    const body = keys.map((parent, n) => `${parent},C${n}\n`).join('');
    const prepared = await prepare(await fileOf('bom.csv', `Parent,Child\n${body}`), BOM);
    const lines = keys.map((parent, n) => `${n + 2},${parent},Error,1,x`).slice(first - 1, last);
    return [lines, prepared] as const;
  };

  test('of one parent with very many lines show the base where all lines failed, since another would lead past the end', async () => {
    const { kept, numbering } = await join(...(await blocks({ A: 10_000 }, 1, 10_000)));
    expect(numbering).toEqual({ counts: 'rows', base: 1, proof: 'all keys' });
    expect(short(kept.slice(0, 1))).toEqual([[2, 'A', 'certain']]);
  });

  test('are joined by row where keys in long blocks leave too much to compare', async () => {
    const { kept, numbering } = await join(...(await blocks({ A: 2500, B: 2500 }, 1250, 3750)));
    expect(numbering).toEqual({ counts: 'rows', base: 1, proof: 'assumed' });
    expect(short(kept.slice(0, 1))).toEqual([[1251, 'A', 'by-row']]);
  });
});
