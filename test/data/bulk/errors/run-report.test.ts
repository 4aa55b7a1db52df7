import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { ReportFiles } from '#core/stream/import-event-schema.js';
import { joinReport } from '#data/bulk/errors/join-report.js';
import type { PreparedImport } from '#data/bulk/prepare.js';
import type { RunPart } from '#data/bulk/report/run-part.js';
import { writeRunReport } from '#data/bulk/report/write-run-report.js';
import { openSource } from '#data/bulk/source/open-source.js';
import { scaled } from '../../../harness/sample.js';
import { reportOf } from '../../imports/scripted-runs.js';
import { definitionOf, fileOf, prepare, refusal, temporaryFolder } from '../support.js';

const SPECS = definitionOf('ITEM_SPECS', 'OVERWRITE', { number: 'Part', name: 'Name' });

const FACTS = {
  address: 'Import/Parts',
  definition: 'Specs',
  outcome: 'rejected',
  at: '2026-11-21T10:00:00Z',
} as const;

interface Sent {
  readonly first: number;
  readonly last: number;
  readonly state?: RunPart['state'];
  readonly succeeded: number;
  readonly lines: readonly string[];
}

async function written(
  path: string,
  prepared: PreparedImport,
  sent: readonly Sent[],
  folder: string,
): Promise<ReportFiles> {
  const parts: RunPart[] = [];
  const causes = [];
  for (const { first, last, state = 'validated', succeeded, lines } of sent) {
    const errors = `${prepared.path}.${first}`;
    const content = Readable.from([reportOf(...lines)]);
    const joined = await joinReport(content, { prepared, covered: { first, last }, path: errors, keep: 5 });
    parts.push({ first, last, state, succeeded, failed: lines.length, errors, number: parts.length + 7 });
    causes.push(joined.groups);
  }
  const openTable = () => openSource(path, { file: 'a.csv' });
  return writeRunReport({
    ...{ folder, prepared, openTable, parts, causes, facts: FACTS, findings: [] },
  });
}

async function split(content: string, sent: readonly Sent[], definition = SPECS) {
  const path = await fileOf('a.csv', content);
  const prepared = await prepare(path, definition);
  const folder = await temporaryFolder();
  const files = await written(path, prepared, sent, folder);
  const rowsOf = async (file: string): Promise<string[][]> => {
    const text = (await readFile(file, 'utf8')).replace(/^\ufeff/, '');
    return Papa.parse<string[]>(text, { skipEmptyLines: true }).data;
  };
  const [success, failed, unprocessed] = [
    await rowsOf(files.success),
    await rowsOf(files.failed),
    await rowsOf(files.unprocessed),
  ];
  return { files, folder, success, failed, unprocessed, prepared };
}

describe('the rows of an import', () => {
  test('are split by outcome with all columns of their file, failed ones with row, reason and certainty', async () => {
    const { success, failed, unprocessed, files, folder } = await split(
      'Note,Part,Name,Note\nn1,A-1,"x, ""y""",m1\n\nn2,A-2,,m2\nn3,A-3,"two\nlines",m3\n',
      [{ first: 1, last: 3, succeeded: 2, lines: ['3,A-2,Error,3001,"The attribute ""name"" is required."'] }],
    );
    expect(success).toEqual([
      ['Note', 'Part', 'Name', 'Note'],
      ['n1', 'A-1', 'x, "y"', 'm1'],
      ['n3', 'A-3', 'two\nlines', 'm3'],
    ]);
    expect(failed).toEqual([
      ['Note', 'Part', 'Name', 'Note', 'dexsync row', 'dexsync reason', 'dexsync certainty'],
      ['n2', 'A-2', '', 'm2', '4', '3001: The attribute "name" is required.', 'certain'],
    ]);
    expect(unprocessed).toHaveLength(1);
    expect(files.counts).toEqual({ rows: 3, success: 2, failed: 1, unprocessed: 0, doubtful: 0, unplaced: 0 });
    expect((await readdir(folder)).sort()).toEqual([
      'failed.csv',
      'failed.xlsx',
      'report.html',
      'report.json',
      'success.csv',
      'unprocessed.csv',
    ]);
    for (const name of await readdir(folder)) expect((await stat(join(folder, name))).mode & 0o777).toBe(0o600);
  });

  test('are in the folder only once their files are complete, so that a killed command leaves nothing there', async () => {
    const path = await fileOf('a.csv', 'Part,Name\nA-1,x\nA-2,x\n');
    const prepared = await prepare(path, SPECS);
    const folder = await temporaryFolder();
    const meanwhile: string[] = [];
    const openTable = async () => {
      const table = await openSource(path, { file: 'a.csv' });
      const rows = async function* () {
        for await (const row of table.rows) {
          meanwhile.push(...(await readdir(folder)));
          yield row;
        }
      };
      return { ...table, rows: rows() };
    };
    const parts = [{ first: 1, last: 2, state: 'committed' as const, succeeded: 2, failed: 0 }];
    await writeRunReport({ folder, prepared, openTable, parts, causes: [[]], facts: FACTS, findings: [] });
    expect(meanwhile).toEqual([]);
    expect(await readdir(folder)).toContain('success.csv');
  });

  test('are unprocessed where no run received them, where a run broke, and where it skipped them', async () => {
    const rows = ['A-1,x,', 'A-2,x,', ',,note', 'A-4,x,', 'A-5,x,', 'A-6,x,', 'A-7,x,'];
    const { success, failed, unprocessed } = await split(`Part,Name,Note\n${rows.join('\n')}\n`, [
      { first: 1, last: 4, succeeded: 2, lines: ['2,A-1,Error,1,x'] },
      { first: 5, last: 6, state: 'broken', succeeded: 0, lines: [] },
    ]);
    expect(success.slice(1).map(([part]) => part)).toEqual(['A-2', 'A-4']);
    expect(failed.slice(1).map(([part]) => part)).toEqual(['A-1']);
    expect(unprocessed.slice(1).map(([part, , , ...added]) => [part, ...added])).toEqual([
      ['', '4', 'The row has no value in any mapped column, and the service skips such rows.', 'certain'],
      ['A-5', '6', 'Run #8 did not finish.', 'doubtful'],
      ['A-6', '7', 'Run #8 did not finish.', 'doubtful'],
      ['A-7', '8', 'This row was not sent.', 'certain'],
    ]);
  });

  test('do not count as committed where the counts do not say which are', async () => {
    const { success, unprocessed } = await split('Part,Name\nA-1,x\nA-2,x\nA-3,x\n', [
      { first: 1, last: 3, succeeded: 1, lines: ['2,A-1,Error,1,x'] },
    ]);
    expect(success).toHaveLength(1);
    expect(unprocessed.slice(1).map(([part, , , reason]) => [part, reason])).toEqual(
      ['A-2', 'A-3'].map((part) => [
        part,
        'Run #7 counts 1 valid row, but its report has no error for 2 rows; which of them are valid is not known.',
      ]),
    );
  });

  test('are marked where the report is in doubt, and so is the row that it may mean instead', async () => {
    const lines = ['2,A-1,Error,1,x', '4,A-2,Error,1,x', '5,A-4,Error,1,x', '6,A-5,Error,1,x'];
    const body = [1, 2, 3, 4, 5, 6].map((n) => `A-${n},x\n`).join('');
    const { success, failed, unprocessed } = await split(`Part,Name\n${body}`, [
      { first: 1, last: 6, succeeded: 2, lines },
    ]);
    expect(failed.slice(1).map(([part, , , , certainty]) => [part, certainty])).toEqual([
      ['A-1', 'certain'],
      ['A-2', 'doubtful'],
      ['A-4', 'certain'],
      ['A-5', 'certain'],
    ]);
    expect(failed[2]?.[3]).toBe(
      '1: x The service gives row number 4 (row 4 of the file), which has another key; row 3 has the key "A-2".',
    );
    expect(unprocessed.slice(1).map(([part, , , , certainty]) => [part, certainty])).toEqual([['A-3', 'doubtful']]);
    expect(success.slice(1)).toEqual([['A-6', 'x']]);
  });

  test('that failed are imported again unchanged, with and without a mapping, and split again', async () => {
    const { files } = await split('Part,Name\nA-1,x\nA-2,\n', [
      { first: 1, last: 2, succeeded: 1, lines: ['3,A-2,Error,3001,"The attribute ""name"" is required."'] },
    ]);
    const mapped = await prepare(files.failed, SPECS);
    expect(await readFile(mapped.path, 'utf8')).toBe('Part,Name\r\nA-2,\r\n');
    const plain = await prepare(files.failed, { resource: 'ITEM_SPECS', mode: 'OVERWRITE' });
    expect(await readFile(plain.path, 'utf8')).toBe('Part,Name\r\nA-2,\r\n');
    const again = await temporaryFolder();
    const sent = [{ first: 1, last: 1, succeeded: 0, lines: ['2,A-2,Error,9,y'] }];
    const { failed } = await written(files.failed, mapped, sent, again);
    expect(await readFile(failed, 'utf8')).toBe(
      '\ufeffPart,Name,dexsync row,dexsync reason,dexsync certainty\r\nA-2,,2,9: y,certain\r\n',
    );
  });

  test('of a file that has changed since are not split, and nothing is left behind', async () => {
    const prepared = await prepare(await fileOf('a.csv', 'Part,Name\nA-1,x\nA-2,y\n'), SPECS);
    const other = await fileOf('a.csv', 'Part,Name\nA-1,x\n\nA-2,y\n');
    const folder = await temporaryFolder();
    expect(await refusal(written(other, prepared, [], folder))).toContain(
      'a.csv no longer contains the rows that were sent',
    );
    expect(await readdir(folder)).toEqual([]);
  });

  test('are each in exactly one of the files, with their own cells', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', 'ß', '='), maxLength: 4 });
    const world = fc.array(fc.record({ name: cell, note: cell, fails: fc.boolean(), run: fc.nat(2) }), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(world, async (rows) => {
        const table = rows.map(({ name, note }, index) => [`P${index}`, `x${name}x`, `y${note}y`]);
        const cut = Math.ceil(rows.length / 2);
        const part = (first: number, last: number): Sent => {
          const failing = rows.flatMap(({ fails }, index) =>
            fails && index + 1 >= first && index < last ? [index] : [],
          );
          const lines = failing.map((index) => `${index + 3 - first},P${index},Error,1,x`);
          return { first, last, succeeded: last - first + 1 - lines.length, lines };
        };
        const sent = rows.length > 1 ? [part(1, cut), part(cut + 1, rows.length)] : [part(1, 1)];
        const content = Papa.unparse([['Part', 'Name', 'Note'], ...table]);
        const { success, failed, unprocessed } = await split(content, sent);
        expect(success.slice(1)).toEqual(table.filter((_, index) => !rows[index]?.fails));
        expect(failed.slice(1).map((cells) => cells.slice(0, 3))).toEqual(
          table.filter((_, index) => rows[index]?.fails),
        );
        expect(unprocessed).toHaveLength(1);
      }),
      { numRuns: scaled(200, 10) },
    );
  });
});

test('report.json has the content of the page, and a version', async () => {
  const { files } = await split('Part,Name\nA-1,x\nA-2,\n', [
    { first: 1, last: 2, succeeded: 1, lines: ['3,A-2,Error,3001,"The attribute ""name"" is required."'] },
  ]);
  expect(JSON.parse(await readFile(files.json, 'utf8'))).toEqual({
    version: 1,
    ...FACTS,
    file: 'a.csv',
    resource: 'ITEM_SPECS',
    runs: [{ number: 7, state: 'validated', firstRow: 2, lastRow: 3, rows: 2, succeeded: 1, failed: 1 }],
    counts: { rows: 2, success: 1, failed: 1, unprocessed: 0, doubtful: 0, unplaced: 0 },
    causes: [
      {
        code: 3001,
        message: 'The attribute "name" is required.',
        count: 1,
        explanation: 'The attribute must have a value.',
        advice: expect.stringContaining('Fill the cell'),
        samples: [{ row: 3, key: 'A-2', column: 'Name', value: '' }],
      },
    ],
    errors: [
      {
        row: 3,
        dataRow: 2,
        key: 'A-2',
        column: 'Name',
        value: '',
        code: 3001,
        message: 'The attribute "name" is required.',
        cause: 'The attribute "name" is required.',
        certainty: 'certain',
      },
    ],
    errorsInAll: 1,
    findings: [],
    allowed: [],
  });
});
