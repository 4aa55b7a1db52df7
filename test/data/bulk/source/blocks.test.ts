import { describe, expect, test } from 'vitest';
import type { ImportSource } from '#core/jobs/source.js';
import { findList } from '#data/bulk/find-list.js';
import { openSource } from '#data/bulk/source/open-source.js';
import { rowLabel, rowPlace } from '#data/bulk/source/row-place.js';
import { fileOf, refusal, workbookOf } from '../support.js';
import { rawOds } from './raw-ods.js';

/** The rows of a source, each behind its place. */
async function read(path: string, source: Partial<ImportSource>): Promise<string[]> {
  const table = await openSource(path, { file: 'bom', ...source });
  const lines = [table.headers.join('|')];
  for await (const { row, cells } of table.rows) lines.push(`${rowLabel(rowPlace(table, row))} ${cells.join('|')}`);
  return lines;
}

const section: Partial<ImportSource> = { columns: { Section: { is: 'title' } } };

const BLOCKS = [
  ['Mechanical', '', ''],
  ['Part', 'Name', 'Qty'],
  ['M-1', 'Frame', '1'],
  ['M-2', 'Screw', '8'],
  ['', '', ''],
  ['Electronics', '', ''],
  ['', '', ''],
  ['Part', 'Name', 'Qty'],
  ['E-1', 'Board', '1'],
  ['Packaging', '', ''],
  ['PART', ' Name', 'Qty'],
  ['P-1', 'Box', '1'],
];

describe('blocks with one header', () => {
  const forms: readonly [string, (rows: readonly (readonly string[])[]) => Promise<string>][] = [
    ['text', (rows) => fileOf('bom.csv', rows.map((cells) => `${cells.join(',')}\n`).join(''))],
    ['a worksheet', (rows) => workbookOf({ BOM: rows })],
  ];
  describe.each(forms)('%s', (_, make) => {
    test('are one table with their titles as a column; titles and headers are no rows', async () => {
      expect(await read(await make(BLOCKS), { headerRow: 2, ...section })).toEqual([
        'Part|Name|Qty|Section',
        '3 M-1|Frame|1|Mechanical',
        '4 M-2|Screw|8|Mechanical',
        '9 E-1|Board|1|Electronics',
        '12 P-1|Box|1|Packaging',
      ]);
    });

    test('end where `stopAt` says so, each for itself; what is below an end and has another header is not read', async () => {
      const rows = [...BLOCKS.slice(0, 5), ['Supplier', 'City', ''], ['Acme', 'Ulm', ''], ...BLOCKS.slice(4, 9)];
      expect(await read(await make(rows), { headerRow: 2, stopAt: 'blank', ...section })).toEqual([
        'Part|Name|Qty|Section',
        '3 M-1|Frame|1|Mechanical',
        '4 M-2|Screw|8|Mechanical',
        '12 E-1|Board|1|Electronics',
      ]);
      const totals = [...BLOCKS.slice(0, 4), ['Total', '', '9'], ['odd', '', '1'], ...BLOCKS.slice(9)];
      expect(
        await read(await make(totals), { headerRow: 2, stopAt: { column: 'Part', value: 'Total' }, ...section }),
      ).toEqual([
        'Part|Name|Qty|Section',
        '3 M-1|Frame|1|Mechanical',
        '4 M-2|Screw|8|Mechanical',
        '9 P-1|Box|1|Packaging',
      ]);
    });

    test('a row with a single cell is a title only above a header, and otherwise a row', async () => {
      const rows = [...BLOCKS.slice(1, 3), ['M-9', '', ''], ['M-8', '', ''], ...BLOCKS.slice(9), ['P-9', '', '']];
      expect(await read(await make(rows), section)).toEqual([
        'Part|Name|Qty|Section',
        '2 M-1|Frame|1|',
        '3 M-9|||',
        '4 M-8|||',
        '7 P-1|Box|1|Packaging',
        '8 P-9|||Packaging',
      ]);
    });

    test('every other option knows the column of the titles', async () => {
      const source: Partial<ImportSource> = {
        headerRow: 2,
        columns: { Section: { is: 'title' }, Parent: 'ASM {Section}' },
        values: { Section: { Mechanical: 'ME' } },
        where: { Section: { not: 'Electronics' } },
        fillDown: ['Name'],
        range: 'A2:C11',
      };
      expect(await read(await make(BLOCKS), source)).toEqual([
        'Part|Name|Qty|Section|Parent',
        '3 M-1|Frame|1|ME|ASM ME',
        '4 M-2|Screw|8|ME|ASM ME',
      ]);
    });

    test('`fillDown` fills nothing from another block', async () => {
      const rows = [...BLOCKS.slice(0, 10), ['Part', 'Name', 'Qty'], ['P-1', '', '1']];
      expect((await read(await make(rows), { headerRow: 2, fillDown: ['Name'], ...section })).at(-1)).toBe(
        '12 P-1||1|Packaging',
      );
    });
  });

  test('a header in two rows is found again as a whole', async () => {
    const head = ['Part,Size,\n,Length,Width\n'];
    const path = await fileOf('b.csv', `A,,\n${head}p,1,2\nB,,\n${head}q,3,4\n`);
    expect(await read(path, { headerRow: 2, header: { rows: 2 }, stopAt: 'blank', ...section })).toEqual([
      'Part|Size Length|Size Width|Section',
      '4 p|1|2|A',
      '8 q|3|4|B',
    ]);
  });

  test('a title needs a header, a worksheet needs a workbook, and neither replaces a column', async () => {
    const path = await fileOf('b.csv', 'Part,Section\nA,B\n');
    expect(await refusal(read(path, { header: 'none', ...section }))).toContain('needs a header below each title');
    expect(await refusal(read(path, section))).toContain('adds the column "Section", which bom already has');
    expect(await refusal(read(path, { columns: { Sheet: { is: 'worksheet' } } }))).toContain('is a text file');
  });
});

const frame = [['Frame of the pump'], [], ['Part', 'Qty'], ['F-1', '1'], ['F-2', '2'], [], ['Total', '3']];
const drive = [
  ['PART', 'Qty'],
  ['D-1', '4'],
];

const odsOf = (sheets: Readonly<Record<string, readonly (readonly string[])[]>>): Promise<string> => {
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text}</text:p></table:table-cell>`;
  const row = (cells: readonly string[]) => `<table:table-row>${cells.map(cell).join('')}</table:table-row>`;
  const tables = Object.entries(sheets).map(
    ([name, rows]) =>
      `<table:table table:name="${name}">${rows.map((cells) => row(cells.length === 0 ? [''] : cells)).join('')}</table:table>`,
  );
  return rawOds({ sheets: tables.join('') });
};

describe.each([
  ['XLSX', workbookOf],
  ['ODS', odsOf],
] as const)('worksheets with one header: %s', (_, make) => {
  const book = () => make({ Frame: frame, Drive: drive, Empty: [] });
  const source: Partial<ImportSource> = { headerRow: 3, columns: { Assembly: { is: 'worksheet' } } };

  test('are one table with their names as a column, wherever the header is on the further ones', async () => {
    const rows = ['Part|Qty|Assembly', 'Frame!4 F-1|1|Frame', 'Frame!5 F-2|2|Frame', 'Drive!2 D-1|4|Drive'];
    expect(await read(await book(), { ...source, worksheet: '*', stopAt: 'blank' })).toEqual(rows);
    expect(await read(await book(), { ...source, worksheet: ['Frame', 'drive'], stopAt: 'blank' })).toEqual(rows);
    expect(await read(await book(), { ...source, worksheet: ['Dr*', 'Frame'], headerRow: 1, stopAt: 'blank' })).toEqual(
      ['PART|Qty|Assembly', 'Drive!2 D-1|4|Drive', 'Frame!4 F-1|1|Frame', 'Frame!5 F-2|2|Frame'],
    );
  });

  test('one without the header, or with an unknown name, is an error that names it', async () => {
    const other = await make({
      Frame: drive,
      Notes: [
        ['Who', 'When'],
        ['Ann', 'today'],
      ],
    });
    expect(await refusal(read(other, { worksheet: '*' }))).toContain(
      'bom, worksheet "Notes" has no row with the header of the first worksheet: part | qty.',
    );
    expect(await refusal(read(other, { worksheet: ['Frame', 'Nots'] }))).toContain('has no worksheet "Nots"');
    expect(await refusal(read(other, { worksheet: 'X*' }))).toContain('has no worksheet "X*"');
  });
});

test('an assembly that a further worksheet lists again has the lines of its first list', async () => {
  const path = await workbookOf({
    A: [
      ['Level', 'Part'],
      ['0', 'TOP-A'],
      ['1', 'SUB'],
      ['2', 'LEAF'],
    ],
    B: [
      ['Level', 'Part'],
      ['0', 'TOP-B'],
      ['1', 'SUB'],
      ['2', 'LEAF'],
    ],
  });
  expect(await read(path, { worksheet: '*', hierarchy: { level: 'Level', number: 'Part' } })).toEqual([
    'Level|Part|Parent Number',
    'A!3 1|SUB|TOP-A',
    'A!4 2|LEAF|SUB',
    'B!3 1|SUB|TOP-B',
  ]);
});

test('a list that manifests come from names the worksheet of each row too', async () => {
  const path = await workbookOf({ Frame: frame, Drive: drive });
  const list = await findList(path, { file: path, worksheet: '*', headerRow: 3, stopAt: 'blank' });
  const rows: unknown[] = [];
  for await (const batch of (await list.open()).batches) rows.push(...batch.map(({ row }) => row));
  expect(rows).toEqual(['Frame!4', 'Frame!5', 'Drive!2']);
});
