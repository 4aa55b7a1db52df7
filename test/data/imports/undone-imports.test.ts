import { expect, test } from 'vitest';
import { addressOf } from '#core/model/address.js';
import type { JobState } from '#core/model/job-state.js';
import type { RecordedImport } from '#core/model/partial-imports.js';
import { withUndos } from '#core/model/undone-imports.js';

/** An import of some content by one run, and what it undoes. */
const one = (run: number, key: string, undoes?: string, more: object = {}): RecordedImport => ({
  ...{ address: addressOf('Import', key), key },
  job: {
    ...{ state: 'committed', at: '2026-01-01T00:00:00.000Z', rows: 3, failed: 0, ...more },
    runs: [{ run: `R${run}`, number: run, first: 1, last: 3, commit: 'done' }],
  } as JobState,
  ...(undoes === undefined ? {} : { facts: { stack: 's', definition: 'd', undoes: { key: undoes, left: 0 } } }),
});

/** `5 undone by 6, 7; 6 of 5`, given in the order in which they were sent. */
const told = (...sent: RecordedImport[]): string =>
  withUndos(sent.reverse())
    .reverse()
    .flatMap(({ job: { runs }, undone, undoneBy = [], undoOf }) => [
      ...(undone === undefined ? [] : [`${runs[0]?.number} ${undone} by ${undoneBy.join(', ')}`]),
      ...(undoOf === undefined ? [] : [`${runs[0]?.number} of ${undoOf.join()}`]),
    ])
    .join('; ');

const left = (count: number) => ({ facts: { stack: 's', definition: 'd', undoes: { key: 'A', left: count } } });

test('an import lists the runs that undid it, and whether in whole', () => {
  expect(told(one(1, 'A'), one(2, 'U', 'A'), one(3, 'V', 'A'))).toBe('1 whole by 2, 3; 2 of 1; 3 of 1');
  expect(told(one(1, 'A'), one(2, 'U', 'A', { failed: 1 }))).toBe('1 in part by 2; 2 of 1');
  expect(told(one(1, 'A'), { ...one(2, 'U'), ...left(3) })).toBe('1 in part by 2; 2 of 1');
  expect(told(one(1, 'A'), one(2, 'U', 'A'), one(3, 'V', 'A', { state: 'rejected' }))).toMatch(/^1 in part by 2;/);
  expect(told(one(1, 'A'), one(2, 'U', 'A', { state: 'posted' }))).toBe('2 of 1');
});

test('an undo that was sent again counts by the attempt that was committed', () => {
  for (const state of ['posted', 'rejected'])
    expect(told(one(1, 'A'), one(2, 'U', 'A', { state }), one(3, 'U', 'A'))).toMatch(/^1 whole by 3;/);
  expect(told(one(1, 'A'), one(2, 'U', 'A'), one(3, 'W', 'U'), one(4, 'U', 'A'))).toMatch(/^1 whole by 4;/);
});

test('an import sent again after its undo is not undone, and neither is an undone undo', () => {
  expect(told(one(1, 'A'), one(2, 'U', 'A'), one(3, 'A'))).toBe('1 whole by 2; 2 of 1');
  expect(told(one(1, 'A'), one(2, 'U', 'A'), one(3, 'W', 'U'))).toBe('2 whole by 3; 2 of 1; 3 of 2');
  expect(told(one(1, 'A'), one(2, 'U', 'A'), one(3, 'V', 'A'), one(4, 'W', 'U'))).toMatch(/^1 in part by 3;/);
  expect(told(one(1, 'A', undefined, { state: 'posted' }), one(2, 'U', 'A'))).toBe('');
});
