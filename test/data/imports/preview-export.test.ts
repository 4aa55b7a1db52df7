import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import type { JsonObject } from '#core/model/json.js';
import { KeyedRows } from '#data/bulk/compare/keyed-rows.js';
import { readByExport } from '#data/imports/preview/export/read-by-export.js';
import { unreadBecause } from '#data/imports/preview/unread.js';
import type { WantedItems } from '#data/imports/preview/wanted-items.js';
import type { ExchangeRun, ExchangeRuns } from '#service/exchange-runs.js';
import { ServiceError } from '#service/service-error.js';
import { definitionOf, temporaryFolder } from '../bulk/support.js';

const RUN: ExchangeRun = { guid: 'RUN', number: 3, state: 'complete', status: 'COMPLETE', body: {} };

async function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, text] of Object.entries(files)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as Readable);
}

const refusal = (status: number, code: number): ServiceError =>
  new ServiceError(
    'SERVICE_ERROR',
    { method: 'POST', path: '/exports/D/runs' },
    { status, headers: {}, body: { text: JSON.stringify({ errors: [{ code, message: 'no' }] }) } },
  );

interface Script {
  /** The outcome of starting a run for that many numbers; undefined: it starts. */
  readonly start?: (numbers: number, nth: number) => Error | undefined;
  /** The files of the run that was started last. */
  readonly files: (numbers: readonly string[]) => Readonly<Record<string, string>>;
  readonly run?: Partial<ExchangeRun>;
  readonly count?: number;
}

interface Played {
  readonly asked: number[];
  readonly keys: string[][];
  readonly polls: number;
  readonly outcome: { readonly by: string } | { readonly why: string };
}

/** Reads specs of numbers by the exports of a scripted service. */
async function play(
  wanted: readonly string[],
  { start, files, run = {}, count }: Script,
  patience = 0,
): Promise<Played> {
  const asked: number[] = [];
  let polls = 0;
  let numbers: readonly string[] = [];
  const body: JsonObject = count === undefined ? {} : { criteriaResultsCount: count };
  const runs: ExchangeRuns = {
    list: async () => [],
    latest: async () => undefined,
    start: async (criteria) => {
      numbers = (criteria as readonly (readonly JsonObject[])[]).flatMap((row) =>
        Array.isArray(row) ? [String(row[0]?.value)] : [],
      );
      asked.push(numbers.length);
      const error = start?.(numbers.length, asked.length);
      if (error !== undefined) throw error;
      return { ...RUN, body, ...run };
    },
    read: async () => {
      polls += 1;
      return { ...RUN, body };
    },
    files: async () => [{ guid: 'FILE', name: 'Export.zip' }],
    content: async () => Readable.from([await zipOf(files(numbers))]),
  };
  const folder = await temporaryFolder();
  const records = await KeyedRows.open(folder, 'records');
  const reading = {
    exports: { runsOf: async () => runs },
    host: { signal: new AbortController().signal, emit: () => undefined } as never,
    patience,
    view: 'SPECS' as const,
    wanted: {
      count: wanted.length,
      isByNumber: true,
      has: () => true,
      async *groups() {
        yield wanted;
      },
    } satisfies WantedItems,
    targets: [{ column: 1, header: 'Name', field: 'name' }],
    definition: definitionOf('ITEM_SPECS', 'OVERWRITE', { number: 'Part', name: 'Name' }),
    records,
    reader: {} as never,
    folder,
    onItems: () => undefined,
  };
  const outcome = await readByExport(reading).catch(unreadBecause);
  records.seal();
  const keys = [...records.unmarked()].map(({ key, values }) => [...key, String(values[0]?.[1])]);
  records.close();
  return { asked, keys, polls, outcome };
}

const table = (numbers: readonly string[]): string =>
  `guid,number,name\r\n${numbers.map((one) => `G,${one},n ${one}\r\n`).join('')}`;
const named = (count: number): string[] => Array.from({ length: count }, (_, index) => `P-${index}`);

describe('reading by an export', () => {
  test('splits a request that the service finds too large', async () => {
    const wanted = named(301);
    for (const [status, code] of [
      [413, 413],
      [400, 3148],
      [400, 3149],
    ] as const) {
      const { asked, keys, outcome } = await play(wanted, {
        start: (numbers) => (numbers > 150 ? refusal(status, code) : undefined),
        files: (numbers) => ({ 'SPECS.csv': table(numbers) }),
      });
      expect(outcome).toEqual({ by: 'export' });
      expect(asked).toEqual([301, 151, 76, 75, 150]);
      expect(keys).toEqual(wanted.map((one) => [one, `n ${one}`]));
    }
  });

  test('ignores rows beyond the requested numbers', async () => {
    const { keys } = await play(['p-1'], { files: () => ({ 'SPECS.csv': table(['P-1', 'p-1']) }) });
    expect(keys).toEqual([['p-1', 'n p-1']]);
  });

  test('waits for another export up to the limit, and for its own', async () => {
    const files = (numbers: readonly string[]) => ({ 'SPECS.csv': table(numbers) });
    const busy = await play(['P-1'], { start: () => refusal(400, 3144), files });
    expect(busy.outcome).toEqual({ why: expect.stringContaining('(3144)') });
    const slow = await play(['P-1'], { run: { state: 'in progress', status: 'RUNNING' }, files });
    expect(slow.outcome).toEqual({
      why: 'reading the workspace failed: export run #3 was still RUNNING after 0 seconds, and is not waited for any longer',
    });
    const patient = await play(['P-1'], { run: { state: 'unknown', status: 'PAUSED' }, files }, 1);
    expect([patient.outcome, patient.polls]).toEqual([{ by: 'export' }, 1]);
  });

  test.each<[string, Readonly<Record<string, string>>, number | undefined]>([
    ['the export contains no table SPECS', { 'a.csv': 'x', 'b.csv': 'y' }, undefined],
    ['a.csv has no column "number"', { 'a.csv': 'guid,name\r\n' }, undefined],
    ['SPECS.csv is empty', { 'SPECS.csv': '' }, undefined],
    ['two columns of SPECS.csv have one name', { 'SPECS.csv': 'number,name,Name\r\n' }, undefined],
    ['line 3 of SPECS.csv has 2 cells, but the header has 3', { 'SPECS.csv': `${table(['P-1'])}G,P-2` }, undefined],
    [
      'SPECS.csv:3: the row that starts here has an opening quote that is never closed',
      { 'SPECS.csv': `${table(['P-1'])}G,"P-2,` },
      undefined,
    ],
    ['The export contains 1 of the 2 items that the service counted', { 'SPECS.csv': table(['P-1']) }, 2],
  ])('counts nothing as read: %s', async (why, files, count) => {
    const { outcome } = await play(['P-1', 'P-2'], { files: () => files, ...(count === undefined ? {} : { count }) });
    expect(outcome).toEqual({ why: `reading the workspace failed: ${why}` });
  });

  test('hides a column that the table lacks, rather than show it empty', async () => {
    const { keys } = await play(['P-1'], { files: () => ({ 'any name.csv': 'number\r\nP-1\r\n' }) });
    expect(keys).toEqual([['P-1', 'undefined']]);
  });
});
