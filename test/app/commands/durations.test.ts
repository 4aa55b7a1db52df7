import { expect, test } from 'vitest';
import { parseDuration } from '#app/commands/option-values.js';
import { pointInTime } from '#app/commands/point-in-time.js';
import { rolloutSettings } from '#delivery/fleet/rollout-settings.js';

test('an interval, a time ago and a soak read durations alike, each within its own bounds', async () => {
  expect(['90', '90s', '1.5h', '1d'].map(parseDuration)).toEqual([90_000, 90_000, 5_400_000, 86_400_000]);
  for (const text of ['0.5s', '25h', '2d', '1x', '']) expect(() => parseDuration(text)).toThrow('from 1s to 24h');
  const now = new Date('2026-11-22T00:00:00Z');
  const at = pointInTime(() => now);
  expect(['7d', '12h', '90s', '1w'].map((text) => (now.getTime() - at(text).getTime()) / 1000)).toEqual([
    604_800, 43_200, 90, 604_800,
  ]);
  for (const text of ['7', '100000d', 'd']) expect(() => at(text)).toThrow('or a duration such as 7d');
  const soaks = ['30m', '1d', undefined].map(async (soak) =>
    (await rolloutSettings(soak === undefined ? {} : { soak }))(1),
  );
  expect((await Promise.all(soaks)).map(({ soak }) => soak)).toEqual([1800, 86_400, 0]);
});
