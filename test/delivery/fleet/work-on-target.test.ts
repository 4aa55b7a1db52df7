import { expect, test } from 'vitest';
import { type RolloutState, rolloutState, type TargetState } from '#delivery/fleet/rollout-state.js';
import type { TargetEnd } from '#delivery/fleet/target-result.js';
import { type NewNote, type TargetPorts, workOnTarget } from '#delivery/fleet/work-on-target.js';
import type { Rollout, RolloutNote } from '#ledger/stored-rollout.js';

const FACTS = { wave: 0, group: 'g', plan: 'p', workspace: 'w' };
const ROLLOUT = { targets: ['a', 'b'].map((environment) => ({ environment, ...FACTS })) } as unknown as Rollout;

/** A record in memory, to which others add while an environment is worked on. */
function recordOf(...begun: readonly NewNote[]) {
  const notes: RolloutNote[] = [];
  const note = async (given: NewNote): Promise<void> => {
    const at = new Date(Date.UTC(2026, 0, 1, 0, notes.length)).toISOString();
    notes.push({ ...given, at, author: { host: 'h' } });
  };
  for (const one of begun) void note(one);
  const state = (): RolloutState => rolloutState(ROLLOUT, notes);
  const summary = (): string[] => notes.map(({ is, environment = '' }) => `${environment} ${is}`.trim());
  return { note, state, summary };
}

const work = async (record: ReturnType<typeof recordOf>, apply: () => Promise<TargetEnd | undefined>, ports = {}) => {
  const all: TargetPorts = {
    ...{ read: async () => record.state(), note: record.note, apply, mayGoOn: async () => undefined },
    ...{ emit: () => undefined, signal: new AbortController().signal },
    ...ports,
  };
  await workOnTarget(record.state().targets[0] as TargetState, { budget: 0, soak: 0 }, all);
};

test('how an environment ended is recorded', async () => {
  const record = recordOf({ is: 'opened' });
  await work(record, async () => ({ is: 'done' }));
  expect(record.summary()).toEqual(['opened', 'a begun', 'a done']);
});

test('what another process did meanwhile stands: one that lost its lock records nothing', async () => {
  const record = recordOf({ is: 'opened' });
  await work(record, async () => {
    await record.note({ is: 'begun', environment: 'a' });
    await record.note({ is: 'done', environment: 'a' });
    return { is: 'failed', code: 'LEASE_LOST', message: 'The lock was lost.' };
  });
  expect(record.summary()).toEqual(['opened', 'a begun', 'a begun', 'a done']);
});

test('an environment whose begin was recorded after the failure that used up the budget is not applied', async () => {
  const record = recordOf({ is: 'opened' }, { is: 'begun', environment: 'b' });
  const note = async (given: NewNote): Promise<void> => {
    if (given.is === 'begun') await record.note({ is: 'failed', environment: 'b' });
    await record.note(given);
  };
  await work(record, () => Promise.reject(new Error('It was applied.')), { note });
  expect(record.summary()).toEqual(['opened', 'b begun', 'b failed', 'a begun', 'a retried']);
  expect(record.state().targets[0]?.is).toBe('waiting');
});
