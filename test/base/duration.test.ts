import { expect, test } from 'vitest';
import { durationIn } from '#base/duration.js';

test.each([
  ['90s', 90_000],
  ['30m', 1_800_000],
  ['1.5h', 5_400_000],
  ['1d', 86_400_000],
  ['2w', 1_209_600_000],
  ['0s', 0],
  ['30', undefined],
  ['m', undefined],
  ['-1m', undefined],
  ['1 h', undefined],
  ['1M', undefined],
  ['1h30m', undefined],
  ['100000d', undefined],
  ['', undefined],
])('%s is as many milliseconds as it says, or no duration', (text, milliseconds) => {
  expect(durationIn(text)).toBe(milliseconds);
});
