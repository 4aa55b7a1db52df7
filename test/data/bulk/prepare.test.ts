import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { scaled } from '../../harness/sample.js';
import { definitionOf, fileOf, findingLines, hasRealData, prepare, realData, refusal, workbookOf } from './support.js';

const SPECS = { number: 'Part Number', name: 'Description' };
const specs = (mode: string, options = {}) => definitionOf('ITEM_SPECS', mode, SPECS, options);
const BOM = { number: 'Parent', 'item.number': 'Child', quantity: 'Qty' };
const bom = (mode: string, options = {}) => definitionOf('ITEM_BOM', mode, BOM, options);

const csv = (...lines: string[]): Promise<string> => fileOf('parts.csv', `${lines.join('\n')}\n`);

describe('normalised rows', () => {
  test('hold exactly the mapped columns, in the order of the mapping, found as the service finds them', async () => {
    const path = await csv('Extra, DESCRIPTION ,part number', 'x,Resistor,R1', 'y,"a ""b"", c",R2');
    const prepared = await prepare(path, specs('OVERWRITE'));
    expect(await readFile(prepared.path, 'utf8')).toBe('Part Number,Description\r\nR1,Resistor\r\nR2,"a ""b"", c"\r\n');
    expect([prepared.rows, prepared.bytes, prepared.fileName]).toEqual([
      2,
      (await readFile(prepared.path)).length,
      'parts.csv',
    ]);
  });

  test('quote line breaks of every kind, since readers end a row at each of them', async () => {
    const path = await fileOf('parts.csv', 'Part Number,Description\nR1,"a\nb"\nR2,"c\rd"\nR3,"e\r\nf"\n');
    const prepared = await prepare(path, specs('OVERWRITE'));
    expect(await readFile(prepared.path, 'utf8')).toBe(
      'Part Number,Description\r\nR1,"a\nb"\r\nR2,"c\rd"\r\nR3,"e\r\nf"\r\n',
    );
  });

  test('remember the row of the file that each came from', async () => {
    const prepared = await prepare(
      await csv('Part Number,Description', '', 'R1,a', '"R', '2",b', ',', 'R3,c'),
      specs('OVERWRITE'),
    );
    expect([0, 1, 2, 3, 4, 1.5].map(prepared.sourceRowOf)).toEqual([undefined, 3, 4, 7, undefined, undefined]);
  });

  test('have the columns of constants, and keep all columns where there is no mapping', async () => {
    const path = await csv('Child,Qty', 'R1,2');
    const mapped = await prepare(path, bom('CREATE'), { constants: { parent: 'A-1' } });
    expect(await readFile(mapped.path, 'utf8')).toBe('Parent,Child,Qty\r\nA-1,R1,2\r\n');
    const whole = await prepare(path, { resource: 'ITEM_BOM', mode: 'CREATE' }, { constants: { number: 'A-1' } });
    expect(await readFile(whole.path, 'utf8')).toBe('Child,Qty,number\r\nR1,2,A-1\r\n');
  });

  test('keep the free-text part of a number, which no mapping names', async () => {
    const path = await csv('Description,numbering free text', 'Bolt,B-77');
    const prepared = await prepare(path, definitionOf('ITEM_SPECS', 'CREATE', { name: 'Description' }));
    expect(await readFile(prepared.path, 'utf8')).toBe('Description,Numbering Free Text\r\nBolt,B-77\r\n');
    expect(findingLines(prepared)).toEqual([]);
  });

  test('quote an empty cell in a row of its own, so that it stays a row', async () => {
    const path = await csv('Part Number,Other', 'R1,x', ',x', 'R2,x');
    const prepared = await prepare(path, definitionOf('ITEM_SPECS', 'DELETE', { number: 'Part Number' }));
    expect(await readFile(prepared.path, 'utf8')).toBe('Part Number\r\nR1\r\n""\r\nR2\r\n');
  });

  test('have one digest for one table, as CSV, TSV or XLSX, under any headers, and another for another table', async () => {
    const rows = [
      ['001', 'Größe "M"'],
      ['2', 'two\nlines'],
      ['', '3-10'],
    ];
    const digestOf = async (path: string, mapping: Readonly<Record<string, string>>): Promise<string> =>
      (await prepare(path, definitionOf('ITEM_SPECS', 'OVERWRITE', mapping))).rowsDigest;
    const asCsv = await digestOf(await fileOf('a.csv', Papa.unparse([['Part Number', 'Description'], ...rows])), SPECS);
    const asTsv = await digestOf(
      await fileOf('a.tsv', `\ufeff${Papa.unparse([['PN', 'Text'], ...rows], { delimiter: '\t' })}`),
      { number: 'pn', name: 'text' },
    );
    const asXlsx = await digestOf(
      await workbookOf({
        S: [['x', 'Description', 'Part Number'], ...rows.map(([number, name]) => ['-', name, number])],
      }),
      SPECS,
    );
    expect([asTsv, asXlsx]).toEqual([asCsv, asCsv]);
    expect(
      await digestOf(await fileOf('b.csv', Papa.unparse([['Part Number', 'Description'], ...rows.slice(1)])), SPECS),
    ).not.toBe(asCsv);
    expect(
      await digestOf(await fileOf('c.csv', Papa.unparse([['Description', 'Part Number'], ...rows])), SPECS),
    ).not.toBe(asCsv);
  });

  test('are read by another library as the very cells of the source', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ß', '𝒳'), maxLength: 6 });
    const row = fc.tuple(fc.constant('k'), cell);
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
        const path = await fileOf(
          'any.csv',
          Papa.unparse([['Part Number', 'Description'], ...rows], { newline: '\n' }),
        );
        const prepared = await prepare(path, specs('OVERWRITE'));
        const other = Papa.parse(await readFile(prepared.path, 'utf8'), { newline: '\r\n', skipEmptyLines: true }).data;
        expect(other.slice(1)).toEqual(rows);
      }),
      { numRuns: scaled(200, 20) },
    );
  });
});

describe('findings before any request', () => {
  test('name a mapped column that is missing, with the nearest header, once', async () => {
    const prepared = await prepare(await csv('Part Nubmer,Description', 'R1,a', 'R2,b'), specs('OVERWRITE'));
    expect(findingLines(prepared)).toEqual([
      'error column-missing row 1 "Part Number": parts.csv has no column "Part Number", but the mapping needs it. Did you mean "Part Nubmer"?',
    ]);
  });

  test.each([
    ['above', 'Pumps,', { headerRow: 3 }, 3],
    ['below', 'Pumps,2026', { headerRow: 1 }, 1],
    ['above a range', 'Pumps,', { range: 'A4:B5' }, 4],
  ])('name all missing columns once, and the row %s that has them', async (_, title, source, row) => {
    const path = await csv(title, 'Part Number,Description', 'R1,a', 'R2,b', 'R3,c');
    const prepared = await prepare(path, specs('OVERWRITE'), source);
    expect(findingLines(prepared)[0]).toBe(
      `error column-missing row ${row} parts.csv has no columns "Part Number" and "Description", but the mapping needs them. Row 2 has the headers: set \`headerRow: 2\`.`,
    );
    expect(prepared.findings.byCode.get('column-missing')).toBe(1);
  });

  test.each(['Parent', 'Child', 'Quantity', 'Line'])(
    'give one message without the column %s of a BOM',
    async (left) => {
      const columns = { Parent: 'parent', Child: 'child', Quantity: 'quantity', Line: 'lineNumber' };
      const headers = Object.keys(columns).filter((one) => one !== left);
      const mapping = Object.entries(columns).map(([sourceName, apiName]) => ({
        resource: 'BOM',
        apiName,
        sourceName,
      }));
      const prepared = await prepare(await csv(headers.join(','), '1,1,1'), {
        resource: 'BOM',
        mode: 'OVERWRITE',
        options: { mapping },
      });
      expect(prepared.findings.errors).toBe(1);
      expect(findingLines(prepared)).toEqual([expect.stringContaining(`has no column "${left}"`)]);
    },
  );

  test('say that nothing is mapped to the key, where no mapping has it', async () => {
    const definition = {
      resource: 'ITEM_SPECS',
      mode: 'OVERWRITE',
      options: { mapping: [{ resource: 'ITEM_SPECS', apiName: 'name', sourceName: 'Name' }] },
    };
    expect(findingLines(await prepare(await csv('Name', 'x'), definition))).toEqual([
      'error key-unmapped No column is mapped to "number", which identifies the records of ITEM_SPECS. Map a column of the file to "number", or give its value under `constants`.',
    ]);
  });

  test('notice another delimiter', async () => {
    const [first] = findingLines(
      await prepare(await csv('Part Number;Description', 'R1;a'), specs('EDIT'), { delimiter: ',' }),
    );
    expect(first).toContain('The header is one cell that contains ";": set `delimiter: ";"`.');
  });

  test('name repeated columns, and constants that collide or have no use', async () => {
    const path = await csv('Part Number,Description,part number,Note,Note', 'R1,a,R2,x,y');
    const prepared = await prepare(path, specs('OVERWRITE'), { constants: { description: 'x', Descripton: 'y' } });
    expect(findingLines(prepared)).toEqual([
      'error constant-collides row 1 "description": The constant "description" has the same name as a column of parts.csv. Remove the constant, or rename it in `constants` and in the mapping.',
      'error column-repeated row 1 "Part Number": parts.csv has 2 columns whose headers differ only in letter case, which the service treats as one: "Part Number", "part number" (columns 1, 3). Map "Part Number#1" or "Part Number#2", or give each column a different name, in the file or with `rename`.',
      'warning constant-unused row 1 "Descripton": The constant "Descripton" is not mapped, so it is not sent. Did you mean "Description"?',
      'warning column-repeated row 1 "Note": parts.csv has 2 columns named "Note" (columns 4, 5). Map "Note#1" or "Note#2", or give each column a different name, in the file or with `rename`.',
    ]);
  });

  test('do not mention columns without a header that no mapping uses', async () => {
    expect(findingLines(await prepare(await csv('Part Number,,Description,', 'R1,x,a,y'), specs('CREATE')))).toEqual(
      [],
    );
  });

  test('name empty keys in every mode and empty names where a record may be created', async () => {
    const path = await csv('Part Number,Description', 'R1,', ' ,b');
    const key =
      'error key-empty row 3 "Part Number": The cell in column "Part Number" is empty, but "number" identifies the record. Fill the cell, or remove the row.';
    const name = (severity: string, which: string) =>
      `${severity} required-empty row 2 "Description": The cell in column "Description" is empty, but ${which} must have a "name". Fill the cell.`;
    expect(findingLines(await prepare(path, specs('CREATE')))).toEqual([name('error', 'every record'), key]);
    expect(findingLines(await prepare(path, specs('OVERWRITE')))).toEqual([key, name('warning', 'a new record')]);
    expect(findingLines(await prepare(path, specs('EDIT')))).toEqual([key]);
    expect(findingLines(await prepare(path, specs('DELETE')))).toEqual([key]);
  });

  test('accept a GUID in place of a key', async () => {
    const path = await csv('GUID,Part Number,Description', 'ABCDEFGHIJ0123456789,,a', ',,b');
    const prepared = await prepare(path, definitionOf('ITEM_SPECS', 'EDIT', { guid: 'GUID', ...SPECS }));
    expect(prepared.findings.kept.map(({ code, row }) => [code, row])).toEqual([['key-empty', 3]]);
  });

  test('name a marker that would empty a required field', async () => {
    const path = await csv('Part Number,Description', 'R1,(none)');
    expect(findingLines(await prepare(path, specs('EDIT', { removeValue: '(none)' })))).toEqual([
      'error required-removed row 2 "Description": The cell in column "Description" removes "name", which every record must have. Give a value instead.',
    ]);
  });

  const OVERWRITTEN = ', with other values, and the later row would overwrite what the earlier row wrote';

  test.each([
    ['CREATE', {}, 'key-repeated', ': the service refuses the second row as a duplicate (`createDuplicates` is ERROR)'],
    ['CREATE', { createDuplicates: 'ALLOW' }, '', undefined],
    ['EDIT', { matchDuplicates: 'APPLY_TO_ALL' }, 'key-overwritten', OVERWRITTEN],
    ['OVERWRITE', {}, 'key-overwritten', OVERWRITTEN],
    ['DELETE', {}, 'key-repeated', ': the first row deletes the record before the second row is processed'],
  ])('name repeated keys: %s with %o', async (mode, options, code, effect) => {
    const prepared = await prepare(await csv('Part Number,Description', 'R1,a', 'R2,b', ' R1,c'), specs(mode, options));
    const line = `error ${code} row 4 "Part Number": "R1" is already in row 2${effect}. Keep one of the rows.`;
    expect(findingLines(prepared)).toEqual(effect === undefined ? [] : [line]);
  });

  test.each(['EDIT', 'OVERWRITE'])('do not include a row that only repeats another one in mode %s', async (mode) => {
    const path = await csv('Part Number,Description,Note', 'R1,a,1', 'R2,b,2', 'R1, a ,3', 'R2,b,4');
    expect(findingLines(await prepare(path, specs(mode)))).toEqual([]);
  });

  test('include repeated lines of a BOM, also equal ones, which would lose their quantities in mode OVERWRITE', async () => {
    const path = await csv('Parent,Child,Qty', 'A,R1,4', 'A,R2,1', 'A,R1,4');
    expect(findingLines(await prepare(path, bom('OVERWRITE')))).toEqual([
      'error key-overwritten row 4 "Child": "A / R1" is already in row 2: both become one BOM line with the quantity of the later row. Add `repeated: sum` to the import (`--repeated sum`) to add the quantities up, use a definition of mode CREATE with `createDuplicates: ALLOW` for a line each, or keep one of the rows.',
    ]);
    expect(findingLines(await prepare(path, bom('CREATE', { createDuplicates: 'ALLOW' })))).toEqual([]);
  });

  test('count white space as part of a key where the definition retains it, and numbers by their letter case', async () => {
    const path = await csv('Part Number,Description', 'R1,a', ' R1,b', 'r1,c');
    expect(findingLines(await prepare(path, specs('CREATE', { stripWhiteSpace: 'RETAIN' })))).toEqual([]);
  });

  test('of a BOM: a key is parent and child together, and an item cannot be its own parent', async () => {
    const path = await csv('Parent,Child,Qty', 'A,R1,1', 'A,R2,1', 'B,R1,1', 'A,R1,3', 'A,A,1');
    expect(findingLines(await prepare(path, bom('REPLACE', { matchDuplicateParents: 'ALLOW' })))).toEqual([
      expect.stringContaining(
        'error key-repeated row 5 "Child": "A / R1" is already in row 2: the service refuses the second row as a duplicate. Add `repeated: sum`',
      ),
      'error own-parent row 6 "Child": "A" is its own parent in this row. Correct the row: an item cannot be in its own BOM.',
    ]);
  });

  test('compare with the values that the workspace knows', async () => {
    const path = await csv(
      'Part Number,Description,Category',
      'R1,a,Item\\Resistor',
      'R2,b,item\\resistor',
      'R3,c,Item\\Resistr',
      'R4,d,',
    );
    const definition = definitionOf('ITEM_SPECS', 'CREATE', { ...SPECS, 'category.path': 'Category' });
    const allowed = new Map([
      ['category.path', { values: ['Item\\Resistor', 'Item\\Capacitor'], noun: 'category in workspace "dev"' }],
    ]);
    expect(findingLines(await prepare(path, definition, {}, { allowed }))).toEqual([
      'error value-unknown row 4 "Category": "Item\\Resistr" is not a category in workspace "dev". Did you mean "Item\\Resistor"?',
    ]);
  });

  test('give the cell of a worksheet, also where only a part of it is read', async () => {
    const path = await workbookOf({
      Parts: [
        ['Parts of the lamp', '', '', ''],
        ['', 'Note', 'Part Number', 'Description'],
        ['', '', 'R1', 'a'],
        ['', '', '', 'b'],
      ],
    });
    const { findings } = await prepare(path, specs('CREATE'), { worksheet: 'Parts', range: 'B2:D' });
    expect(findings.kept.map(({ code, cell }) => [code, cell])).toEqual([['key-empty', 'C4']]);
    expect(findings.groups).toMatchObject([{ column: 'Part Number', count: 1, cases: [{ count: 1, rows: [4] }] }]);
  });

  test('name error cells and formulas without a value, in mapped columns only', async () => {
    const fault = { error: '#N/A' };
    const path = await workbookOf({
      Parts: [
        ['Part Number', 'Description', 'Note'],
        ['R1', fault, fault],
        [{ formula: 'A1' }, 'b', 'x'],
      ],
    });
    const prepared = await prepare(path, specs('OVERWRITE'));
    expect(findingLines(prepared)).toEqual([
      'error cell-error row 2 "Description": The cell in column "Description" contains the error #N/A. Correct the cell in the workbook.',
      'error formula-without-value row 3 "Part Number": The cell in column "Part Number" contains a formula without a stored value. Open the workbook in a spreadsheet program and save it.',
      'error key-empty row 3 "Part Number": The cell in column "Part Number" is empty, but "number" identifies the record. Fill the cell, or remove the row.',
    ]);
    expect(prepared.findings.kept[0]).toMatchObject({ file: 'book.xlsx', worksheet: 'Parts', value: '#N/A' });
  });

  test('name a row that ends before a mapped column, once, and not one that lacks only other columns', async () => {
    const path = await csv('Part Number,Description,Category,Note', 'R1,a,Item\\Resistor', 'Total:,2', 'R2');
    const definition = definitionOf('ITEM_SPECS', 'CREATE', { ...SPECS, 'category.path': 'Category' });
    expect(findingLines(await prepare(path, definition))).toEqual([
      'error row-short row 3 "Category": The cell in column "Category" is missing: the row has 2 cells, but the header has 4. Write the empty cells too, set `shortRows: allow`, or remove the row.',
      'error row-short row 4 "Description": The cell in column "Description" is missing: the row has 1 cell, but the header has 4. Write the empty cells too, set `shortRows: allow`, or remove the row.',
      'error required-empty row 4 "Description": The cell in column "Description" is empty, but every record must have a "name". Fill the cell.',
    ]);
  });

  test('name a table without rows', async () => {
    expect(findingLines(await prepare(await csv('Part Number,Description', ' ,'), specs('CREATE')))).toEqual([
      'error no-rows parts.csv has no rows below its header (row 1). Check `headerRow` and `worksheet`, and that the export is complete.',
    ]);
  });

  test('are all counted, kept up to a limit with errors first, and remove no row', async () => {
    const rows = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? `,n${index}` : `R${index},`));
    const prepared = await prepare(
      await csv('Part Number,Description', ...rows),
      specs('OVERWRITE'),
      {},
      { keepFindings: 30 },
    );
    expect([
      prepared.rows,
      prepared.findings.errors,
      prepared.findings.warnings,
      prepared.findings.kept.length,
    ]).toEqual([50, 25, 25, 30]);
    expect(prepared.findings.kept.map(({ severity }) => severity)).toEqual([
      ...Array(25).fill('error'),
      ...Array(5).fill('warning'),
    ]);
  });
});

test('a broken file leaves no finished import, and an abort says that nothing was sent', async () => {
  expect(await refusal(prepare(await csv('Part Number,Description', 'R1,x,y'), specs('EDIT')))).toContain(
    'parts.csv:2:',
  );
  const many = await csv('Part Number,Description', ...Array.from({ length: 5000 }, (_, index) => `R${index},x`));
  expect(await refusal(prepare(many, specs('EDIT'), {}, { signal: AbortSignal.abort() }))).toBe(
    'Interrupted while reading parts.csv. Nothing was sent.  [INTERRUPTED]',
  );
});

describe.skipIf(!hasRealData)('real part lists', () => {
  const exaSpim = join(realData, 'AllenNeuralDynamics/exa-spim-hardware');
  const csvFile = join(exaSpim, 'BOM.csv');
  const workbook = join(exaSpim, 'BOM.xlsx');

  test('the exa-spim BOM has one digest as CSV and as XLSX in the columns that both files agree on', async () => {
    const definition = definitionOf('ITEM_BOM', 'CREATE', {
      number: 'Assembly',
      'item.number': 'ITEM NO.',
      notes: 'DESCRIPTION',
      quantity: 'QTY.',
    });
    const constants = { Assembly: 'exa-spim' };
    const [asCsv, asXlsx] = [
      await prepare(csvFile, definition, { constants }),
      await prepare(workbook, definition, { constants, worksheet: 'in' }),
    ];
    expect([asCsv.rows, asXlsx.rows]).toEqual([92, 92]);
    expect(asXlsx.rowsDigest).toBe(asCsv.rowsDigest);
  });

  test('the exa-spim BOM as CSV lacks two part numbers, which are findings; the workbook has them', async () => {
    const items = (number: string) => definitionOf('ITEM_SPECS', 'EDIT', { number });
    const asCsv = await prepare(csvFile, items('PART NUMBER'));
    const asXlsx = await prepare(workbook, items('SOLIDWORKS PART NUMBER'));
    expect(asCsv.findings.kept.map(({ code, row }) => [code, row])).toEqual([
      ['key-empty', 9],
      ['key-empty', 12],
    ]);
    expect(asXlsx.findings.kept).toEqual([]);
    const numbers = async (path: string): Promise<string[]> => (await readFile(path, 'utf8')).split('\r\n').slice(1);
    const [inCsv, inXlsx] = [await numbers(asCsv.path), await numbers(asXlsx.path)];
    expect(inCsv.flatMap((number, n) => (number === inXlsx[n] ? [] : [[n + 2, number, inXlsx[n]]]))).toEqual([
      [9, '""', 'board_MB624'],
      [12, '""', 'board_MB424'],
      [34, '8-7711', '8_7711'],
    ]);
  });

  test('the BeagleBone BOM is spooled as another library reads it, cells of several lines included', async () => {
    const path = join(realData, 'beagleboard/beaglebone-ai/BeagleBone-AI_bom.csv');
    const mapping = { number: 'Embest P/N', name: 'Part Type', description: 'Description', uom: 'Location' };
    const prepared = await prepare(path, definitionOf('ITEM_SPECS', 'OVERWRITE', mapping));
    const source = Papa.parse<Record<string, string>>(await readFile(path, 'utf8'), {
      header: true,
      skipEmptyLines: 'greedy',
    }).data;
    const spooled = Papa.parse<Record<string, string>>(await readFile(prepared.path, 'utf8'), {
      header: true,
      newline: '\r\n',
      skipEmptyLines: true,
    }).data;
    const pick = (row: Record<string, string>) => Object.values(mapping).map((header) => row[header]);
    expect(spooled.map(pick)).toEqual(source.map(pick));
    expect(spooled.some(({ Description }) => Description?.includes('\n'))).toBe(true);
  });
});
