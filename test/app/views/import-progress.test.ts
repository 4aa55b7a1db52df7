import { expect, test } from 'vitest';
import { importProgress } from '#app/views/human/import-progress.js';
import type { ImportEvent } from '#core/stream/import-event.js';

const polled = { type: 'validating', run: 'R', number: 7, polls: 3, processed: 0, total: 90_000 } as const;

test.each<[string, ImportEvent, string]>([
  ['before any row', { ...polled, wait: 200, because: 'rows' }, '0 of 90000 rows (run #7)'],
  [
    'queued',
    { ...polled, wait: 30_000, because: 'queued' },
    '0 of 90000 rows (run #7); next check in 30 s, the service has not started yet',
  ],
  [
    'in progress',
    { ...polled, processed: 30_000, speed: 500, wait: 4000, because: 'rows' },
    '30000 of 90000 rows (run #7), 500 rows/s, 2 min 0 s left; next check in 4 s',
  ],
  [
    'near the end of the quota',
    { ...polled, processed: 100, speed: 10, wait: 30_000, because: 'quota' },
    '100 of 90000 rows (run #7), 10 rows/s, 2 h 29 min left; next check in 30 s, few requests are left',
  ],
  ['at the end', { ...polled, processed: 90_000, speed: 800 }, '90000 of 90000 rows (run #7), 800 rows/s'],
])('%s', (_, event, expected) => {
  expect(importProgress('Import/Parts', event)).toBe(`Import/Parts  validating: ${expected}`);
});
