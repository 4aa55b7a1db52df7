import { expect, test } from 'vitest';
import type { RoundEnd, WatchEvent } from '#core/stream/watch-event.js';
import { openHealth } from '#delivery/watch/health.js';

const END: RoundEnd = {
  ...{ round: 1, result: 'unchanged', seconds: 1, pending: 0, drifted: [], held: [] },
  requests: { used: 1, remaining: null },
  next: '2026-11-22T09:00:00Z',
};

test('a watch is alive while rounds begin and end in their time', () => {
  let now = Date.parse('2026-11-22T08:00:00Z');
  const health = openHealth(() => now);
  const tell = (event: WatchEvent): void => health.event({ type: 'watch', event });
  expect([health.alive().ok, health.ready().ok]).toEqual([true, false]);
  tell({ is: 'round', round: 1, because: 'start' });
  tell({ is: 'round-ended', ...END });
  expect([health.alive(), health.ready().ok]).toMatchObject([
    { ok: true, reason: 'Waiting for the next round.' },
    true,
  ]);
  now = Date.parse('2026-11-22T09:04:00Z');
  expect(health.alive().ok).toBe(true);
  now = Date.parse('2026-11-22T09:06:00Z');
  expect(health.alive()).toMatchObject({ ok: false, reason: 'The next round is overdue.' });
  tell({ is: 'round', round: 2, because: 'interval' });
  expect(health.alive().ok).toBe(true);
  now += 27 * 60 * 60 * 1000;
  expect(health.alive()).toMatchObject({ ok: false, reason: 'The current round does not end.' });
  tell({ is: 'round-ended', ...END, result: 'failed', next: '2027-01-01T00:00:00Z' });
  expect([health.alive().ok, health.ready().ok]).toEqual([true, false]);
});
