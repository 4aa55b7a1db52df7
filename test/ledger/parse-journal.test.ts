import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Plan } from '#core/model/plan.js';
import { parseJournal } from '#ledger/parse-journal.js';
import { stepResults } from '#ledger/step-results.js';

const at = '2026-01-01T00:00:00.000Z';
const address = 'UserGroup/Q';
const step = {
  address,
  action: 'create',
  reason: 'absent',
  message: 'm',
  fields: [{ path: 'p' }],
  writes: [
    { verb: 'create', spec: {} },
    { verb: 'addChild', field: 'members', name: 'a@example.com' },
  ],
  dependsOn: [],
  fingerprint: 'absent',
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
};
const plan = {
  format: 'dexsync-plan/1',
  stack: 's',
  environment: 'e',
  nonce: 'n',
  createdAt: at,
  workspace: { id: '1', name: 'W', identity: 'h/1' },
  manifests: 'm',
  summary: {},
  requests: { used: 0, apply: { min: 0, max: 0 }, remaining: null },
  steps: [step],
  notes: [],
  guards: [],
};
const apply = {
  command: 'apply',
  environment: 'e',
  stack: 's',
  actor: { login: 'a@example.com' },
  host: 'h',
  pid: 1,
  version: '1',
  reason: 'a "quoted",\\"plan\\":{ reason,"plan":{',
  digest: 'd',
};
const lines = [
  { type: 'plan', at, apply, plan },
  { type: 'intent', at, address, write: 0 },
  { type: 'outcome', at, address, write: 0 },
  { type: 'intent', at, address, write: 1 },
  { type: 'outcome', at, address, write: 1, failed: 'no', is: 'unknown' },
  { type: 'end', at, counts: { done: {}, failed: 0, unknown: 1, partly: 0, skipped: 0, manual: 0, blocked: 0 } },
];
const journal = (records: readonly unknown[]): string => records.map((one) => `${JSON.stringify(one)}\n`).join('');

test('facts are read without the plan, with reasons of any kind', () => {
  const parsed = parseJournal(journal(lines));
  expect(parsed).toMatchObject({ at, apply, records: lines.slice(1) });
  expect(parsed.plan()).toEqual(plan);
  expect(parsed).not.toHaveProperty('damaged');
});

test('a journal without facts, and without counts at its end, is whole', () => {
  const parsed = parseJournal(
    journal([
      { type: 'plan', at, plan },
      { type: 'end', at },
    ]),
  );
  expect(parsed).toMatchObject({ at, records: [{ type: 'end' }] });
  expect(parsed).not.toHaveProperty('apply');
  expect(parsed).not.toHaveProperty('damaged');
});

test('a line that a crash cut off, or that a later version wrote, does not count as damage', () => {
  const parsed = parseJournal(`${journal([lines[0], { type: 'later', at, more: 1 }])}{"type":"outco`);
  expect(parsed.records).toEqual([]);
  expect(parsed).not.toHaveProperty('damaged');
});

describe('damage is reported with its line, and affects no other line', () => {
  const [first, ...rest] = lines;
  test.each([
    ['an empty line', ''],
    ['text', 'no record'],
    ['a record without a type', JSON.stringify({ at })],
    ['an outcome without an object', JSON.stringify({ type: 'outcome', at, write: 0 })],
    [
      'an outcome with a failure other than a text',
      JSON.stringify({ type: 'outcome', at, address, write: 0, failed: 1 }),
    ],
    ['an outcome of an unknown sort', JSON.stringify({ type: 'outcome', at, address, write: 0, is: 'x' })],
    ['a job without a state', JSON.stringify({ type: 'job', at, address, key: 'k', job: {} })],
    ['an end with invalid counts', JSON.stringify({ type: 'end', at, counts: { done: {} } })],
    ['a list', '[]'],
  ])('%s', (_, line) => {
    const parsed = parseJournal(`${journal([first])}${line}\n${journal(rest)}`);
    expect(parsed).toMatchObject({ at, apply, damaged: 2, records: rest });
  });

  test.each([
    ['text', 'no record'],
    ['cut off', JSON.stringify(first).slice(0, -1)],
    ['another record', JSON.stringify({ type: 'end', at })],
    ['an invalid time', JSON.stringify({ ...first, at: 1 })],
    ['facts without an actor', JSON.stringify({ ...first, apply: { ...apply, actor: undefined } })],
    [
      'facts with a user other than a text',
      JSON.stringify({ ...first, apply: { ...apply, actor: { login: 'a', user: 1 } } }),
    ],
    ['git facts without a commit', JSON.stringify({ ...first, apply: { ...apply, git: { dirty: 'no' } } })],
    ['a pipeline that is a text', JSON.stringify({ ...first, apply: { ...apply, ci: 'x' } })],
    ['arguments other than texts', JSON.stringify({ ...first, apply: { ...apply, arguments: [1] } })],
  ])('the first line: %s', (_, line) => {
    const parsed = parseJournal(`${line}\n${journal(rest)}`);
    expect(parsed).toMatchObject({ damaged: 1, records: rest });
    expect(parsed).not.toHaveProperty('apply');
  });

  test.each([
    ['of another format', { ...plan, format: 'x' }],
    ['with invalid steps', { ...plan, steps: {} }],
    ['with an action that nobody knows', { ...plan, steps: [{ ...step, action: 'x' }] }],
    ['with a field that has no path', { ...plan, steps: [{ ...step, fields: [{}] }] }],
  ])('a plan %s is refused', (_, edited) => {
    expect(parseJournal(journal([{ type: 'plan', at, plan: edited }])).plan()).toBeUndefined();
  });
});

test('no text makes reading fail', () => {
  const whole = journal(lines);
  fc.assert(
    fc.property(fc.nat(whole.length), fc.nat(40), fc.string({ maxLength: 20 }), (from, length, put) => {
      const parsed = parseJournal(whole.slice(0, from) + put + whole.slice(from + length));
      const read = parsed.plan();
      if (read !== undefined) stepResults(read, parsed);
    }),
    { numRuns: 2000 },
  );
});

describe('the outcome of a step', () => {
  const result = (records: readonly unknown[], writes: readonly unknown[] = [{}, {}], action = 'create') => {
    const made = { ...plan, steps: [{ ...step, writes, action }] } as unknown as Plan;
    return stepResults(made, parseJournal(journal([{ type: 'plan', at, plan }, ...records])))[0];
  };
  const [, intent0, outcome0, intent1, failed1] = lines;
  test.each([
    ['nothing was begun', [], { outcome: 'skipped', writes: { planned: 2, done: 0 } }],
    ['the first write has no outcome', [intent0], { outcome: 'unknown', at }],
    ['the second write was not begun', [intent0, outcome0], { outcome: 'partly', writes: { planned: 2, done: 1 } }],
    ['the second write has no outcome', [intent0, outcome0, intent1], { outcome: 'unknown' }],
    ['both were done', [intent0, outcome0, intent1, { ...outcome0, write: 1 }], { outcome: 'done' }],
    ['the second was not answered', [intent0, outcome0, intent1, failed1], { outcome: 'unknown', message: 'no' }],
    ['the first failed', [intent0, { ...outcome0, failed: 'no' }], { outcome: 'failed', message: 'no' }],
  ])('%s', (_, records, expected) => {
    expect(result(records)).toMatchObject({ address, ...expected });
  });
  test.each([
    ['nothing is recorded of it', [], { outcome: 'unknown', message: 'its last records were not saved' }],
    ['the second write is not recorded', [intent0, outcome0], { outcome: 'unknown', writes: { planned: 2, done: 1 } }],
    ['both were done', [intent0, outcome0, intent1, { ...outcome0, write: 1 }], { outcome: 'done' }],
    ['the apply ended without it', [{ type: 'end', at }], { outcome: 'skipped' }],
  ])('is uncertain where the last records may be missing: %s', (_, records, expected) => {
    const made = { ...plan, steps: [{ ...step, writes: [{}, {}], action: 'create' }] } as unknown as Plan;
    const parsed = parseJournal(journal([{ type: 'plan', at, delay: 15_000, plan }, ...records]));
    expect(stepResults(made, parsed)[0]).toMatchObject({ address, ...expected });
  });
  test('is that of the plan for a step without writes', () => {
    expect(result([], [], 'manual')).toMatchObject({ outcome: 'manual' });
    expect(result([], [], 'blocked')).toMatchObject({ outcome: 'blocked' });
  });
});
