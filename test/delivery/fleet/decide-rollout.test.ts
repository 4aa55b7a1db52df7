import { describe, expect, test } from 'vitest';
import { decideRollout } from '#delivery/fleet/decide-rollout.js';
import { rolloutState } from '#delivery/fleet/rollout-state.js';
import { countOf, spreadOverWaves } from '#delivery/fleet/waves.js';
import type { Rollout, RolloutNote, RolloutSettings } from '#ledger/stored-rollout.js';

const MINUTE = 60_000;
const START = Date.parse('2026-01-01T00:00:00Z');

const settings = (given: Partial<RolloutSettings> = {}): RolloutSettings => ({ budget: 0, soak: 0, ...given });

/** A rollout with an environment for each letter, by waves: `['a', 'bc']`. */
const rolloutOf = (waves: readonly string[]): Rollout =>
  ({
    targets: waves.flatMap((names, wave) =>
      [...names].map((environment) => ({ environment, wave, group: 'g', plan: 'p', workspace: 'w' })),
    ),
  }) as unknown as Rollout;

/** Notes such as `a begun`, `a deferred until 5`, `wave 0 passed` or `paused`, one a minute. */
const notesOf = (lines: readonly string[]): RolloutNote[] =>
  lines.map((line, index): RolloutNote => {
    const at = new Date(START + index * MINUTE).toISOString();
    const [first = '', second, third, fourth] = line.split(' ');
    const by = { at, author: { host: 'h' } };
    if (second === undefined) return { ...by, is: first as RolloutNote['is'] };
    if (first === 'wave') return { ...by, wave: Number(second), is: third as RolloutNote['is'] };
    const until = third === 'until' ? { until: new Date(START + Number(fourth) * MINUTE).toISOString() } : {};
    return { ...by, environment: first, is: second as RolloutNote['is'], ...until };
  });

/** What happens after that many minutes; `since`: when the command began. */
const decide = (
  waves: readonly string[],
  lines: readonly string[],
  { after = lines.length, since = after, ...given }: Partial<RolloutSettings> & { after?: number; since?: number } = {},
) =>
  decideRollout(rolloutState(rolloutOf(waves), notesOf(['opened', ...lines])), settings(given), {
    now: START + (after + 1) * MINUTE,
    since: START + (since + 1) * MINUTE,
  });

const at = (minute: number): Date => new Date(START + minute * MINUTE);

describe('waves', () => {
  test('the canary is first, and the next wave begins once all of it is done', () => {
    expect(decide(['a', 'bc'], [])).toEqual({ is: 'work', wave: 0, environments: ['a'] });
    expect(decide(['a', 'bc'], ['a begun', 'a done'])).toEqual({ is: 'work', wave: 1, environments: ['b', 'c'] });
    expect(decide(['a', 'b'], ['a begun', 'a done', 'b begun', 'b done'])).toEqual({ is: 'ended' });
    expect(decide([], [])).toEqual({ is: 'ended' });
  });

  test('what was begun and has no end comes before everything else', () => {
    expect(decide(['a', 'b'], ['a begun', 'a done', 'b begun'])).toEqual({ is: 'work', wave: 1, environments: ['b'] });
    expect(decide(['ab', 'c'], ['a begun', 'b begun', 'b failed'])).toEqual({
      is: 'work',
      wave: 0,
      environments: ['a'],
    });
  });

  test('a canary that is deferred in part keeps the next wave from beginning; a later wave needs only one that is done', () => {
    const canary = ['a done', 'b deferred until 20'];
    expect(decide(['ab', 'c'], canary)).toEqual({ is: 'wait', wave: 0, because: 'deferred', until: at(20) });
    const second = ['a done', 'b done', 'c deferred until 20'];
    expect(decide(['a', 'bc', 'd'], second)).toEqual({ is: 'work', wave: 2, environments: ['d'] });
    const alone = ['a done', 'b deferred until 20', 'c deferred until 30'];
    expect(decide(['a', 'bc', 'd'], alone)).toEqual({ is: 'wait', wave: 1, because: 'deferred', until: at(20) });
  });

  test('deferred environments are tried at their time, or by the next command if none is known, also with a later wave', () => {
    const lines = ['a done', 'b deferred until 20', 'c done', 'd done'];
    expect(decide(['a', 'bc', 'd'], lines, { after: 10 })).toMatchObject({ is: 'wait', until: at(20) });
    expect(decide(['a', 'bc', 'd'], lines, { after: 19 })).toEqual({ is: 'work', wave: 1, environments: ['b'] });
    expect(decide(['a'], ['a deferred'], { since: 0 })).toMatchObject({ is: 'wait', until: at(6) });
    expect(decide(['a'], ['a deferred'], { since: 5 })).toMatchObject({ is: 'work' });
    expect(decide(['a'], ['a deferred'], { since: 0, after: 5 })).toMatchObject({ is: 'work' });
    const late = ['a done', 'b deferred', 'c done'];
    expect(decide(['a', 'bc', 'd'], late)).toEqual({ is: 'work', wave: 1, environments: ['b'] });
  });

  test('a wave in which nothing is done asks, unless all of a later one left the fleet', () => {
    expect(decide(['a', 'b'], ['a failed'], { budget: 1 })).toEqual({ is: 'ask', wave: 0, because: 'failed' });
    expect(decide(['a', 'b'], ['a gone'])).toEqual({ is: 'ask', wave: 0, because: 'failed' });
    expect(decide(['a', 'b', 'c'], ['a done', 'b gone'])).toEqual({ is: 'work', wave: 2, environments: ['c'] });
  });
});

describe('between waves', () => {
  test('a wave soaks from its last end', () => {
    const lines = ['a done', 'b done'];
    expect(decide(['ab', 'c'], lines, { soak: 600 })).toEqual({ is: 'wait', wave: 0, because: 'soak', until: at(12) });
    expect(decide(['ab', 'c'], lines, { soak: 600, after: 11 })).toMatchObject({ is: 'work', wave: 1 });
  });

  test('the check comes once, and a person may overrule it or is asked besides', () => {
    const check = { command: 'true' };
    expect(decide(['a', 'b'], ['a done'], { check })).toEqual({ is: 'check', wave: 0 });
    expect(decide(['a', 'b'], ['a done', 'wave 0 passed'], { check })).toMatchObject({ is: 'work', wave: 1 });
    const refused = ['a done', 'wave 0 refused'];
    expect(decide(['a', 'b'], refused, { check })).toEqual({ is: 'ask', wave: 0, because: 'refused' });
    expect(decide(['a', 'b'], [...refused, 'wave 0 approved'], { check })).toMatchObject({ is: 'work', wave: 1 });
    expect(decide(['a', 'b'], [...refused, 'wave 0 retried'], { check })).toEqual({ is: 'check', wave: 0 });
    const asked = { check: { approval: true } };
    expect(decide(['a', 'b'], ['a done'], asked)).toEqual({ is: 'ask', wave: 0, because: 'approval' });
    expect(decide(['a', 'b'], ['a done', 'wave 0 approved'], asked)).toMatchObject({ is: 'work', wave: 1 });
    const rejected = ['a done', 'wave 0 approved', 'wave 0 rejected'];
    expect(decide(['a', 'b'], rejected, asked)).toEqual({ is: 'ask', wave: 0, because: 'refused' });
  });
});

describe('limits', () => {
  test('what failed or is unknown counts against the budget until it is retried', () => {
    const lines = ['a done', 'b failed', 'c unknown'];
    expect(decide(['a', 'bcd'], lines, { budget: 1 })).toEqual({ is: 'over-budget', failed: 2, budget: 1 });
    expect(decide(['a', 'bcd'], lines, { budget: 2 })).toMatchObject({ is: 'work', environments: ['d'] });
    expect(decide(['a', 'bcd'], [...lines, 'b retried'], { budget: 1 })).toMatchObject({ environments: ['b', 'd'] });
  });

  test('a pause lasts until it is resumed, a stop for ever', () => {
    expect(decide(['a'], ['paused'])).toEqual({ is: 'paused' });
    expect(decide(['a'], ['paused', 'resumed'])).toMatchObject({ is: 'work' });
    expect(decide(['a'], ['paused', 'stopped', 'resumed'])).toEqual({ is: 'stopped' });
  });
});

test('environments are spread over the canary, the sizes of waves, and a last wave', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
  const spread = (given: Parameters<typeof spreadOverWaves>[1]): string[] => {
    const waves: string[] = [];
    for (const [name, wave] of spreadOverWaves(names, given)) waves[wave] = (waves[wave] ?? '') + name;
    return waves;
  };
  expect(spread({})).toEqual(['a', 'bcdefghij']);
  expect(spread({ canary: 'c,h' })).toEqual(['ch', 'abdefgij']);
  expect(spread({ canary: 'c', waves: [2, '25%'] })).toEqual(['c', 'ab', 'de', 'fghij']);
  expect(spread({ waves: ['1%', '100%'] })).toEqual(['a', 'bcdefghij']);
  expect(spread({ canary: 'z', waves: [3] })).toEqual(['a', 'bcd', 'efghij']);
  expect(spread({ canary: 'z' })).toEqual(['a', 'bcdefghij']);
  expect([countOf('9%', 10, 0), countOf('20%', 10, 0), countOf(3, 10, 0)]).toEqual([0, 2, 3]);
});
