import { expect, test } from 'vitest';
import type { Palette } from '#app/views/human/palette.js';
import { planText } from '#app/views/human/plan-text.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';

const plain = new Proxy({}, { get: () => (text: string) => text }) as Palette;

const PLAN = {
  workspace: { name: 'w' },
  environment: 'e',
  steps: [],
  notes: [],
  guards: [],
  summary: { unchanged: 3 },
  requests: { used: 1, apply: { min: 0, max: 0 }, remaining: null },
};

const shown = (only: string[], exclude: string[], closure: Address[]): string => {
  const plan = { ...PLAN, selection: { only, exclude, closure } } as unknown as Plan;
  return planText({ type: 'plan', plan, reset: null }, plain);
};

test('a narrowed plan shows its patterns as given, and the objects that others require', () => {
  const [a, b] = [addressOf('UserGroup', 'A'), addressOf('UserGroup', 'B')];
  expect(shown(['UserGroup'], [], [a, b])).toContain(
    'Plan for environment e (workspace "w")\nSelected: --only UserGroup. Also planned because selected objects refer to them: UserGroup/A, UserGroup/B.\n\nNo changes. The workspace matches the selected manifests (3 unchanged).\n',
  );
  expect(shown(['Policy/*', 'label:team'], ['UserGroup/Item\\Old parts'], [a])).toContain(
    '\nSelected: --only Policy/* --only label:team --exclude "UserGroup/Item\\Old parts". Also planned because selected objects refer to it: UserGroup/A.\n',
  );
  expect(shown([], ['Import'], [])).toContain('\nSelected: --exclude Import.\n');
});

test('a plan of promoted objects names their environment, and why each further object comes along', () => {
  const [a, b] = [addressOf('UserGroup', 'A'), addressOf('Policy', 'P')];
  const promoted = { environment: 'dev', workspace: 'Dev', as: 'applied', closure: [{ address: a, because: b }] };
  const text = (more: object): string => {
    const plan = { ...PLAN, promoted: { ...promoted, ...more } } as unknown as Plan;
    return planText({ type: 'plan', plan, reset: null }, plain);
  };
  expect(text({})).toContain(
    'Promotes objects of environment dev (workspace "Dev"), as they were last applied there.\nUserGroup/A comes along: Policy/P refers to it.\n\nNo changes. The workspace matches the promoted objects (3 unchanged).\n',
  );
  const many = Array.from({ length: 23 }, () => ({ address: a, because: b }));
  expect(text({ as: 'live', closure: many })).toContain(
    'as they are there now.\nUserGroup/A comes along: Policy/P refers to it.\n',
  );
  expect(text({ closure: many })).toContain('\n3 more come along, because others refer to them.\n');
});
