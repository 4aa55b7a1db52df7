import { describe, expect, test } from 'vitest';
import { afterWrite, firstPace, type Pace } from '#delivery/apply/pace.js';

/** The pace after consecutive writes that took these milliseconds. */
const paceAfter = (pace: Pace, ...took: readonly number[]): Pace =>
  took.reduce((now, milliseconds) => afterWrite(now, 'create', milliseconds), pace);

const many = (count: number, milliseconds: number): number[] => Array.from({ length: count }, () => milliseconds);

describe('the pace of an apply', () => {
  test('begins with 8 steps, and grows to 32 while writes take as long as the first', () => {
    expect(firstPace().width).toBe(8);
    expect(paceAfter(firstPace(), ...many(10, 100)).width).toBe(18);
    expect(paceAfter(firstPace(), ...many(1000, 100)).width).toBe(32);
  });

  test.each([1, 3, 8, 64])('never exceeds %i where that is the limit', (widest) => {
    expect(firstPace(widest).width).toBeLessThanOrEqual(widest);
    expect(paceAfter(firstPace(widest), ...many(1000, 100)).width).toBe(widest);
  });

  test('does not grow where writes wait for each other a little', () => {
    expect(paceAfter(firstPace(), 100, ...many(100, 180)).width).toBe(9);
  });

  test('halves after a long pause, once for all writes in flight, and never falls below 1', () => {
    const wide = paceAfter(firstPace(), ...many(24, 100));
    expect(wide.width).toBe(32);
    const slowed = paceAfter(wide, ...many(32, 2000));
    expect(slowed.width).toBe(16);
    expect(paceAfter(slowed, 2000).width).toBe(16);
    expect(paceAfter(slowed, 2000, 2000).width).toBe(8);
    expect(paceAfter(wide, ...many(500, 5000)).width).toBe(1);
  });

  test('grows again by one for each round of good writes', () => {
    const slowed = paceAfter(firstPace(), 100, ...many(10, 1000));
    expect(slowed.width).toBe(4);
    expect(paceAfter(slowed, ...many(4, 100)).width).toBe(5);
    expect(paceAfter(slowed, ...many(9, 100)).width).toBe(6);
  });

  test('compares a write with those of its verb: an update reads before it writes', () => {
    const pace = Array.from({ length: 20 }).reduce<Pace>(
      (now) => afterWrite(afterWrite(now, 'delete', 100), 'update', 900),
      firstPace(),
    );
    expect(pace.width).toBe(32);
  });
});
