import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { historyCsv } from '#app/views/history-csv.js';
import { listingCsv } from '#app/views/listing-csv.js';
import { printableText } from '#base/printable.js';
import type { HistoryEntry } from '#ledger/history/history-entry.js';
import type { Listing } from '#project/live/listing.js';

/** What spreadsheets take for a formula, by their first character. */
const FORMULAS = [
  '=cmd|"/c calc"!A1',
  '+1+1',
  '-1+1',
  '@SUM(A1)',
  '\t=1+1',
  '\r=1+1',
  '＝1+1',
  '＋1',
  '－1',
  '＠SUM(A1)',
];

const cellsOf = (text: string): string[] => Papa.parse<string[]>(text.trimEnd()).data.slice(1).flat();
const isFormula = (cell: string): boolean => /^[=+\-@\t\r＝＋－＠]/.test(cell);

describe.each(FORMULAS)('a cell %j is text in a spreadsheet', (text) => {
  test('of a listing', () => {
    const listing = {
      columns: ['description', 'members'],
      objects: [{ name: text, guid: text, number: text, spec: { description: text, members: [text, 'b'] } }],
    } as unknown as Listing;
    const cells = cellsOf(listingCsv(listing));
    expect(cells.filter(isFormula)).toEqual([]);
    expect([`'${text}`, printableText(text)]).toContain(cells[0]);
  });

  test('of the history', () => {
    const apply = { command: text, environment: text, stack: text, reason: text, actor: { login: text, user: text } };
    const entry = {
      ...{ number: 1, at: null, ended: null, state: 'complete', counts: null, rows: { committed: 0, failed: 0 } },
      ...{ apply: { ...apply, host: text, version: text }, object: { address: text, outcome: text }, damage: text },
    } as unknown as HistoryEntry;
    expect(cellsOf(historyCsv({ applies: [entry] } as never)).filter(isFormula)).toEqual([]);
  });
});

/** All that a terminal could act upon but line feed and tab, and the marks that change the direction of text. */
const CONTROLS = String.fromCodePoint(
  ...Array.from({ length: 0xa0 }, (_, code) => code).filter(
    (code) => (code < 0x20 && code !== 9 && code !== 10) || code > 0x7e,
  ),
  ...[0x202e, 0x2066],
);

test('a cell of CSV shows control characters and sends none to a terminal', () => {
  const listing = { columns: [], objects: [{ name: CONTROLS, guid: 'G' }] } as unknown as Listing;
  const text = listingCsv(listing);
  expect(text).toContain('<U+0000>');
  expect([...CONTROLS].filter((one) => text.includes(one))).toEqual([]);
});
