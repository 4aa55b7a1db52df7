import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberText } from '#data/bulk/source/number-text.js';
import { readSheet, type SheetRow } from '#data/bulk/source/sheet-rows.js';

async function rowsOf(...chunks: string[]): Promise<SheetRow[]> {
  const bytes = async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  return (await collect(readSheet(bytes()).batches)).flat();
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const valuesOf = (rows: readonly SheetRow[]) =>
  rows.map(({ row, cells }) => [row, ...cells.map(({ column, type, value }) => `${column}:${type}:${value ?? ''}`)]);

test('inline rich text keeps all its runs and leaves pronunciation out', async () => {
  const rows = await rowsOf(
    '<sheetData><row r="3"><c r="B3" t="inlineStr"><is><r><t>one </t></r><r><t xml:space="preserve">two</t></r><rPh><t>x</t></rPh></is></c></row></sheetData>',
  );
  expect(valuesOf(rows)).toEqual([[3, '1:inlineStr:one two']]);
});

test('formula results keep their type, and references may be left out', async () => {
  const rows = await rowsOf(
    '<sheetData><row><c t="b"><f>TRUE()</f><v>1</v></c><c t="e"><f>1/0</f><v>#DIV/0!</v></c></row><row><c/><c><v>5</v></c></row></sheetData>',
  );
  expect(valuesOf(rows)).toEqual([
    [1, '0:b:1', '1:e:#DIV/0!'],
    [2, '0:n:', '1:n:5'],
  ]);
});

test('prefixes, entities, CDATA, comments and single quotes mean what XML says', async () => {
  const rows = await rowsOf(
    `<?xml version="1.0"?><x:sheetData><!-- <row> --><x:row r='7'><x:c r='AA7' t="str"><x:v>a&lt;b&#x3b1;<![CDATA[<&>]]></x:v></x:c></x:row></x:sheetData>`,
  );
  expect(valuesOf(rows)).toEqual([[7, '26:str:a<bα<&>']]);
});

test('the split of the bytes does not matter', async () => {
  const xml = Buffer.from(
    '<sheetData><row r="2"><c r="A2" t="str"><v>Ω &amp; ß</v></c><c r="C2" s="4"><v>1.50</v></c></row></sheetData>',
  );
  const whole = await rowsOf(xml.toString());
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.nat(xml.length), { maxLength: 12 }), async (cuts) => {
      const points = [0, ...cuts.sort((a, b) => a - b), xml.length];
      const pieces = async function* () {
        for (const [index, point] of points.entries()) yield xml.subarray(point, points[index + 1] ?? xml.length);
      };
      expect((await collect(readSheet(pieces()).batches)).flat()).toEqual(whole);
    }),
  );
});

test.each([
  ['its XML has a document type', '<!DOCTYPE x [<!ENTITY a "b">]><sheetData/>'],
  ['unclosed tag: v', '<sheetData><row r="1"><c r="A1"><v>1</v'],
  ['undefined entity', '<sheetData><row><c t="str"><v>&foo;</v></c></row></sheetData>'],
  ['the cell reference "ZZZZ1" is invalid', '<sheetData><row><c r="ZZZZ1"><v>1</v></c></row></sheetData>'],
])('damage is refused: %s', async (message, xml) => {
  await expect(rowsOf(xml)).rejects.toThrow(message);
});

test.each([
  ['12345678901234567890', 'General', '12345678901234567890'],
  ['0.30000000000000004', 'General', '0.3'],
  ['1E-3', 'General', '0.001'],
  ['-1.25E+2', 'General', '-125'],
  ['9.7E+22', 'General', '97000000000000000000000'],
  ['1.5E-9', '0.00E+00', '0.0000000015'],
  ['42', '00000', '00042'],
  ['42.5', '00000', '42.5'],
  ['0.15', '0%', '0.15'],
  ['45982', 'dd.mm.yyyy', '2025-11-21'],
  ['45982.5', 'm/d/yy h:mm', '2025-11-21T12:00:00'],
  ['0.75', 'h:mm', '18:00:00'],
  ['1', 'd-mmm', '1900-01-01'],
  ['59', 'd-mmm', '1900-02-28'],
  ['61', 'd-mmm', '1900-03-01'],
  ['1.5', '[h]:mm', '1.5'],
  ['7', '"day" 0', '7'],
  ['7', '[Red]0', '7'],
  ['-1', 'd-mmm', '-1'],
])('%s in the format %s reads %s', (raw, format, expected) => {
  expect(numberText(raw, format, '1900')).toBe(expected);
});

test('the calendar of 1904 begins on its own day', () => {
  expect(numberText('44520', 'yyyy-mm-dd', '1904')).toBe('2025-11-21');
});

test.each(['General', '0', '@', '"ymd"0', '\\d0', '[Magenta]0', '#,##0.00;[Red]-#,##0.00'])(
  '%s is not a date',
  (format) => {
    expect(numberText('45982', format, '1900')).toBe('45982');
  },
);
