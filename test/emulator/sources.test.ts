import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HostedWorkspace, openHosted } from '../harness/hosted-workspace.js';
import { csv, Session } from '../harness/session.js';
import { reorderArchive } from './reorder-archive.js';

let workspace: HostedWorkspace;
let session: Session;
let overwrite: string;

beforeAll(async () => {
  workspace = await openHosted();
  session = await Session.open(workspace);
  overwrite = await session.define('ITEM_SPECS', 'OVERWRITE');
});

afterAll(() => workspace.stop());

const { Workbook } = createRequire(import.meta.url)(
  '@cj-tech-master/excelts',
) as typeof import('@cj-tech-master/excelts');

async function workbook(sheets: Readonly<Record<string, readonly (readonly unknown[])[]>>): Promise<Blob> {
  const book = new Workbook();
  for (const [name, rows] of Object.entries(sheets))
    book.addWorksheet(name).addRows(rows.map((row) => [...row]) as never);
  return new Blob([new Uint8Array(await book.xlsx.writeBuffer())]);
}

describe('source files (wire-facts 4)', () => {
  const importOf = async (content: string | Blob, fields: Record<string, string> = {}) =>
    session.finished(await session.submit(overwrite, content, { commit: 'false', ...fields }));

  test('CSV: byte order mark, quotes, line breaks in cells, LF, blank lines, Unicode', async () => {
    const content =
      '\uFEFFnumber,name,description\n"U-1","A ""quoted"", name","two\nlines"\n\nU-2,Wid\u00e9 \u{1F600},x\n';
    const { run, errors } = await session.importNow(overwrite, content);
    expect([run.successCount, errors]).toEqual([2, []]);
    const [first, second] = await session.items('U-*');
    expect([first.name, first.description, second.name]).toEqual([
      'A "quoted", name',
      'two\nlines',
      'Wid\u00e9 \u{1F600}',
    ]);
  });

  test('the row number counts records, blank lines included, and the header is row 1 (wire-facts 0)', async () => {
    const { errors } = await session.importNow(overwrite, 'number,name\nB-1,"two\nlines"\n\nB-2,\n');
    expect(errors.map((line) => line.split(',')[0])).toEqual(['2', '4']);
  });

  test('headers are compared without case and surrounding spaces; unmapped columns are ignored with warning 331', async () => {
    const run = await importOf(csv(' NUMBER ,Name,Colour', 'H-1,Header,red'));
    expect(run).toMatchObject({ successCount: 1, warnings: { count: 1, results: [{ code: 331 }] } });
    expect(run.warnings.results[0].message).toContain('"Colour"');
  });

  test('a mapped column that the file lacks counts as empty, with a warning', async () => {
    const mapping = ['number', 'name', 'description'].map((apiName) => ({
      resource: 'ITEM_SPECS',
      apiName,
      sourceName: apiName.toUpperCase(),
    }));
    const definition = await session.define('ITEM_SPECS', 'OVERWRITE', { mapping });
    const { run } = await session.importNow(definition, csv('number,name', 'M-1,Mapped'));
    expect(run).toMatchObject({ successCount: 1, warnings: { results: [{ code: 331 }] } });
    expect(run.warnings.results[0].message).toContain('"DESCRIPTION"');
  });

  test.each([
    ['no content', '', 3522],
    ['an unclosed quote', 'number,name\nA,"B\n', 3523],
    ['bytes that are no UTF-8', new Blob([new Uint8Array([0x6e, 0x2c, 0xff, 0xfe, 0x0a])]), 3523],
    ['a mapped column twice', 'number,name,NAME\nA,B,C\n', 3523],
    ['no header', '\n\nA,B\n', 3523],
    ['a broken workbook', new Blob(['PK\u0003\u0004 and no more']), 3523],
  ])('%s ends in status ERROR with the reason as a warning', async (_, content, code) => {
    const run = await importOf(content);
    expect(run).toMatchObject({ status: 'ERROR', totalCount: 0, warnings: { count: 1, results: [{ code }] } });
  });

  test('a header without rows is COMPLETE with warning 3524', async () => {
    expect(await importOf('number,name\n')).toMatchObject({
      status: 'COMPLETE',
      totalCount: 0,
      warnings: { results: [{ code: 3524 }] },
    });
  });

  test('a row with cells beyond the header fails alone', async () => {
    const { run, errors } = await session.importNow(overwrite, csv('number,name', 'W-1,Wide,extra', 'W-2,Fine'));
    expect(run).toMatchObject({ successCount: 1, errorCount: 1 });
    expect(errors[0]).toMatch(/^2,W-1,Error,3003,/);
  });

  test('EXCEL_WORKSHEET: the first sheet, or the one that submitWorksheetName names', async () => {
    const book = await workbook({
      Parts: [
        ['number', 'name', 'standardCost', 'Last Reviewed', 'Safety Critical'],
        ['XL-1', 'From Excel', 0.1 + 0.2, new Date('2025-03-01T00:00:00Z'), true],
        [1234, { formula: 'A1', result: 'Formula' }, 5],
      ],
      Other: [
        ['number', 'name'],
        ['XL-9', { richText: [{ text: 'Rich ' }, { text: 'text' }] }],
      ],
    });
    const first = await session.importNow(overwrite, book);
    expect(first.run).toMatchObject({ submitFileType: 'EXCEL_WORKSHEET', successCount: 2, errorCount: 0 });
    const [item] = await session.items('XL-1');
    expect(item.standardCost).toBe(0.3);
    expect(item.additionalAttributes.map(({ value }: { value: unknown }) => value)).toEqual([
      '2025-03-01T00:00:00Z',
      true,
    ]);
    expect((await session.items('1234'))[0].name).toBe('Formula');
    const other = await session.importNow(overwrite, book, { submitWorksheetName: 'Other' });
    expect(other.run).toMatchObject({ submitWorksheetName: 'Other', successCount: 1 });
    expect((await session.items('XL-9'))[0].name).toBe('Rich text');
    const none = await importOf(book, { submitWorksheetName: 'Nowhere' });
    expect(none).toMatchObject({ status: 'ERROR', warnings: { results: [{ code: 3523 }] } });
    expect(none.warnings.results[0].message).toBe(
      'There is no worksheet "Nowhere"; the workbook has "Parts", "Other".',
    );
  });

  test.each([
    ['as Excel writes it', (bytes: Buffer) => bytes],
    ['with its worksheets before names, styles and texts, as LibreOffice writes it', reorderArchive],
  ])('a workbook %s is read alike', async (_, reorder) => {
    const book = await workbook({
      First: [
        ['number', 'name', 'Last Reviewed'],
        ['ORDER-1', 'In order', new Date('2025-03-01T00:00:00Z')],
      ],
      Second: [['number', 'name'], ['ORDER-2']],
    });
    const bytes = reorder(Buffer.from(await book.arrayBuffer()));
    const { errors } = await session.importNow(overwrite, new Blob([new Uint8Array(bytes)]));
    expect(errors).toEqual([]);
    const [item] = await session.items('ORDER-1');
    expect([item.name, item.additionalAttributes[0].value]).toEqual(['In order', '2025-03-01T00:00:00Z']);
  });

  test('a worksheet keeps its own row numbers, blank rows included', async () => {
    const book = await workbook({ Sheet: [['number', 'name'], [], ['GAP-1']] });
    expect((await session.importNow(overwrite, book)).errors[0]).toMatch(/^3,GAP-1,Error,3001,/);
  });
});
