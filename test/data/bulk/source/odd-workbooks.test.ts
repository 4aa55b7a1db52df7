import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { openRawTable } from '#data/bulk/source/open-source.js';
import { readAll, refusal } from '../support.js';
import { declareSize, rawWorkbook, textRows, workbookOfParts } from './raw-workbook.js';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

interface Parts {
  readonly sheet: string;
  readonly strings?: string;
  readonly styles?: string;
  readonly book?: string;
}

/** The fewest parts that a workbook has, the worksheet before all that it needs. */
const bookOf = ({ sheet, strings = '', styles = '', book = '' }: Parts): [string, string][] => [
  ['xl/worksheets/sheet1.xml', `<worksheet xmlns="${MAIN}">${sheet}</worksheet>`],
  ['xl/sharedStrings.xml', `<sst xmlns="${MAIN}">${strings}</sst>`],
  ['xl/styles.xml', `<styleSheet xmlns="${MAIN}">${styles}</styleSheet>`],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><workbookPr/><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets>${book}</workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Type="${RELATIONS}/sharedStrings" Target="sharedStrings.xml"/><Relationship Id="rId3" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    '_rels/.rels',
    `<Relationships><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
];

async function cellsOf(path: string): Promise<(readonly string[])[]> {
  const cells: (readonly string[])[] = [];
  for await (const rows of (await openRawTable(path, { file: 'raw.xlsx' })).batches)
    for (const row of rows) cells.push(row.cells);
  return cells;
}

const cellsOfParts = async (parts: Parts) => cellsOf(await workbookOfParts(bookOf(parts)));

const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`;
const data = (...rows: string[]): string => `<sheetData>${rows.join('')}</sheetData>`;
const shared = (index: number): string => `<c t="s"><v>${index}</v></c>`;
const styled = (style: number, value: string): string => `<c s="${style}"><v>${value}</v></c>`;

test('a format of decimals keeps the zeros that people see, and rounds nothing; quantities stay numbers', async () => {
  const styles =
    '<numFmts><numFmt numFmtId="164" formatCode="0.000"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="2"/><xf numFmtId="164"/><xf numFmtId="4"/></cellXfs>';
  const sheet = data(row(styled(1, '12.1'), styled(1, '3'), styled(1, '12.345'), styled(2, '-1.5'), styled(3, '0.5')));
  expect(await cellsOfParts({ sheet, styles })).toEqual([['12.10', '3.00', '12.345', '-1.500', '0.5']]);
});

describe('any workbook by the standard is read', () => {
  test('with a worksheet before its strings and styles', async () => {
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs>';
    const sheet = data(row(shared(1), shared(0), styled(1, '45982')));
    expect(await cellsOfParts({ sheet, strings: '<si><t>a</t></si><si><t>b</t></si>', styles })).toEqual([
      ['b', 'a', '2025-11-21'],
    ]);
  });

  test('with prefixed names of elements in all parts, and the namespaces of the strict form', async () => {
    const strict = 'http://purl.oclc.org/ooxml';
    const parts = bookOf({
      sheet: data(row(shared(0), styled(0, '1'), '<c t="inlineStr"><is><t>in</t></is></c>')),
      strings: '<si><t>text</t></si>',
      styles: '<numFmts><numFmt numFmtId="164" formatCode="000"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs>',
    }).map(([name, xml]): [string, string] => [
      name,
      xml
        .replaceAll(MAIN, `${strict}/spreadsheetml/main`)
        .replaceAll(RELATIONS, `${strict}/officeDocument/relationships`)
        .replaceAll(/<(\/?)(\w)/g, '<$1x:$2')
        .replaceAll('xmlns=', 'xmlns:x='),
    ]);
    expect(await cellsOf(await workbookOfParts(parts))).toEqual([['text', '001', 'in']]);
  });

  test('with parts in other folders, by absolute names, in other letter case', async () => {
    const parts = bookOf({ sheet: data(row(shared(0))), strings: '<si><t>found</t></si>' }).map(
      ([name, xml]): [string, string] => [
        name.replace('xl/workbook.xml', 'book/main.xml').replace('xl/_rels/workbook', 'book/_rels/main'),
        xml
          .replace('Target="xl/workbook.xml"', 'Target="/book/main.xml"')
          .replace('Target="worksheets/', 'Target="../XL/Worksheets/')
          .replace('Target="shared', 'Target="/xl/Shared'),
      ],
    );
    expect(await cellsOf(await workbookOfParts([...parts, ['xl/workbook.xml', '<other/>']]))).toEqual([['found']]);
  });

  test('without strings, styles and a relation to the workbook', async () => {
    const needed = bookOf({ sheet: data(row(styled(7, '1'))) }).filter(
      ([name]) => !/(Strings|styles|\.rels)$/.test(name),
    );
    const relations = bookOf({ sheet: '' }).filter(([name]) => name.endsWith('workbook.xml.rels'));
    expect(await cellsOf(await workbookOfParts([...needed, ...relations]))).toEqual([['1']]);
  });

  test('with strings that have pronunciation, runs, CDATA, nothing, and characters that XML cannot hold', async () => {
    const strings = [
      '<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh><phoneticPr fontId="1"/>',
      '<r><t>a</t></r><r><rPr><b/></rPr><t xml:space="preserve"> b</t></r>',
      '<t><![CDATA[<&>]]></t>',
      '<t/>',
      '',
      '<t>_x0041_&#10;b</t>',
    ];
    const sheet = data(row(...strings.map((_, index) => shared(index))));
    expect(await cellsOfParts({ sheet, strings: strings.map((xml) => `<si>${xml}</si>`).join('') })).toEqual([
      ['東京', 'a b', '<&>', '', '', 'A\nb'],
    ]);
  });

  test('with cells of every type, without addresses, with style alone, and far to the right', async () => {
    const sheet = data(
      row(
        '<c t="b"><v>1</v></c>',
        '<c t="e"><v>#N/A</v></c>',
        '<c t="d"><v>2026-11-21</v></c>',
        '<c t="str"><f>A1</f><v>x</v></c>',
      ),
      row('<c s="3"/>', '<c><f>A1</f></c>'),
      '<row r="9"><c r="C9"><v>1</v></c><c><v>2</v></c><c r="XFD9"><v>3</v></c></row>',
    );
    const [first, second, third = []] = await cellsOfParts({ sheet: `<dimension ref="A1:XFD1048576"/>${sheet}` });
    expect([first, second, third.slice(0, 5), third.length, third.at(-1)]).toEqual([
      ['TRUE', '#N/A', '2026-11-21', 'x'],
      ['', ''],
      ['', '', '1', '2', ''],
      16_384,
      '3',
    ]);
  });

  test('with formats that are built in, also of other languages, that escape a letter, and that belong to something else', async () => {
    const ids = [14, 22, 27, 36, 45, 46, 47, 57, 9, 49, 164, 165];
    const styles = `<numFmts><numFmt numFmtId="164" formatCode="0\\d"/><numFmt numFmtId="165" formatCode="00\\.000"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs>${ids.map((id) => `<xf numFmtId="${id}"/>`).join('')}</cellXfs><dxfs><dxf><numFmt numFmtId="164" formatCode="yyyy"/></dxf></dxfs>`;
    const [read] = await cellsOfParts({ sheet: data(row(...ids.map((_, style) => styled(style, '45982')))), styles });
    expect(read).toEqual([
      ...Array.from({ length: 5 }, () => '2025-11-21'),
      '45982',
      '2025-11-21',
      '2025-11-21',
      '45982',
      '45982',
      '45982',
      '45.982',
    ]);
  });

  test('with hidden columns and merged ranges beyond the limits of a worksheet', async () => {
    const around = '<mergeCells><mergeCell ref="ZZZZZZZ1:ZZZZZZZ9"/><mergeCell ref="A1:A2"/></mergeCells>';
    const sheet = `<cols><col min="16384" max="99999999" hidden="1"/></cols>${data(row(styled(0, '1')))}${around}`;
    const raw = await openRawTable(await workbookOfParts(bookOf({ sheet })), { file: 'raw.xlsx' });
    for await (const _ of raw.batches);
    expect([[...raw.hiddenColumns()], raw.merged()]).toEqual([[16_383], [{ left: 0, top: 1, right: 0, bottom: 2 }]]);
  });

  test('with extensions and drawings that call themselves worksheets', async () => {
    const drawing = '<controls><control><xdr:col>1</xdr:col><xdr:row>2</xdr:row></control></controls>';
    const book = '<extLst><ext><x15:workbookPr chartTrackingRefBase="1"/></ext></extLst>';
    const parts = bookOf({
      sheet: `${data(row('<c t="str"><v>a</v></c>', styled(0, '1')))}${drawing}`,
      book,
      styles: '<cellXfs><xf numFmtId="14"/></cellXfs>',
    });
    const epoch = parts.map(
      ([name, xml]) => [name, xml.replace('<workbookPr/>', '<workbookPr date1904="true"/>')] as const,
    );
    expect(await cellsOf(await workbookOfParts(epoch))).toEqual([['a', '1904-01-02']]);
  });
});

describe('a hostile or damaged workbook is refused by its name', () => {
  const broken = async (parts: Parts) => refusal(cellsOfParts(parts));

  test.each([
    ['an external entity in a worksheet', { sheet: data(row('<c t="str"><v>&file;</v></c>')) }],
    ['one in the strings', { sheet: data(), strings: '<si><t>&file;</t></si>' }],
  ])('%s', async (_, parts) => {
    const document = '<!DOCTYPE x [<!ENTITY file SYSTEM "file:///etc/passwd">]>';
    const hostile = bookOf(parts).map(([name, xml]) => [name, xml.includes('&file;') ? document + xml : xml] as const);
    expect(await refusal(cellsOf(await workbookOfParts(hostile)))).toContain(
      'is a broken workbook: its XML has a document type.',
    );
    expect(await broken(parts)).toContain('is a broken workbook: undefined entity.');
  });

  test.each([
    [
      'elements within one another without end',
      `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`,
      'its XML has elements nested more than 100 deep',
    ],
    [
      'a comment without end',
      `<!--${' '.repeat(17 * 1024 * 1024)}-->`,
      'its XML has more than 16777216 characters without an element',
    ],
    [
      'space between rows without end',
      data(`${row('<c r="A1" t="str"><v>A</v></c>')}${' '.repeat(17 * 1024 * 1024)}`),
      'its XML has more than 16777216 characters without an element',
    ],
    ['a cell given twice', data(row('<c r="B1"/><c r="A1"/><c r="B1"/>')), 'row 1 has the cell B1 twice'],
    ['a row that no worksheet has', data('<row r="1048577"/>'), 'the row number 1048577 is too large'],
    ['cells without end', data(row('<c r="A1"/>'.repeat(16_385))), 'row 1 has more than 16384 cells'],
    [
      'a row without end',
      data(row(`<c t="str"><v>${'x'.repeat(1_000_000)}</v></c>`.repeat(17))),
      'row 1 has more than 16000000 characters',
    ],
  ])('%s', async (_, sheet, says) => {
    expect(await broken({ sheet })).toContain(`raw.xlsx is a broken workbook: ${says}`);
  });

  test('with a missing string', async () => {
    expect(await broken({ sheet: data(row(shared(3))) })).toContain('its shared string 3 is missing');
  });

  test('with a worksheet that is missing, or is there twice', async () => {
    const [sheet = ['', ''], ...others] = bookOf({ sheet: data(row(styled(0, '1'))) });
    expect(await refusal(cellsOf(await workbookOfParts(others)))).toContain(
      'its part "xl/worksheets/sheet1.xml" is missing',
    );
    expect(await refusal(cellsOf(await workbookOfParts([sheet, sheet, ...others])))).toContain(
      'it has "xl/worksheets/sheet1.xml" twice',
    );
  });

  test('with a part that unpacks to more than it declares', async () => {
    const path = await rawWorkbook({ sheets: { A: data() }, shared: ['<t>long enough</t>'] });
    await declareSize(path, 'xl/sharedStrings.xml', 10);
    expect(await refusal(cellsOf(path))).toMatch(/is a broken workbook: too many bytes in the stream/);
  });

  test('with a changed byte that leaves all of it readable', async () => {
    const path = await workbookOfParts(bookOf({ sheet: data(row('<c t="str"><v>PN-1</v></c>')) }), false);
    const bytes = await readFile(path);
    bytes.write('7', bytes.indexOf('PN-1') + 3);
    await writeFile(path, bytes);
    expect(await refusal(cellsOf(path))).toContain('the checksum of "xl/worksheets/sheet1.xml" is wrong');
  });
});

test('rows come many at once, so that the header is looked for among them', async () => {
  const wide = Array.from({ length: 60 }, () => Array.from({ length: 20 }, () => 'x'.repeat(200)));
  const { batches } = await openRawTable(
    await rawWorkbook({ sheets: { A: data(textRows(...wide).replaceAll(/ r="\w+"/g, '')) } }),
    {
      file: 'raw.xlsx',
    },
  );
  const { value } = await batches.next();
  await batches.return(undefined);
  expect(value?.length).toBe(60);
});

test('a broken worksheet does not keep another from being read', async () => {
  const path = await rawWorkbook({ sheets: { A: data(row('<c t="str"><v>a</v></c>')), B: '<sheetData>' } });
  expect((await readAll(path)).headers).toEqual(['a']);
});
