import { describe, expect, test } from 'vitest';
import type { DateOrder } from '#core/jobs/source-cells.js';
import { inspectTable } from '#data/bulk/inspect/inspect-table.js';
import { plainDate } from '#data/bulk/source/plain-date.js';
import { fileOf, readAll } from './support.js';

describe('a date is read in the order of its column', () => {
  test.each<[string, DateOrder, string]>([
    ['13/02/2026', 'day-month-year', '2026-02-13'],
    ['2/13/26', 'month-day-year', '2026-02-13'],
    ['3.2.2026', 'day-month-year', '2026-02-03'],
    ['26-02-13', 'year-month-day', '2026-02-13'],
    ['2026/2/13', 'day-month-year', '2026-02-13'],
    ['13. Feb. 2026', 'month-day-year', '2026-02-13'],
    ['Feb 13, 2026', 'day-month-year', '2026-02-13'],
    ['13-Feb-26', 'day-month-year', '2026-02-13'],
    ['3. März 2026', 'day-month-year', '2026-03-03'],
    ['13/02/70', 'day-month-year', '1970-02-13'],
    ['13/02/2026 10:30', 'day-month-year', '2026-02-13T10:30:00'],
    ['2/13/2026 12:05 AM', 'month-day-year', '2026-02-13T00:05:00'],
    ['2026-02-13T10:30:00Z', 'day-month-year', '2026-02-13T10:30:00Z'],
  ])('%s (%s)', (cell, order, iso) => {
    expect(plainDate(cell, order)).toBe(iso);
  });

  test.each<[string, DateOrder]>([
    ['02/13/2026', 'day-month-year'],
    ['31.02.2026', 'day-month-year'],
    ['13/02/2026 25:00', 'day-month-year'],
    ['13/02/126', 'day-month-year'],
    ['tomorrow', 'day-month-year'],
    ['12', 'day-month-year'],
  ])('%s is not one (%s)', (cell, order) => {
    expect(plainDate(cell, order)).toBeUndefined();
  });
});

test('cells of `dates` are sent as ISO; any other has a fault, but for replaced ones', async () => {
  const path = await fileOf('parts.csv', 'Number,Approved\nP-1,13/02/2026\nP-2,\nP-3,02/13/2026\nP-4,n/a\n');
  const { rows } = await readAll(path, {
    dates: { Approved: 'day-month-year' },
    values: { Approved: { 'n/a': '' } },
  });
  expect(rows).toEqual([
    { row: 2, cells: ['P-1', '2026-02-13'] },
    { row: 3, cells: ['P-2', ''] },
    {
      row: 4,
      cells: ['P-3', '02/13/2026'],
      faults: [{ index: 1, code: 'date-unreadable', says: 'is not a date in the order day-month-year ("02/13/2026")' }],
    },
    { row: 5, cells: ['P-4', ''] },
  ]);
});

describe('inspect proposes the order that the values of a column show', () => {
  const proposed = async (...dates: string[]) => {
    const text = `Number,Name,Approved\n${dates.map((date, row) => `P-${row},Part ${row},"${date}"\n`).join('')}`;
    const path = await fileOf('parts.csv', text);
    const { proposed: found } = await inspectTable(
      { path, file: 'parts.csv' },
      { file: 'parts.csv' },
      new AbortController().signal,
    );
    const [draft] = found.drafts;
    return { dates: draft?.source.dates, remarks: (draft?.remarks ?? []).filter((remark) => remark.includes('dates')) };
  };

  test.each<[string, string[], DateOrder]>([
    ['a day beyond 12', ['03/02/2026', '13/02/2026'], 'day-month-year'],
    ['a day beyond 12 in the second place', ['03/02/2026', '02/13/2026'], 'month-day-year'],
    ['points', ['03.02.2026', '04.02.2026'], 'day-month-year'],
    ['the year first', ['2026/02/03', '2026/03/04'], 'day-month-year'],
    ['names of months', ['3 Feb 2026', '4 Mar 2026'], 'day-month-year'],
    ['dates beside ISO 8601', ['2026-02-03', '13/02/2026'], 'day-month-year'],
  ])('%s', async (_, dates, order) => {
    expect(await proposed(...dates)).toEqual({ dates: { Approved: order }, remarks: [] });
  });

  test('a question, with both readings, if no value shows it', async () => {
    expect(await proposed('03/03/2026', '03/02/2026')).toEqual({
      dates: undefined,
      remarks: [
        'Open: no value of "Approved" shows the order of its dates: "03/02/2026" in row 3 is 2026-02-03 with `dates: { Approved: day-month-year }`, and 2026-03-02 with `dates: { Approved: month-day-year }`.',
      ],
    });
  });

  test('a question that names both cells, if two contradict each other', async () => {
    expect((await proposed('13/02/2026', '03/02/2026', '02/14/2026')).remarks).toEqual([
      'Open: the dates in "Approved" contradict each other: "13/02/2026" in row 2 has the day first, "02/14/2026" in row 4 the month. Correct them, and write `dates: { Approved: day-month-year }` or `dates: { Approved: month-day-year }`.',
    ]);
  });

  test('nothing for ISO 8601, and for what only looks like a date', async () => {
    expect(await proposed('2026-02-03', '2026-02-04')).toEqual({ dates: undefined, remarks: [] });
    expect(await proposed('3.10.12', '3.10.13')).toEqual({ dates: undefined, remarks: [] });
    expect(await proposed('03/02/2026', 'n/a')).toEqual({ dates: undefined, remarks: [] });
  });
});
