import { describe, expect, test } from 'vitest';
import { openRawTable, openSource } from '#data/bulk/source/open-source.js';
import { cellsOf, fileOf, readAll, refusal } from '../support.js';
import { cell, rawOds, row, table, text } from './raw-ods.js';
import { declareSize } from './raw-workbook.js';

const sheet = (...rows: string[]) => rawOds({ sheets: table('Parts', rows.join('')) });
const header = (...names: string[]) => row(names.map((name) => text(name)));

/** The cells of a sheet with one row below its header. */
const rowOf = async (...cells: string[]) => {
  const path = await sheet(header(...cells.map((_, column) => `C${column}`)), row(cells));
  return (await readAll(path)).rows[0]?.cells;
};

describe('cells of an OpenDocument spreadsheet are read as those of XLSX', () => {
  test('dates as ISO, times, booleans, percentages and currencies as plain values', async () => {
    expect(
      await rowOf(
        cell('office:value-type="date" office:date-value="2026-02-13"', '13.02.26'),
        cell('office:value-type="date" office:date-value="2026-02-13T10:30:00.000000000"', '13.02.26'),
        cell('office:value-type="date" office:date-value="2026-02-13T00:00:00"', '13.02.26'),
        cell('office:value-type="time" office:time-value="PT07H05M00S"', '07:05'),
        cell('office:value-type="boolean" office:boolean-value="true"', 'WAHR'),
        cell('office:value-type="percentage" office:value="0.05"', '5 %'),
        cell('office:value-type="currency" office:currency="EUR" office:value="1234.5"', '1.234,50 €'),
        cell('office:value-type="float" office:value="1.5E-007"', '0,00'),
      ),
    ).toEqual(['2026-02-13', '2026-02-13T10:30:00', '2026-02-13', '07:05:00', 'TRUE', '0.05', '1234.5', '0.00000015']);
  });

  test('texts with their paragraphs, spaces and tabs, without comments and drawings', async () => {
    const comment = '<office:annotation><text:p>by Ann</text:p></office:annotation>';
    const drawing = '<draw:frame xmlns:draw="d"><draw:text-box><text:p>drawn</text:p></draw:text-box></draw:frame>';
    expect(
      await rowOf(
        `<table:table-cell office:value-type="string">${comment}${drawing}<text:p>one<text:s text:c="2"/>two</text:p><text:p>a<text:tab/><text:span>b</text:span>&amp;<text:a>c</text:a></text:p></table:table-cell>`,
        text('\n   wrapped\n   line'),
        cell('office:value-type="string" office:string-value="kept"', 'shown'),
      ),
    ).toEqual(['one  two\na\tb&c', 'wrapped line', 'kept']);
  });

  test('a formula has its stored value; without one, and with an error, the cell has a fault', async () => {
    const path = await sheet(
      header('A', 'B', 'C', 'D'),
      row([
        cell('table:formula="of:=2*3" office:value-type="float" office:value="6"', '6'),
        cell('table:formula="of:=2*3"'),
        cell('table:formula="of:=&quot;&quot;" office:value-type="string" office:string-value=""'),
        cell(
          'table:formula="of:=1/0" office:value-type="string" office:string-value="" calcext:value-type="error"',
          '#DIV/0!',
        ),
      ]),
    );
    expect((await readAll(path)).rows).toEqual([
      {
        row: 2,
        cells: ['6', '', '', '#DIV/0!'],
        faults: [
          { index: 1, code: 'formula-without-value', says: 'contains a formula without a stored value' },
          { index: 3, code: 'cell-error', says: 'contains the error #DIV/0!' },
        ],
      },
    ]);
  });

  test('numbers with leading zeros, by the style of the cell, its parent, its row or its column', async () => {
    const zeros =
      '<number:number-style style:name="N5"><number:number number:min-integer-digits="5"/></number:number-style>';
    const dashed =
      '<number:number-style style:name="N6"><number:text>P-</number:text><number:number number:min-integer-digits="4"><number:embedded-text number:position="2">-</number:embedded-text></number:number></number:number-style>';
    const styleOf = (name: string, rest: string) =>
      `<style:style style:name="${name}" style:family="table-cell" ${rest}/>`;
    const number = (attributes = '') => cell(`office:value-type="float" office:value="42"${attributes}`, '00042');
    const path = await rawOds({
      common: zeros + styleOf('Zip', 'style:data-style-name="N5"'),
      styles: dashed + styleOf('ce1', 'style:parent-style-name="Zip"') + styleOf('ce2', 'style:data-style-name="N6"'),
      sheets: table(
        'Parts',
        `<table:table-column table:number-columns-repeated="3"/><table:table-column table:default-cell-style-name="Zip"/>${header('A', 'B', 'C', 'D')}${row([number(' table:style-name="ce1"'), number(' table:style-name="ce2"'), number(), number()])}${row([number()], ' table:default-cell-style-name="Zip"')}`,
      ),
    });
    expect((await readAll(path)).rows.map(({ cells }) => cells)).toEqual([
      ['00042', 'P-00-42', '42', '00042'],
      ['00042', '', '', ''],
    ]);
  });
});

describe('rows and columns', () => {
  test('that are repeated have their numbers, and empty ones to the end of the sheet cost nothing', async () => {
    const path = await sheet(
      header('A', 'B', 'C', 'D'),
      row([], ' table:number-rows-repeated="3"'),
      row(
        [text('x', ' table:number-columns-repeated="2"'), cell('table:number-columns-repeated="1"'), text('y')],
        ' table:number-rows-repeated="2"',
      ),
      row([cell('table:number-columns-repeated="16384"')], ' table:number-rows-repeated="1048570"'),
    );
    expect((await readAll(path)).rows).toEqual([
      { row: 5, cells: ['x', 'x', '', 'y'] },
      { row: 6, cells: ['x', 'x', '', 'y'] },
    ]);
  });

  test('that are hidden, filtered, grouped or merged are known as such', async () => {
    const path = await sheet(
      '<table:table-column/><table:table-column table:visibility="collapse"/>',
      header('A', 'B'),
      row([text('1')], ' table:visibility="filter"'),
      `<table:table-row-group>${row([text('2', ' table:number-rows-spanned="2"')])}${row(['<table:covered-table-cell/>', text('3')])}</table:table-row-group>`,
    );
    const raw = await openRawTable(path, { file: 'parts.ods' });
    const rows = [];
    for await (const batch of raw.batches) rows.push(...batch);
    expect(rows.slice(1)).toEqual([
      { row: 2, cells: ['1'], hidden: true },
      { row: 3, cells: ['2'], outline: 1 },
      { row: 4, cells: ['', '3'], outline: 1 },
    ]);
    expect([...raw.hiddenColumns()]).toEqual([1]);
    expect(raw.merged()).toEqual([{ top: 3, bottom: 4, left: 0, right: 0 }]);
  });

  test('the sheet with a name is read, else the first that is shown; copies of other files are none', async () => {
    const copy = table(
      "'file:///other.ods'#$Parts",
      `<table:table-source xmlns:xlink="x" xlink:href="other.ods"/>${header('far')}`,
    );
    const path = await rawOds({
      styles:
        '<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>',
      sheets: `${copy}${table('Old', header('old'), ' table:style-name="ta2"')}${table('New &amp; good', header('new'))}`,
    });
    expect((await readAll(path)).headers).toEqual(['new']);
    expect((await readAll(path, { worksheet: 'Old' })).headers).toEqual(['old']);
    expect(await refusal(readAll(path, { worksheet: 'Odl' }))).toBe(
      'raw.xlsx has no worksheet "Odl". It has "Old", "New & good". Did you mean "Old"? [UNKNOWN_NAME]',
    );
    const { worksheets = [] } = await openRawTable(path, { file: 'parts.ods' });
    expect(worksheets.map(({ name, state }) => [name, state])).toEqual([
      ['Old', 'hidden'],
      ['New & good', 'shown'],
    ]);
  });
});

describe('a spreadsheet that cannot be read as a whole is refused', () => {
  const broken = async (...rows: string[]) => refusal(readAll(await sheet(header('A'), ...rows)));

  test('with cells that are repeated beyond measure', async () => {
    expect(
      await broken(row([text('x', ' table:number-columns-repeated="1000"')], ' table:number-rows-repeated="1000000"')),
    ).toBe(
      'raw.xlsx is a broken workbook: it repeats cells more than 10000000 times (row 1000002). Open it in a spreadsheet program and save it again as .xlsx. [FILE_UNREADABLE]',
    );
    expect(await broken(row([text('x')], ' table:number-rows-repeated="1048576"'))).toContain(
      'the row number 1048577 is too large',
    );
    expect(await broken(row([text('x', ' table:number-columns-repeated="16385"')]))).toContain(
      'row 2 has more than 16384 cells',
    );
  });

  test('with a password, without sheets, with other prefixes, and one that unpacks to too much', async () => {
    const sheets = table('Parts', header('A'));
    expect(await refusal(readAll(await rawOds({ sheets, manifest: '<manifest:encryption-data/>' })))).toBe(
      'raw.xlsx is protected with a password. Save a copy without a password. [FILE_UNREADABLE]',
    );
    expect(await refusal(readAll(await rawOds({ sheets: '' })))).toContain('it has no worksheet');
    const foreign = { sheets: '', namespaces: 'xmlns:office="http://openoffice.org/2000/office"' };
    expect(await refusal(readAll(await rawOds(foreign)))).toContain('does not use the prefix "office" of OpenDocument');
    const large = await rawOds({ sheets });
    await declareSize(large, 'content.xml', 2_000_000_000);
    expect(await refusal(readAll(large))).toBe(
      'raw.xlsx unpacks to 1907 MB of cells, but at most 1024 MB are read. Save it as .csv. [FILE_UNREADABLE]',
    );
  });

  test('an OpenDocument text, and a flat one', async () => {
    const start = 'PK\u0003\u0004'.padEnd(30, '\0');
    const writer = await fileOf('a.odt', `${start}mimetypeapplication/vnd.oasis.opendocument.textPK\u0005\u0006`);
    expect(await refusal(openSource(writer, { file: 'a.odt' }))).toBe(
      'a.odt is an OpenDocument file, but not a spreadsheet. Save its table as .ods, .xlsx or .csv. [FILE_UNREADABLE]',
    );
    const flat = await fileOf('a.fods', '<?xml version="1.0"?><office:document/>');
    expect(await refusal(openSource(flat, { file: 'a.fods' }))).toBe(
      'a.fods has a workbook extension but is XML. Open it in a spreadsheet program and save it as .xlsx. [FILE_UNREADABLE]',
    );
  });
});

test('options of text files are refused', async () => {
  const path = await sheet(header('A'));
  expect(await refusal(readAll(path, { delimiter: ';' }))).toContain('is a workbook, and `delimiter` applies only to');
  expect(cellsOf(await readAll(path))).toEqual([['A']]);
});
