import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BomGraph } from '#data/bulk/preflight/bom-graph.js';
import { rowCountProblem } from '#data/bulk/preflight/row-count.js';
import { divideRows } from '#data/bulk/rows/divide-rows.js';
import { mayStart } from '#data/imports/run/decide-commit.js';
import { rawWorkbook } from '../source/raw-workbook.js';
import { definitionOf, fileOf, findingLines, prepare } from '../support.js';

const csv = (...lines: string[]): Promise<string> => fileOf('bom.csv', `${lines.join('\n')}\n`);
const BOM = { number: 'Parent', 'item.number': 'Child', quantity: 'Qty', refDes: 'Ref' };
const HEAD = 'Parent,Child,Qty,Ref';

describe('reference designators', () => {
  const found = async (mode: string, options: object, ...lines: string[]): Promise<string[]> =>
    findingLines(await prepare(await csv(HEAD, ...lines), definitionOf('ITEM_BOM', mode, BOM, options)));

  test('match the quantity, with ranges enumerated', async () => {
    expect(await found('CREATE', {}, 'A,B,3,"C1, C2;C3"', 'A,C,4,R1-R4', 'A,D,2,U1', 'A,E,1,')).toEqual([
      'error designators-uneven row 4 "Ref": The quantity is 2, but there is 1 reference designator. ' +
        'Correct one of them, or set `checkRefDes: DO_NOT_CHECK` in the definition.',
    ]);
  });

  test('have a form that the service reads', async () => {
    expect(await found('CREATE', {}, 'A,B,3,C3~C5', 'A,C,2,R1-R2')).toEqual([
      'error designators-unreadable row 2 "Ref": The service does not read "C3~C5" as "C3-C5". ' +
        'Write it in the second form, or map the field to a column that the import adds: ' +
        '`columns: { Designators: { designators: "Ref" } }`.',
    ]);
    expect(await found('CREATE', { checkRefDes: 'DO_NOT_CHECK' }, 'A,B,3,C3~C5')).toEqual([]);
  });

  test('occur once in a parent', async () => {
    expect(await found('REPLACE', {}, 'A,B,2,"C1,C1"', 'A,C,1,C1', 'X,C,1,C1')).toEqual([
      expect.stringContaining(
        'error designator-repeated row 2 "Ref": The reference designator "C1" occurs twice in this cell.',
      ),
      expect.stringContaining(
        'error designator-repeated row 3 "Ref": The reference designator "C1" is already in row 2.',
      ),
    ]);
  });

  test('occur once in every mode', async () => {
    expect(await found('OVERWRITE', {}, 'A,B,1,C1', 'A,C,1,C1')).toEqual([
      expect.stringContaining('error designator-repeated row 3'),
    ]);
  });

  test('are not checked where the definition says so', async () => {
    expect(await found('CREATE', { checkRefDes: 'DO_NOT_CHECK' }, 'A,B,9,"C1,C1"')).toEqual([]);
  });
});

describe('a quantity of a BOM', () => {
  const found = async (mode: string, ...lines: string[]): Promise<string[]> =>
    findingLines(await prepare(await csv(HEAD, ...lines), definitionOf('ITEM_BOM', mode, BOM)));
  const invalid = (row: number, value: string): string =>
    `error quantity-invalid row ${row} "Qty": "${value}" is not a quantity. Write a number above 0, with a point before decimals.`;

  test('is a number above 0', async () => {
    expect(
      await found('CREATE', 'A,B,2.5,', 'A,C,"1,5",', 'A,D,0,', 'A,E,-1,', 'A,F,as required,R1', 'A,G, 1e3 ,'),
    ).toEqual([invalid(3, '1,5'), invalid(4, '0'), invalid(5, '-1'), invalid(6, 'as required')]);
  });

  test('may be empty for the service to fill in where a line may be new', async () => {
    const empty =
      'warning quantity-empty row 2 "Qty": The cell in column "Qty" is empty: the service decides about the quantity of a new line. Fill the cell.';
    expect(await found('OVERWRITE', 'A,B,,')).toEqual([empty]);
    expect(await found('EDIT', 'A,B,,')).toEqual([]);
    expect(await found('DELETE', 'A,B,none,')).toEqual([]);
  });
});

describe('a BOM that contains itself', () => {
  test('is reported with all of its rows, over several levels', async () => {
    const lines = ['A,B,1,', 'X,Y,1,', 'B,C,1,', 'C,D,1,', 'D,B,1,', 'C,E,1,'];
    const prepared = await prepare(await csv(HEAD, ...lines), definitionOf('ITEM_BOM', 'CREATE', BOM));
    expect(findingLines(prepared)).toEqual([
      expect.stringMatching(
        /^error bom-circle row \d The BOM contains itself: (B > C > D > B|C > D > B > C|D > B > C > D) /,
      ),
    ]);
    expect(findingLines(prepared)[0]).toMatch(/\(rows (4, 5, 6|5, 6, 4|6, 4, 5)\)/);
  });

  test('is found exactly where a plain search finds one', () => {
    const edges = fc.array(fc.tuple(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 12 })), {
      maxLength: 25,
    });
    fc.assert(
      fc.property(edges, (all) => {
        const graph = new BomGraph();
        for (const [row, [parent, child]] of all.entries()) graph.add(`${parent}`, `${child}`, row);
        const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
          all.some(([parent, child]) => {
            if (parent !== from || seen.has(child)) return false;
            return child === to || reaches(child, to, seen.add(child));
          });
        const circle = graph.circle();
        expect(circle !== undefined).toBe(all.some(([parent]) => reaches(parent, parent)));
        for (const [index, row] of (circle ?? []).entries()) {
          const next = circle?.[(index + 1) % circle.length] ?? 0;
          expect(all[row]?.[1]).toBe(all[next]?.[0]);
        }
      }),
    );
  });
});

describe('a key in scientific notation', () => {
  const SPECS = { number: 'Part', name: 'Name' };
  const rounded = async (mode: string, mapping: Readonly<Record<string, string>>, path: string): Promise<string[]> => {
    const { findings } = await prepare(path, definitionOf('ITEM_SPECS', mode, mapping));
    return findings.kept.flatMap(({ code, row, value }) => (code === 'key-rounded' ? [`${row}: ${value}`] : []));
  };

  test('is a warning that names row, column and what to do', async () => {
    const path = await csv('Part,Name', 'P-1,one', '1.23457E+11,two');
    expect(findingLines(await prepare(path, definitionOf('ITEM_SPECS', 'OVERWRITE', SPECS)))).toEqual([
      'warning key-rounded row 3 "Part": "1.23457E+11" is probably a long number that a spreadsheet program has rounded. ' +
        'Format the column "Part" as text, restore the full numbers, and export the file again.',
    ]);
  });

  test.each(['1.23457E+11', '1E+12', '1,23457E+11', '9.7E-05', ' 1.2E+100 '])('is found in %j', async (value) => {
    expect(await rounded('EDIT', { number: 'Part' }, await csv('Part;Name', `"${value}";x`))).toEqual([
      `2: ${value.trim()}`,
    ]);
  });

  test.each(['970e07', '970E07', '1.23457e+11', '12.3E+11', '1E+5', '1E5', 'X1.2E+11', '1.2E+11X', '123457000000'])(
    'is not found in %j',
    async (value) => {
      expect(await rounded('EDIT', { number: 'Part' }, await csv('Part,Name', `${value},x`))).toEqual([]);
    },
  );

  test('is found in each key of a record and in each mode, and in no other column', async () => {
    const lines = await csv(HEAD, '1E+11,B,1,', 'A,2E+11,1E+00,');
    const codes = async (mode: string): Promise<string[]> =>
      findingLines(await prepare(lines, definitionOf('ITEM_BOM', mode, BOM))).map((line) => line.split(':')[0] ?? '');
    const both = ['warning key-rounded row 2 "Parent"', 'warning key-rounded row 3 "Child"'];
    for (const mode of ['CREATE', 'EDIT', 'OVERWRITE', 'REPLACE', 'DELETE']) expect(await codes(mode)).toEqual(both);
    expect(await rounded('EDIT', SPECS, await csv('Part,Name', 'P-1,1.2E+11'))).toEqual([]);
  });

  test('is found in a free-text number, which becomes the key of a new item', async () => {
    const path = await csv('Numbering Free Text,Name', '1.2E+11,x');
    expect(await rounded('CREATE', { name: 'Name' }, path)).toEqual(['2: 1.2E+11']);
  });

  test('does not include a number of a workbook, which is read as its digits', async () => {
    const cell = (reference: string, text: string) => `<c r="${reference}" t="inlineStr"><is><t>${text}</t></is></c>`;
    const rows = [
      `<row r="1">${cell('A1', 'Part')}${cell('B1', 'Name')}</row>`,
      `<row r="2"><c r="A2" s="1"><v>1.23456789012E+11</v></c>${cell('B2', 'x')}</row>`,
      `<row r="3">${cell('A3', '1.23457E+11')}${cell('B3', 'y')}</row>`,
    ];
    const path = await rawWorkbook({
      sheets: { Parts: `<sheetData>${rows.join('')}</sheetData>` },
      formats: ['0.00E+00'],
    });
    expect(await rounded('OVERWRITE', SPECS, path)).toEqual(['3: 1.23457E+11']);
  });
});

test.each([
  [{ min: 10 }, undefined, 'The file has 9 rows, but `expectRows` requires at least 10.'],
  [{ max: 8 }, undefined, 'The file has 9 rows, but `expectRows` allows at most 8.'],
  [
    { changeAtMost: '50%' },
    20,
    'The file has 9 rows and had 20 at the last import: a change of 55%, but `expectRows` allows 50%.',
  ],
  [{ changeAtMost: '55%' }, 20, undefined],
  [{ changeAtMost: '50%' }, undefined, undefined],
  [{ min: 9, max: 9 }, 1, undefined],
])('%j with %s rows before', (expectation, before, problem) => {
  expect(rowCountProblem(9, { expectation, ...(before === undefined ? {} : { before }) })).toBe(problem);
});

test('a file with a wrong number of rows is not sent, whichever commit rule applies', async () => {
  const definition = definitionOf('ITEM_BOM', 'CREATE', BOM);
  const expected = { expectation: { min: 5 } };
  const { findings } = await prepare(await csv(HEAD, 'A,B,1,'), definition, {}, { expected });
  expect(mayStart(findings, 'always')).toBe(false);
});

test('one warning is enough to send nothing with `failOn: warning`', async () => {
  const definition = definitionOf('ITEM_BOM', 'OVERWRITE', BOM);
  const { findings } = await prepare(await csv(HEAD, 'A,B,,'), definition);
  expect(findings.warnings).toBe(1);
  expect([mayStart(findings, 'clean'), mayStart(findings, 'always', 'warning')]).toEqual([true, false]);
});

describe('rows per run', () => {
  test('never splits the rows of one group that are together, and reports one that is torn', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 60 }),
        fc.integer({ min: 1, max: 9 }),
        (groups, rowsPerRun) => {
          const { next } = divideRows({ by: 'size', rowsPerRun });
          const partOf: number[] = [];
          const torn = new Set<number>();
          for (const [index, group] of groups.entries()) {
            const border = next(`${group}`);
            partOf.push((partOf.at(-1) ?? 0) + Number(border.cut));
            if (border.torn !== undefined) torn.add(group);
            expect(border.cut && groups[index - 1] === group).toBe(false);
          }
          const split = new Set(
            groups.filter((group) => new Set(partOf.filter((_, n) => groups[n] === group)).size > 1),
          );
          expect(torn).toEqual(split);
        },
      ),
    );
  });

  test('reports a parent whose lines are apart under REPLACE', async () => {
    const lines = ['A,B,1,', 'A,C,1,', 'X,B,1,', 'A,D,1,'];
    const definition = definitionOf('ITEM_BOM', 'REPLACE', BOM);
    const prepared = await prepare(
      await csv(HEAD, ...lines),
      definition,
      {},
      { division: { by: 'size', rowsPerRun: 2 } },
    );
    expect(findingLines(prepared)).toEqual([
      'error parent-scattered row 5 "Parent": "A" also has rows in an earlier run, from data row 1 on; mode REPLACE would remove their lines. ' +
        'Sort the file by "Parent", or increase `rowsPerRun`.',
    ]);
  });
});

test('attributes of the workspace limit values, lengths and numbers', async () => {
  const path = await fileOf('parts.csv', 'Part,Marks,Note,Weight\nR1,"CE; UX",abcdef,1.5\nR2,CE;UL,abc,heavy\n');
  const definition = definitionOf('ITEM_SPECS', 'EDIT', {
    number: 'Part',
    marks: 'Marks',
    note: 'Note',
    weight: 'Weight',
  });
  const allowed = new Map([
    ['marks', { noun: 'value of the attribute "Marks"', values: ['CE', 'UL'], delimiter: ';' }],
    ['note', { noun: 'value of the attribute "Note"', maxLength: 5 }],
    ['weight', { noun: 'value of the attribute "Weight"', type: 'number' as const }],
  ]);
  expect(findingLines(await prepare(path, definition, {}, { allowed }))).toEqual([
    expect.stringContaining('error value-unknown row 2 "Marks": "UX" is not a value of the attribute "Marks".'),
    'error value-too-long row 2 "Note": This value of the attribute "Note" has 6 characters; the limit is 5. Shorten the value.',
    'error value-not-number row 3 "Weight": "heavy" is not a number. Write digits, with a point before decimals.',
  ]);
});
