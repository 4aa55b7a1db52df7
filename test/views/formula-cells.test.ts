import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import type { HistoryEntry } from '../../src/ledger/history/history-entry.js';
import type { Listing } from '../../src/live/listing.js';
import { historyCsv } from '../../src/views/history-csv.js';
import { listingCsv } from '../../src/views/listing-csv.js';

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
    expect(cells[0]).toBe(`'${text}`);
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
