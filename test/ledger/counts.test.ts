import { describe, expect, test } from 'vitest';
import type { Step } from '#core/model/plan.js';
import { hasShape } from '#core/shape.js';
import { type CountedStep, countSteps, countsSchema, plannedOutcome } from '#ledger/counts.js';

const COUNTS = {
  done: { create: 2, update: 1 },
  failed: 1,
  unknown: 1,
  partly: 1,
  skipped: 2,
  manual: 1,
  blocked: 1,
};

test('steps are counted by outcome, and completed ones by action', () => {
  const steps: CountedStep[] = [
    { action: 'create', outcome: 'done' },
    { action: 'update', outcome: 'done' },
    { action: 'create', outcome: 'done' },
    { action: 'create', outcome: 'failed' },
    { action: 'delete', outcome: 'unknown' },
    { action: 'update', outcome: 'partly' },
    { action: 'update', outcome: 'skipped' },
    { action: 'import', outcome: 'skipped' },
    { action: 'manual', outcome: 'manual' },
    { action: 'blocked', outcome: 'blocked' },
  ];
  expect(countSteps(steps)).toEqual(COUNTS);
  expect(countSteps([])).toEqual({ done: {}, failed: 0, unknown: 0, partly: 0, skipped: 0, manual: 0, blocked: 0 });
});

test('a step without writes counts as planned', () => {
  expect(plannedOutcome({ action: 'manual' } as Step)).toBe('manual');
  expect(plannedOutcome({ action: 'blocked' } as Step)).toBe('blocked');
});

describe('counts that somebody may have edited', () => {
  test('are valid while all of them are numbers', () => {
    expect(hasShape(countsSchema, COUNTS)).toBe(true);
    expect(hasShape(countsSchema, { ...COUNTS, done: {} })).toBe(true);
  });

  const broken: [string, unknown][] = [
    ['no object', 3],
    ['nothing done', { ...COUNTS, done: undefined }],
    ['a text among the done', { ...COUNTS, done: { create: 2, update: '1' } }],
    ...Object.keys(COUNTS)
      .filter((name) => name !== 'done')
      .map((name): [string, unknown] => [`no number of ${name}`, { ...COUNTS, [name]: undefined }]),
  ];
  test.each(broken)('and invalid with %s', (_, value) => {
    expect(hasShape(countsSchema, value)).toBe(false);
  });
});
