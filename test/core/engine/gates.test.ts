import { expect, test } from 'vitest';
import { closedGates, type GateFacts } from '#core/engine/gates.js';
import { readCondition } from '#core/engine/rules/read-condition.js';
import type { Gate } from '#core/model/gate.js';

const FACTS: GateFacts = {
  release: 'dev/r4',
  source: 'dev',
  number: 4,
  note: 'new policy',
  createdAt: '2026-03-01T08:00:00.000Z',
  before: {
    ...{ environment: 'test', appliedAt: '2026-03-02T08:00:00.000Z', hotfixes: 1, passed: ['smoke'] },
    ...{ drifted: 0, seenAt: '2026-03-03T07:00:00.000Z' },
  },
  target: { environment: 'prod', drifted: 2, seenAt: '2026-03-03T08:00:00.000Z' },
  production: true,
  now: '2026-03-03T09:00:00.000Z',
};

function gate(when: string, message = 'Not yet'): Gate {
  const decide = readCondition(when, 'gate');
  if (typeof decide !== 'function') throw new Error(decide.message);
  return { name: 'own', message, decide };
}

test.each([
  ['now - before.appliedAt >= duration("24h")', true],
  ['now - before.appliedAt >= duration("26h")', false],
  ['"smoke" in before.passed && before.hotfixes == 1', true],
  ['before.environment == "prod"', false],
  ['before.drifted == 0 && now - before.seenAt < duration("3h")', true],
  ['target.environment == "prod" && target.drifted == 0', false],
  ['release.number > 3 && release.source == "dev" && release.name == "dev/r4"', true],
  ['release.note.contains("policy") && release.createdAt < before.appliedAt', true],
  ['!production || now.getDayOfWeek() != 2', false],
])('a condition sees the release, the stage before and the time: %s', (when, isOpen) => {
  expect(closedGates(FACTS, [gate(when)])).toEqual(isOpen ? [] : [{ gate: 'own', message: 'Not yet.' }]);
});

test('a condition that cannot be evaluated keeps the gate closed', () => {
  const [closed] = closedGates({ ...FACTS, before: { ...FACTS.before, passed: [] } }, [
    gate('before.passed[0] == "a"'),
  ]);
  expect(closed?.message).toMatch(/^The condition cannot be evaluated: .*\.$/);
});

test('a condition about drift says who has to look where nobody did', () => {
  const { drifted: _, seenAt: __, ...before } = FACTS.before;
  const asking = gate('before.drifted == 0');
  expect(closedGates({ ...FACTS, before }, [asking])).toEqual([
    {
      gate: 'own',
      message: 'Nobody looked for drift in environment "test" since its last apply; `dexsync drift --env test` does.',
    },
  ]);
  const [target] = closedGates({ ...FACTS, target: { environment: 'prod' } }, [gate('target.drifted == 0')]);
  expect(target?.message).toContain('`dexsync drift --env prod` does.');
  expect(closedGates({ ...FACTS, before }, [gate('has(before.drifted) && before.drifted == 0')])).toEqual([
    { gate: 'own', message: 'Not yet.' },
  ]);
});

test('what was not applied at the stage before is not asked for more, and holds are named beside', () => {
  const { appliedAt: _, ...before } = FACTS.before;
  const own = [gate('false')];
  expect(closedGates({ ...FACTS, before }, own)).toEqual([{ gate: 'applied', message: 'It was not applied.' }]);
  const closed = closedGates(
    {
      ...FACTS,
      before: { ...before, problem: '1 object is open.' },
      hold: 'Ann holds it.',
      leftBehind: 'It went back.',
    },
    own,
  );
  expect(closed).toEqual([
    { gate: 'applied', message: '1 object is open.' },
    { gate: 'hold', message: 'Ann holds it.' },
    { gate: 'rollback', message: 'It went back.' },
  ]);
  expect(closedGates({ ...FACTS, hold: 'Ann holds it.' }, [gate('false', 'Wait!')])).toEqual([
    { gate: 'hold', message: 'Ann holds it.' },
    { gate: 'own', message: 'Wait!' },
  ]);
});
