import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSharedStrings } from '#data/bulk/source/shared-strings.js';
import { readSheet } from '#data/bulk/source/sheet-rows.js';
import { scaled } from '../../../harness/sample.js';

async function* asyncOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Pieces of a text, `size` bytes each. */
const cut = (text: string, size: number): Buffer[] => {
  const bytes = Buffer.from(text);
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) => bytes.subarray(n * size, (n + 1) * size));
};

/** What a document gives, or why it is refused. */
async function outcome<T>(read: () => Promise<T>): Promise<T | string> {
  try {
    return await read();
  } catch (error) {
    return `${error}`;
  }
}

const rowsOf = (chunks: readonly Buffer[]) =>
  outcome(async () => {
    const { batches, merged, hiddenColumns } = readSheet(asyncOf(chunks));
    const rows = [];
    for await (const batch of batches) rows.push(...batch);
    return { rows, merged, hiddenColumns };
  });

const stringsOf = (chunks: readonly Buffer[]) => outcome(() => readSharedStrings(asyncOf(chunks)));

const usual = fc.constantFrom(
  '12',
  '1.5e-7',
  '',
  ' a ',
  'x &amp; y',
  '&lt;b&gt;',
  '&#10;',
  'ä漢𝒳',
  '_x000D_',
  'a\nb',
  '>',
  '"',
);
const odd = fc.constantFrom(
  '&#945;',
  '&#0;',
  '&nope;',
  'a & b',
  ']]>',
  '\u0001',
  'a\r\nb',
  '<!-- x -->',
  '<![CDATA[</row>]]>',
  '<',
);
const value = fc.oneof({ weight: 30, arbitrary: usual }, { weight: 1, arbitrary: odd });
const inner = fc.oneof(
  { weight: 20, arbitrary: value.map((text) => `<v>${text}</v>`) },
  { weight: 4, arbitrary: value.map((text) => `<is><t>${text}</t></is>`) },
  { weight: 4, arbitrary: value.map((text) => `<is><t xml:space="preserve">${text}</t></is>`) },
  { weight: 4, arbitrary: value.map((text) => `<f>A1+${text}</f><v>1</v>`) },
  { weight: 4, arbitrary: fc.constantFrom('', '<v/>', '<f t="shared" si="0"/><v>3</v>', '<v>1</v><extLst/>') },
  { weight: 1, arbitrary: fc.constantFrom('<is><r><t>a</t></r><r><t>b</t></r></is>', '<v>1') },
);
const attributes = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom('', ' r="A1"', ' r="C1" s="2"', ' r="B7" s="1" t="s"', ' t="inlineStr"', ' t="e"'),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(' t="str" r="D1"', " r='A1'", ' r="b2"', ' s="x"', ' r="A1" cm="1"', ' r="AB"'),
  },
  { weight: 1, arbitrary: fc.constantFrom(' r="ZZZ1"', ' r="A1" r="B1"') },
);
const cell = fc.oneof(
  { weight: 30, arbitrary: fc.tuple(attributes, inner).map(([given, text]) => `<c${given}>${text}</c>`) },
  { weight: 10, arbitrary: attributes.map((given) => `<c${given}/>`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '<x:c><x:v>1</x:v></x:c>',
      ' ',
      '<d/>',
      'text',
      '<row r="9"><c r="A9"/></row>',
      '</row>',
    ),
  },
);
const rowTag = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom('<row>', '<row r="3">', '<row r="5" spans="1:7" x14ac:dyDescent="0.25">') },
  { weight: 10, arbitrary: fc.constantFrom('<row hidden="1" outlineLevel="2">', '<row r="2"  ht="3">', "<row r='4'>") },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<row r="1" r="2">', '<row r="9999999">', '<row a="x>y">', '<row a="&quot;">'),
  },
);
const row = fc.oneof(
  {
    weight: 30,
    arbitrary: fc.tuple(rowTag, fc.array(cell, { maxLength: 4 })).map(([tag, all]) => `${tag}${all.join('')}</row>`),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom('<row r="7"/>', '<row a="/>"/>', '\n  ', '\r\n', '<!-- <row/> -->', '<?pi <row/> ?>'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('<rowX/>', '</sheetData>', '<row r="2"', '<![CDATA[<row/>]]>', '<row a="/>'),
  },
);
const head = fc.constantFrom(
  '<sheetData>',
  '<cols><col min="2" max="3" hidden="1"/></cols><sheetData>\n',
  '<sheetData x="1">',
);
const declaration = fc.constantFrom(
  '',
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n',
  "<?xml version='1.0'?>",
);
const end = fc.constantFrom(
  '</sheetData><rowBreaks/>',
  '</sheetData><mergeCells><mergeCell ref="A1:A2"/></mergeCells>',
);

type Document = (comment: string) => string;

const sheet = fc
  .tuple(declaration, head, fc.array(row, { maxLength: 5 }), end)
  .map(([before, begin, rows, after]): Document => sheetOf(before, `${begin}${rows.join('')}${after}`));

const sheetOf =
  (before: string, rows: string): Document =>
  (comment) =>
    `${before}<worksheet>${comment}${rows}</worksheet>`;

const string = fc.oneof(
  { weight: 10, arbitrary: value.map((text) => `<si><t>${text}</t></si>`) },
  { weight: 5, arbitrary: value.map((text) => `<si><t xml:space="preserve">${text}</t></si>`) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      ...['<si/>', '<si><t/></si>', '<si><r><t>a</t></r><r><t>b</t></r><rPh><t>c</t></rPh></si>', '\n'],
      ...['<si><t>a</t><t>b</t></si>', '<!-- <si><t>x</t></si> -->', '<si a="1"><t>q</t></si>'],
    ),
  },
);
const strings = fc.tuple(declaration, fc.array(string, { maxLength: 6 })).map(
  ([before, all]): Document =>
    (comment) =>
      `${before}<sst count="3">${comment}${all.join('')}</sst>`,
);

/** Where a comment stands before them, no element is read in its usual form, and all of the document by the parser. */
const COMMENT = '<!-- -->';
const RUNS = { numRuns: scaled(2000, 150) };

async function expectAlike(document: Document, read: (chunks: readonly Buffer[]) => Promise<unknown>): Promise<void> {
  const expected = await read(cut(document(COMMENT), 1 << 20));
  for (const size of [1, 7, 64, 1 << 20]) expect(await read(cut(document(''), size))).toEqual(expected);
}

test('rows in their usual form are read as the XML parser reads them, and refused where it refuses them', async () => {
  await fc.assert(
    fc.asyncProperty(sheet, (document) => expectAlike(document, rowsOf)),
    RUNS,
  );
});

test('shared strings are read in the same way', async () => {
  await fc.assert(
    fc.asyncProperty(strings, (document) => expectAlike(document, stringsOf)),
    RUNS,
  );
});

const ROW = '<row r="8"><c r="A8"><v>8</v></c></row>';

test.each([
  ['in a comment behind the rows began', `<sheetData><!-- <sheetData>${ROW} --></sheetData>`],
  ['in a comment that an empty row hides', `<sheetData><row a="b>c"/><!-- </row>${ROW} --></sheetData>`],
  ['in a value', `<sheetData><row><c t="str"><v><![CDATA[</row>${ROW}]]></v></c></row></sheetData>`],
  ['in another row', `<sheetData><row><row></row>${ROW}</row></sheetData>`],
  ['in an attribute', `<sheetData a="b>">${ROW}</sheetData>`],
  ['in an attribute that does not end', `<sheetData><row a="/>${ROW}</sheetData>`],
  ['outside of the rows', `<sheetData/>${ROW}<rowBreaks/>`],
  ['below another element', `<sheetData><x>${ROW}</x>${ROW}</sheetData>`],
  ['in XML 1.1', `<sheetData>${ROW}<row><c t="str"><v>\u0085\u2028</v></c></row></sheetData>`, '<?xml version="1.1"?>'],
])('text that looks like a row is ignored %s, unless the parser accepts it', async (_, rows, before = '') => {
  await expectAlike(sheetOf(before, rows), rowsOf);
});

test('a cell beyond its limit is refused in any form', async () => {
  const rows = `<sheetData><row r="1"><c t="str"><v>${'x'.repeat(1_000_001)}</v></c></row></sheetData>`;
  expect(await rowsOf(cut(sheetOf('', rows)(''), 1 << 22))).toMatch('more than 1000000 characters');
});

test('rows in a comment are ignored, no matter how it begins', async () => {
  const document = sheetOf('', `<sheetData><!-- <sheetData>${ROW} --></sheetData>`);
  expect(await rowsOf(cut(document(''), 1 << 20))).toMatchObject({ rows: [] });
});
