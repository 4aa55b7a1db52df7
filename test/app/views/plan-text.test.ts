import { expect, test } from 'vitest';
import type { Palette } from '#app/views/human/palette.js';
import { planText } from '#app/views/human/plan-text.js';
import { addressOf } from '#core/model/address.js';
import type { FieldChange, Plan } from '#core/model/plan.js';

const plain = new Proxy({}, { get: () => (text: string) => text }) as Palette;

function shown(fields: readonly FieldChange[]): string {
  const step = { address: addressOf('UserGroup', 'Q'), action: 'manual', message: 'By hand.', fields };
  const plan = {
    workspace: { name: 'w' },
    environment: 'e',
    notes: [],
    steps: [step],
    guards: [],
    summary: { manual: 1 },
    requests: { used: 1, apply: { min: 0, max: 0 }, remaining: null },
  } as unknown as Plan;
  return planText({ type: 'plan', plan, reset: null }, plain).split('Plan:')[0] ?? '';
}

const HEAD = 'Plan for environment e (workspace "w")\n\n  ! UserGroup/Q  manual\n      By hand.\n';

test.each<[string, FieldChange[], string]>([
  ['no table where every field stays empty', [{ path: 'description', after: null }], ''],
  ['no table where there are no fields', [], ''],
  [
    'fields to enter and fields to empty',
    [
      { path: 'description', before: 'x', after: null },
      { path: 'enabled', before: false, after: true },
      { path: 'notes', before: null, after: null },
      { path: 'members[a]' },
    ],
    '      FIELD        CURRENT VALUE  NEW VALUE\n      description  x              (remove)\n      enabled      false          true\n      members[a]                  (remove)\n',
  ],
])('a manual step: %s', (_, fields, table) => {
  expect(shown(fields)).toBe(`${HEAD}${table}\n`);
});

test('a new object needs no sentence, but the plan says so where its old name is missing too', () => {
  const step = { address: addressOf('UserGroup', 'Q'), action: 'create', fields: [] };
  const shownWith = (more: object): string => {
    const plan = {
      workspace: { name: 'w' },
      environment: 'e',
      notes: [],
      steps: [{ ...step, reason: 'absent', message: 'Why.', ...more }],
      guards: [],
      summary: { create: 1 },
      requests: { used: 1, apply: { min: 1, max: 1 }, remaining: null },
    } as unknown as Plan;
    return planText({ type: 'plan', plan, reset: null }, plain);
  };
  expect(shownWith({})).not.toContain('Why.');
  expect(shownWith({ renamedFrom: 'Old' })).toContain('Why.');
});
