import { expect, test } from 'vitest';
import { holdDefinitions } from '#core/engine/hold-definitions.js';
import type { Address } from '#core/model/address.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { Step } from '#core/model/plan.js';
import type { Action } from '#core/model/step-schema.js';

const step = (action: Action, address: string, dependsOn: readonly string[] = []): Step => ({
  ...{ address: address as Address, action, reason: 'differs', message: 'As asked.', fields: [] },
  writes: action === 'blocked' ? [] : [{ verb: 'record' }],
  dependsOn: dependsOn as Address[],
  fingerprint: 'f',
  fact: { stack: 's', how: 'created', applied: {}, protect: false },
  origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
});

const SPECS = 'ImportDefinition/Specs';
/** Imports by the definition that they use. */
const jobs = (uses: Readonly<Record<string, string>>): JobFacts[] =>
  Object.entries(uses).map(([address, definition]) => ({ address, definition }) as unknown as JobFacts);

const actions = (steps: readonly Step[], uses: Readonly<Record<string, string>>): string[] =>
  holdDefinitions(steps, jobs(uses)).map(({ address, action }) => `${action} ${address}`);

test.each(['create', 'replace'] as const)('a definition to %s waits with the blocked import that uses it', (action) => {
  const steps = [step(action, SPECS), step('blocked', 'Import/A', [SPECS])];
  const [held] = holdDefinitions(steps, jobs({ 'Import/A': SPECS }));
  expect(held).toMatchObject({ action: 'blocked', reason: 'dependency-blocked', wanted: action, writes: [] });
  expect(held).not.toHaveProperty('fact');
  expect(held?.message).toBe(
    `Only Import/A uses it, and is blocked. It is ${action}d together with it, because a definition cannot be deleted later.`,
  );
});

test('a definition waits until the first of several imports is not blocked', () => {
  const uses = { 'Import/A': SPECS, 'Import/B': SPECS };
  const made = step('create', SPECS);
  const [held] = holdDefinitions([made, step('blocked', 'Import/A'), step('blocked', 'Import/B')], jobs(uses));
  expect(held?.message).toMatch(
    /^Only Import\/A, Import\/B use it, and are blocked. It is created together with them,/,
  );
  expect(actions([made, step('blocked', 'Import/A'), step('import', 'Import/B')], uses)[0]).toBe(`create ${SPECS}`);
  // Its content was committed before: it has no step.
  expect(actions([made, step('blocked', 'Import/A')], uses)[0]).toBe(`create ${SPECS}`);
});

test('a definition that no import uses is created, and steps that leave nothing behind run', () => {
  expect(
    actions([step('create', SPECS), step('blocked', 'Import/A')], { 'Import/A': 'ImportDefinition/Other' }),
  ).toEqual([`create ${SPECS}`, 'blocked Import/A']);
  expect(actions([step('update', SPECS), step('blocked', 'Import/A')], { 'Import/A': SPECS })[0]).toBe(
    `update ${SPECS}`,
  );
});

test('a step that needs a waiting definition is blocked too', () => {
  const steps = [step('create', SPECS), step('blocked', 'Import/A'), step('update', 'Trigger/T', [SPECS])];
  expect(actions(steps, { 'Import/A': SPECS })[2]).toBe('blocked Trigger/T');
});
