import { CsvError, type Options } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DexsyncError } from '#base/errors.js';
import type { CsvForm } from '#data/bulk/source/csv-form.js';
import { csvRecords } from '#data/bulk/source/csv-records.js';
import type { RawRow } from '#data/bulk/source/raw-table.js';
import { scaled } from '../../../harness/sample.js';

/** The rows of a text up to its first fault, and what that is. */
interface Reading {
  readonly rows: readonly RawRow[];
  readonly fault?: { readonly code: string; readonly line: number };
}

/** By csv-parse alone, in one piece; lines are counted in the text between the records that it finds. */
function readByLibrary(text: string, { delimiter, quotes }: CsvForm): Reading {
  const bytes = Buffer.from(text);
  const rows: RawRow[] = [];
  let end = text.startsWith('\ufeff') ? 3 : 0;
  const startLine = (): number => {
    const [blank = ''] = /^[\r\n]*/.exec(bytes.toString('utf8', end)) ?? [];
    return 1 + lineBreaks(bytes.toString('utf8', 0, end) + blank);
  };
  const options: Options = {
    ...{
      delimiter,
      bom: true,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      skip_empty_lines: true,
    },
    relax_quotes: quotes === 'lenient',
    on_record: (cells: string[], info) => {
      const row = startLine();
      const breaks = cells.reduce((sum, cell) => sum + lineBreaks(cell), 0);
      rows.push(breaks === 0 ? { row, cells } : { row, end: row + breaks, cells });
      end = info.bytes;
      return null;
    },
  };
  try {
    parse(bytes, options);
    return { rows };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    return { rows, fault: { code: error.code, line: startLine() } };
  }
}

const lineBreaks = (text: string): number => text.match(/\r\n|\n|\r/g)?.length ?? 0;

async function readInBlocks(blocks: readonly Buffer[], form: CsvForm): Promise<Reading> {
  const rows: RawRow[] = [];
  try {
    for await (const batch of csvRecords(asyncOf(blocks), form, 'any.csv')) rows.push(...batch);
    return { rows };
  } catch (error) {
    if (!(error instanceof DexsyncError) || !(error.cause instanceof CsvError)) throw error;
    return { rows, fault: { code: error.cause.code, line: Number(/^any\.csv:(\d+):/.exec(error.message)?.[1]) } };
  }
}

async function* asyncOf<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

const cutAt = (bytes: Buffer, ...at: readonly number[]): Buffer[] =>
  [0, ...at].map((start, index) => bytes.subarray(start, at[index]));

const text = fc
  .array(
    fc.oneof(
      { weight: 5, arbitrary: fc.constantFrom('"', ',', ';', '\n', '\r\n', 'a', 'b c') },
      { weight: 2, arbitrary: fc.constantFrom('""', '"x",', '"x""y"\r\n', '"1\n2"', '"1\r\n2",', 'a,b\n', '5" x') },
      { weight: 1, arbitrary: fc.constantFrom('\r', '\0', '\ufeff', ' ', '\t', 'ä', '漢', '𝒳', '\u0085', '"ü\r"') },
    ),
    { maxLength: 14 },
  )
  .map((parts) => parts.join(''));

const form = fc.record({
  delimiter: fc.constantFrom(',', ',', ';', '\t', '|', ' ', 'a', '§', '漢'),
  quotes: fc.constantFrom('strict' as const, 'lenient' as const),
});

test('any text gives the rows, lines and errors of csv-parse, at any split into blocks', async () => {
  await fc.assert(
    fc.asyncProperty(text, form, async (given, form) => {
      const bytes = Buffer.from(given);
      const expected = readByLibrary(given, form);
      for (let at = 0; at <= bytes.length; at += 1) {
        expect(await readInBlocks(cutAt(bytes, at), form)).toEqual(expected);
      }
      const each = Array.from({ length: bytes.length }, (_, at) => at);
      expect(await readInBlocks(cutAt(bytes, ...each), form)).toEqual(expected);
    }),
    { numRuns: scaled(2000, 100) },
  );
});

test.each([
  ['a cell of 3 MB', `A,B\n"${'long\n'.repeat(600_000)}",1\nx,2\n`],
  ['a quote that is never closed, before 3 MB', `A,B\n1,2\n"x,${'3,4\n'.repeat(750_000)}`],
  ['a line of 3 MB', `A,B\n${'x'.repeat(3_000_000)},1\ny,2`],
])('%s is read the same in blocks as in one piece', async (_, given) => {
  const form = { delimiter: ',', quotes: 'strict' } as const;
  const bytes = Buffer.from(given);
  const starts = Array.from({ length: Math.floor(bytes.length / 65_536) }, (_, index) => (index + 1) * 65_536);
  expect(await readInBlocks(cutAt(bytes, ...starts), form)).toEqual(readByLibrary(given, form));
});
