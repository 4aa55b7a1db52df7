import { describe, expect, test } from 'vitest';
import { addressOf } from '#core/model/address.js';
import type { FieldChange, Step } from '#core/model/plan.js';
import type { Action, Reason } from '#core/model/step-schema.js';
import { hasAllowed, heldSteps, holdBack } from '#delivery/watch/policy.js';

const step = (action: Action, more: Partial<Pick<Step, 'reason' | 'fields' | 'writes'>> = {}): Step => ({
  ...{
    address: addressOf('UserGroup', 'Quality'),
    action,
    reason: 'differs' as Reason,
    message: '',
    fields: [],
    dependsOn: [],
  },
  ...{ writes: [{ verb: 'record' }], fingerprint: 'absent' },
  origin: { file: 'a.yaml', line: 1, column: 1, layer: 'base' },
  ...more,
});

const imported = (mode: string): Step =>
  step('import', {
    writes: [
      {
        ...{ verb: 'import', key: 'k', rows: 1 },
        request: {
          ...{ path: 'a.csv', spec: {} },
          definition: { spec: { resource: 'ITEM_SPECS', mode }, content: {} },
        },
      },
    ],
  });

const field = (cause?: FieldChange['cause']): Pick<Step, 'fields'> => ({
  fields: [{ path: 'description', before: 'a', after: 'b', ...(cause === undefined ? {} : { cause }) }],
});

const held = (one: Step, policy: 'none' | 'safe' | 'all'): unknown => heldSteps({ steps: [one] }, policy)[0]?.because;

describe('the policy safe', () => {
  test.each<[string, Step]>([
    ['a create', step('create', { reason: 'absent' })],
    ['an update that the manifest asks for', step('update', field('asked'))],
    ['an update of an object that was never applied', step('update', field())],
    ['a rename that the manifest asks for', step('rename', { reason: 'renamed' })],
    ['an import that adds', imported('CREATE')],
    ['an import that overwrites', imported('OVERWRITE')],
    ['an entry of the ledger that goes', step('forget', { reason: 'gone' })],
    ['a blocked step, which writes nothing', step('blocked', { writes: [] })],
    ['a manual step, which writes nothing', step('manual', { writes: [] })],
  ])('applies %s', (_, one) => {
    expect(held(one, 'safe')).toBeUndefined();
  });

  test.each<[string, Step, string]>([
    ['a delete', step('delete'), 'deletes'],
    ['a retirement', step('retire'), 'deletes'],
    ['a replacement', step('replace'), 'replaces'],
    ['an adoption', step('adopt'), 'adopts'],
    ['an update that undoes a change of somebody', step('update', field('drift')), 'overwrites'],
    ['an update of a field that both changed', step('update', field('both')), 'overwrites'],
    ['a name that somebody gave it', step('rename', { reason: 'renamed-outside' }), 'overwrites'],
    ['a step in place of another', step('update', { reason: 'replaced-outside' }), 'overwrites'],
    ['an object that somebody deleted', step('create', { reason: 'gone' }), 'overwrites'],
    ['an import that deletes', imported('DELETE'), 'removes-rows'],
    ['an import that replaces', imported('REPLACE'), 'removes-rows'],
  ])('leaves to a person %s', (_, one, because) => {
    expect(held(one, 'safe')).toBe(because);
  });
});

test('the policy none leaves every write to a person, and all leaves none', () => {
  expect(held(step('create'), 'none')).toBe('policy');
  expect(held(step('blocked', { writes: [] }), 'none')).toBeUndefined();
  expect(held(step('delete'), 'all')).toBeUndefined();
});

test('a held step reaches the planner with its reason; a plan of only held steps has nothing to apply', () => {
  const asked = step('create');
  const byHand = { ...step('update', field('drift')), address: addressOf('UserGroup', 'By hand') };
  const needing = { ...step('create'), address: addressOf('Policy', 'P'), dependsOn: [byHand.address] };
  expect(holdBack('safe')([asked, byHand, needing])).toEqual([
    {
      ...{ guard: 'policy', severity: 'deny', addresses: [byHand.address] },
      message: 'The policy "safe" leaves this to a person: it would overwrite a change made outside dexsync.',
    },
  ]);
  const allowed = (...steps: Step[]): boolean => hasAllowed({ steps }, heldSteps({ steps }, 'safe'));
  expect([allowed(asked, byHand), allowed(byHand, needing), allowed(byHand)]).toEqual([true, false, false]);
});
