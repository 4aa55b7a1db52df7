import { expect, test } from 'vitest';
import { lastDay, type QuotaNeed, rolloutDays } from '#delivery/fleet/rollout-days.js';

const need = (environment: string, max: number, today: number | null, daily: number | null): QuotaNeed => ({
  ...{ environment, apply: { min: 0, max }, today, daily },
});

test.each([
  ['today, if that is enough', need('a', 10, 10, 5), 1, 1],
  ['today, if the service reports nothing', need('a', 10, null, null), 1, 1],
  ['the next day, for one request more', need('a', 11, 10, 5), 1, 2],
  ['as many days as the rest takes', need('a', 21, 10, 5), 1, 4],
  ['as if nothing was left, where the reserve is used up', need('a', 10, -3, 5), 1, 3],
  ['from the day on which it begins, with a whole day', need('a', 10, 4, 5), 3, 4],
  ['the day on which it begins, if even less was left today', need('a', 10, 10, null), 3, 3],
  ['not known, if the service does not say its daily quota', need('a', 11, 10, null), 1, null],
  ['never, if a day leaves nothing', need('a', 11, 10, 0), 1, null],
])('an environment is done %s', (_, one, begin, day) => expect(lastDay(one, begin)).toBe(day));

test('a wave begins once all of the canary is done, then once any environment of the wave before is', () => {
  const needs = [
    need('a', 20, 10, 5),
    need('b', 5, 10, 5),
    need('c', 20, 5, 5),
    need('d', 10, 5, 5),
    need('e', 1, 1, 1),
  ];
  expect(rolloutDays(needs, { canary: 'a,b', waves: [2] })).toBe(6);
  expect(rolloutDays(needs, { canary: 'b', waves: [2] })).toBe(4);
  expect(rolloutDays(needs.slice(0, 1), {})).toBe(3);
  expect(rolloutDays([need('a', 1, 1, 1), need('b', 2, 1, null)], {})).toBeNull();
  expect(rolloutDays([], {})).toBe(1);
});
