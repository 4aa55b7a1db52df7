import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { Encoding, ImportSource } from '#core/jobs/source.js';
import { openSource } from '#data/bulk/source/open-source.js';
import { cellsOf, fileOf, readAll, refusal } from '../support.js';

/** Windows-1252 by its published table, from 0x80 on; no decoder of the program's is asked. */
const WINDOWS = new Map<string, number>([
  ['€', 0x80],
  ['‚', 0x82],
  ['„', 0x84],
  ['…', 0x85],
  ['‰', 0x89],
  ['Š', 0x8a],
  ['Ž', 0x8e],
  ['’', 0x92],
  ['“', 0x93],
  ['–', 0x96],
  ['™', 0x99],
  ['Ÿ', 0x9f],
]);

function encoded(text: string, encoding: Encoding): Buffer {
  switch (encoding) {
    case 'utf-16le':
      return Buffer.from(text, 'utf16le');
    case 'utf-16be':
      return Buffer.from(text, 'utf16le').swap16();
    case 'windows-1252':
      return Buffer.from([...text].map((one) => WINDOWS.get(one) ?? one.charCodeAt(0)));
    default:
      return Buffer.from(text);
  }
}

const anyCell = fc.oneof(
  fc
    .string({ unit: 'grapheme', maxLength: 6 })
    .filter((text) => Buffer.from(text).toString() === text && !/[\0\ufeff]/.test(text)),
  fc.string({ unit: fc.constantFrom('"', ',', ';', '\t', '|', '\n', '\r\n', 'é', '5'), maxLength: 5 }),
  fc.constantFrom('007', '970e07', '3-10', '', 'Ω'),
);
const latinCell = fc.string({
  unit: fc.constantFrom('a', '7', '"', ';', ',', '\n', 'ä', 'ß', 'µ', ...WINDOWS.keys()),
  maxLength: 6,
});

const tableOf = (cell: fc.Arbitrary<string>) =>
  fc
    .integer({ min: 2, max: 4 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }))
    .filter((rows) => rows.every((row) => row.some((text) => text.trim() !== '')));

const forms: readonly (readonly [name: string, encoding: Encoding, mark: string, stated: Partial<ImportSource>])[] = [
  ['UTF-8, marked', 'utf-8', '\ufeff', {}],
  ['UTF-8, stated', 'utf-8', '', { encoding: 'utf-8' }],
  ['UTF-16 LE, marked', 'utf-16le', '\ufeff', {}],
  ['UTF-16 BE, marked', 'utf-16be', '\ufeff', {}],
  ['UTF-16 LE, stated', 'utf-16le', '', { encoding: 'utf-16le' }],
  ['UTF-16 BE, stated', 'utf-16be', '', { encoding: 'utf-16be' }],
  ['Windows-1252, stated', 'windows-1252', '', { encoding: 'windows-1252' }],
];

test.each(forms)('any table in %s is read back cell by cell', async (_, encoding, mark, stated) => {
  const cell = encoding === 'windows-1252' ? latinCell : anyCell;
  const style = fc.record({
    delimiter: fc.constantFrom(',', ';', '\t', '|', '^'),
    quotes: fc.boolean(),
    newline: fc.constantFrom('\n', '\r\n'),
    lenient: fc.constantFrom('strict' as const, 'lenient' as const),
  });
  await fc.assert(
    fc.asyncProperty(tableOf(cell), style, async (rows, { delimiter, quotes, newline, lenient }) => {
      const text = Papa.unparse(rows, { delimiter, quotes, newline });
      const path = await fileOf('any.csv', encoded(mark + text, encoding));
      expect(cellsOf(await readAll(path, { delimiter, quotes: lenient, ...stated }))).toEqual(rows);
    }),
    { numRuns: 25 },
  );
});

describe('options that are not stated are detected, and shown', () => {
  const text = 'Nr;Maß;Preis\r\n007;"Länge; außen";5,00 €\r\n3-10;µ;1,25\r\n';
  const read = [
    ['Nr', 'Maß', 'Preis'],
    ['007', 'Länge; außen', '5,00 €'],
    ['3-10', 'µ', '1,25'],
  ];
  test.each<[Encoding, string]>([
    ['utf-8', ''],
    ['utf-8', '\ufeff'],
    ['utf-16le', '\ufeff'],
    ['utf-16le', ''],
    ['utf-16be', '\ufeff'],
    ['utf-16be', ''],
    ['windows-1252', ''],
  ])('%s with the mark %j', async (encoding, mark) => {
    const path = await fileOf('preise.csv', encoded(mark + text, encoding));
    const table = await openSource(path, { file: 'preise.csv' });
    expect([table.encoding, table.delimiter]).toEqual([encoding, ';']);
    expect(cellsOf(await readAll(path))).toEqual(read);
  });

  test('Windows-1252 is shown as a guess, unless it is stated', async () => {
    const path = await fileOf('preise.csv', encoded(text, 'windows-1252'));
    const notes = async (source: Partial<ImportSource>) =>
      ((await openSource(path, { file: 'preise.csv', ...source })).notes?.() ?? []).map(({ code, message }) => [
        code,
        message,
      ]);
    expect(await notes({})).toEqual([
      ['encoding-guessed', 'preise.csv is not UTF-8 (line 1), so it is read as Windows-1252 ("Maß").'],
      ['delimiter-detected', 'preise.csv is read as cells separated by semicolons.'],
    ]);
    expect(await notes({ encoding: 'windows-1252', delimiter: ';' })).toEqual([]);
  });

  // Words of the languages that use each encoding, as another program wrote their bytes.
  test.each<[Encoding, string, string[]]>([
    ['windows-1250', '50b379746120b3b9637a', ['Płyta łącz']],
    ['windows-1250', '8a726f75620a50f8656c6f9e6b61', ['Šroub', 'Přeložka']],
    ['iso-8859-2', 'a6727562610ab66c697a67b3', ['Śruba', 'ślizgł']],
    ['windows-1251', 'd0e5e7e8f1f2eef0', ['Резистор']],
    ['windows-1253', 'c1edf4dff3f4e1f3e7', ['Αντίσταση']],
    ['windows-1257', '41707261f0796d617320e0fe756f6c6173', ['Aprašymas ąžuolas']],
    [
      'cp850',
      '5175616e746974820a50698a6365207370826369616c650a426f8c74696572209d3430',
      ['Quantité', 'Pièce spéciale', 'Boîtier Ø40'],
    ],
    ['cp850', '477294e1650a6681722047656884757365', ['Größe', 'für Gehäuse']],
    ['cp852', 'e6726f75620a50fd656c6fa76b61', ['Šroub', 'Přeložka']],
    ['cp852', '97727562610a50887974612088a5637a6e6f986369', ['Śruba', 'Płyta łączności']],
    ['cp866', '90a5a7a8e1e2aee00aada0a8aca5adaea2a0ada8a5', ['Резистор', 'наименование']],
    ['windows-1252', '4e69964364206492656175', ['Ni–Cd d’eau']],
    ['windows-1252', '3130b54620d8203520b13520b043', ['10µF Ø 5 ±5 °C']],
    ['windows-1252', '4c9245415520352080', ['L’EAU 5 €']],
    ['shift_jis', '92ef8d520a836c83578aee94c2', ['抵抗', 'ネジ基板']],
    ['gb18030', 'b5e7d7e80ab5e7c2b7b0e5', ['电阻', '电路板']],
  ])('%s by its letters, with a warning', async (encoding, hex, words) => {
    const bytes = Buffer.concat([Buffer.from('Name\n'), Buffer.from(hex, 'hex'), Buffer.from('\n')]);
    const path = await fileOf('liste.csv', bytes);
    const table = await openSource(path, { file: 'liste.csv' });
    expect(table.encoding).toBe(encoding);
    expect(table.notes?.()[0]).toMatchObject({ severity: 'warning', code: 'encoding-guessed' });
    expect(cellsOf(await readAll(path)).flat()).toEqual(['Name', ...words]);
    expect(cellsOf(await readAll(path, { encoding })).flat()).toEqual(['Name', ...words]);
  });

  test('letters that fit two encodings are a warning that names both readings', async () => {
    const path = await fileOf('liste.csv', Buffer.from('4e616d650af86c0a', 'hex'));
    const [note] = (await openSource(path, { file: 'liste.csv' })).notes?.() ?? [];
    expect(note?.message).toBe(
      'liste.csv is not UTF-8 (line 2), so it is read as Windows-1252 ("øl"). It fits Windows-1250 ("řl") as well.',
    );
    expect(note?.hint).toBe(
      'Check its special characters. Set `encoding: windows-1252` if they are right, or `encoding: windows-1250`.',
    );
  });

  test('one foreign byte far behind the beginning is enough to detect it', async () => {
    const rows = Array.from({ length: 40_000 }, (_, index) => `${index},plain`);
    const path = await fileOf('long.csv', encoded(`N,V\n${rows.join('\n')}\nlast,ü\n`, 'windows-1252'));
    const table = await readAll(path);
    expect(table.rows.at(-1)).toEqual({ row: 40_002, cells: ['last', 'ü'] });
  });

  test('characters of several bytes may cross the pieces in which a file is read', async () => {
    const cell = `${'x'.repeat(7)}𝒳Ωé`;
    const rows = Array.from({ length: 30_000 }, () => `${cell},${cell}`);
    const { rows: read } = await readAll(await fileOf('wide.csv', `A,B\n${rows.join('\n')}\n`));
    expect(new Set(read.flatMap(({ cells }) => cells))).toEqual(new Set([cell]));
    expect(read).toHaveLength(30_000);
  });
});

describe('bytes that contradict the stated encoding are an error that names the line', () => {
  test.each<[Encoding, Uint8Array, string]>([
    ['utf-8', encoded('A,B\n1,2\n3,ü\n', 'windows-1252'), 'a.csv:3: this line is not UTF-8.'],
    [
      'windows-1252',
      Buffer.from([0x41, 0x2c, 0x42, 0x0a, 0x81, 0x2c, 0x31, 0x0a]),
      'a.csv:2: this line is not Windows-1252.',
    ],
    [
      'utf-16le',
      Buffer.concat([encoded('A,B\n1,2\n', 'utf-16le'), Buffer.from('00d82c00', 'hex')]),
      'a.csv:3: this line is not UTF-16 (little-endian).',
    ],
    [
      'utf-16be',
      Buffer.concat([encoded('A,B\n1,2\n', 'utf-16be'), Buffer.from([0])]),
      'a.csv:3: this line is not UTF-16 (big-endian).',
    ],
  ])('%s', async (encoding, bytes, message) => {
    expect(await refusal(readAll(await fileOf('a.csv', bytes), { encoding }))).toBe(
      `${message} Save the file as UTF-8 ("CSV UTF-8"), or set \`encoding\` to the encoding of the file. [FILE_UNREADABLE]`,
    );
  });

  test('text that fits no encoding is not guessed at', async () => {
    const bytes = Buffer.from([0x41, 0x2c, 0x42, 0x0a, 0x98, 0x2c, 0x81, 0x2c, 0xc4, 0x0a]);
    expect(await refusal(readAll(await fileOf('a.csv', bytes)))).toContain(
      'a.csv:2: this line is neither UTF-8 nor in another encoding that dexsync knows.',
    );
  });
});

test.each([
  ['comma', 'A,B\n1,"2;3"\n', ','],
  ['semicolon with decimal commas', 'A;B\n1,5;2,5\n1,0;2\n', ';'],
  ['tab under the name of a CSV file, with commas in its cells', 'A\tB\nx, y, z\t1\na, b, c\t2\n', '\t'],
  ['vertical bar', 'A|B|C\n1|2|3\n', '|'],
  ['a title above the table', 'Parts, all of them\n\nNr;Name;Qty\n1;a;2\n2;b;3\n', ';'],
  ['no delimiter at all', 'A\n1\n2\n', ','],
])('the first lines decide about the delimiter: %s', async (_, text, delimiter) => {
  expect((await openSource(await fileOf('d.csv', text), { file: 'd.csv' })).delimiter).toBe(delimiter);
});

test('quotes: lenient keeps a quote within an unquoted value as it is', async () => {
  const path = await fileOf('q.csv', 'Part,Size\nwheel,5" wide\n"a ""b""",2\n');
  expect(cellsOf(await readAll(path, { quotes: 'lenient' }))).toEqual([
    ['Part', 'Size'],
    ['wheel', '5" wide'],
    ['a "b"', '2'],
  ]);
});
