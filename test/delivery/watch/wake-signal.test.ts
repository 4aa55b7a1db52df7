import { expect, test } from 'vitest';
import { createWakeSignal } from '#delivery/watch/wake-signal.js';

test('a wait longer than the limit of a timer does not end at once', async () => {
  const stop = new AbortController();
  const waiting = createWakeSignal(stop.signal).wait(Number.MAX_SAFE_INTEGER);
  const early = await Promise.race([waiting, new Promise((done) => setTimeout(done, 50, 'waits'))]);
  stop.abort();
  expect([early, await waiting]).toEqual(['waits', 'stopped']);
});
