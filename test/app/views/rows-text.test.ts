import { expect, test } from 'vitest';
import { openView } from '#app/views/open-view.js';
import { addressOf } from '#core/model/address.js';
import type { Event } from '#core/stream/event.js';
import { adviceFor, knownCause } from '#data/bulk/errors/causes.js';

type Rows = Extract<Event, { type: 'rows' }>;

const ABSENT = 'There is no item with the number "…".';

const rows = (count: number, kept: number, more: Partial<Rows> = {}): Rows => ({
  type: 'rows',
  address: addressOf('Import', 'Lines'),
  file: 'bom.xlsx',
  outcome: {
    ...{ outcome: 'rejected', limit: 0, reason: 'x', rows: 5000, succeeded: 0, failed: count },
    runs: [{ run: 'R', number: 12, first: 1, last: 5000, commit: 'no' }],
    counts: [{ number: 12, first: 1, last: 5000, succeeded: 0, failed: count }],
    errors: {
      count,
      kept: Array.from({ length: kept }, (_, index) => ({
        row: index + 2,
        worksheet: 'BOM',
        key: 'ASM-1',
        ...{ column: 'Part', value: `C-${index}`, code: 3012 },
        message: ABSENT.replace('…', `C-${index}`),
        cause: ABSENT,
        certainty: 'certain',
      })),
      groups: [
        {
          code: 3012,
          message: ABSENT,
          count,
          explanation: knownCause(3012)?.explanation ?? '',
          advice: adviceFor(3012, count) ?? '',
          samples: [
            { row: 2, column: 'Part', value: 'C-0' },
            { row: undefined, key: 'X' },
          ],
        },
      ],
    },
    findings: [],
  },
  ...more,
});

async function shown(event: Event): Promise<string> {
  let out = '';
  const view = await openView('human', {
    out: {
      write: (text) => {
        out += text;
      },
    },
    color: 'plain',
    progress: 'lines',
    clock: () => new Date(0),
  });
  view.event(event);
  await view.close();
  return out;
}

test('failed rows are shown by cause, first some at their places, then the file with all and the next step', async () => {
  const folder = '.dexsync/runs/12';
  const counts = { rows: 5000, success: 0, failed: 2, unprocessed: 3, doubtful: 0, unplaced: 0 };
  const files = {
    ...{ success: `${folder}/success.csv`, failed: `${folder}/failed.csv`, unprocessed: `${folder}/unprocessed.csv` },
    ...{ json: `${folder}/report.json`, page: `${folder}/report.html`, counts },
  };
  expect(await shown(rows(2, 2, { files }))).toBe(`
2 failed rows of Import/Lines (run #12)
  2 rows: The row refers to an object that the workspace does not have.
    There is no item with the number "…". (3012)
    Import the item (or file) first, or correct its number; a leading zero may have been lost.
      bom.xlsx (BOM):2  Part "C-0"
      bom.xlsx (BOM):3  Part "C-1"

  2 failed         .dexsync/runs/12/failed.csv
  3 not processed  .dexsync/runs/12/unprocessed.csv
  as a page        .dexsync/runs/12/report.html
  Nothing was committed. Correct the file and import it again, or commit the valid rows: dexsync import commit 12
`);
});

test('many failed rows are cut to twenty lines and the number of the others', async () => {
  const text = await shown(rows(134_881, 1000));
  expect(text.split('\n').filter((line) => line.startsWith('      bom.xlsx'))).toHaveLength(20);
  expect(text).toContain('      ... and 134861 more\n');
  expect(text.split('\n').length).toBeLessThan(35);
});

test('the content of a cell does nothing to the terminal', async () => {
  const event = rows(1, 1);
  const [error] = event.outcome.errors.kept;
  const evil = '\u001b[2J\u202eA\r\u0007';
  const bad = { ...(error as NonNullable<typeof error>), value: evil, message: evil, column: evil, doubt: evil };
  const outcome = { ...event.outcome, errors: { ...event.outcome.errors, kept: [bad] } };
  const text = await shown({ ...event, outcome });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f\u202e]/);
  expect(text).toContain('<U+001B>[2J<U+202E>A<U+000D><U+0007>');
});
