import { describe, expect, test } from 'vitest';
import { nextRound, type Schedule } from '#delivery/watch/schedule.js';

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];
const NOW = Date.parse('2026-11-22T08:00:00Z');
const RESET = NOW + 24 * HOUR;

const schedule = (facts: Partial<Schedule> = {}): Schedule => ({
  ...{ now: NOW, interval: undefined, cost: 10, remaining: 1000, reset: RESET, failures: 0 },
  ...facts,
});

const wait = (facts?: Partial<Schedule>): number => nextRound(schedule(facts)).at - NOW;

describe('the next round without a failure', () => {
  test.each<[string, Partial<Schedule>, number]>([
    ['a quarter of 1,000 requests is 25 rounds of 10 a day', {}, (24 * HOUR) / 25],
    ['the remaining quota decides, not the former one', { remaining: 400, reset: NOW + 10 * HOUR }, HOUR],
    ['never more often than each minute', { remaining: 1_000_000 }, MINUTE],
    ['never less often than each six hours, while the quota has a round left', { remaining: 50 }, 6 * HOUR],
    ['after the reset where a quarter is less than a round', { remaining: 30, reset: NOW + HOUR }, HOUR + 5 * SECOND],
    ['every ten minutes where the service reports no quota', { remaining: null, reset: undefined }, 10 * MINUTE],
    ['or a reset that is over', { reset: NOW - 1 }, 10 * MINUTE],
    ['at the requested interval, with any remaining quota', { interval: 90 * SECOND, remaining: 0 }, 90 * SECOND],
  ])('%s', (_, facts, expected) => {
    expect(nextRound(schedule(facts))).toEqual({ at: NOW + expected, because: 'interval' });
  });
});

describe('the next round after a failure', () => {
  const passing = (failures: number): number => wait({ interval: 10 * MINUTE, failure: 'passing', failures });
  const lasting = (failures: number): number => wait({ interval: 10 * MINUTE, failure: 'lasting', failures });

  test('comes soon and then ever later after a passing one, at most after the interval', () => {
    expect([1, 2, 3, 6, 7, 500].map(passing)).toEqual([15, 30, 60, 480, 600, 600].map((s) => s * SECOND));
  });

  test('comes after the interval and then ever later after a lasting one, at most after six hours', () => {
    expect([1, 2, 3, 50].map(lasting)).toEqual([10 * MINUTE, 20 * MINUTE, 40 * MINUTE, 6 * HOUR]);
  });

  test('keeps an interval of a second after both', () => {
    expect(wait({ interval: SECOND, failure: 'passing', failures: 1 })).toBe(SECOND);
    expect(wait({ interval: SECOND, failure: 'lasting', failures: 1 })).toBe(SECOND);
  });

  test('waits for a new quota where it is used up', () => {
    const facts = { failure: 'quota', failures: 3, remaining: 0, reset: NOW + HOUR } as const;
    expect(nextRound(schedule(facts))).toEqual({ at: NOW + HOUR + 5 * SECOND, because: 'retry' });
    expect(wait({ ...facts, reset: undefined, failures: 1 })).toBe(10 * MINUTE);
  });
});
