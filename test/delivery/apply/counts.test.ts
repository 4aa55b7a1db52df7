import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DexsyncError, type ErrorCode } from '#base/errors.js';
import { addressOf } from '#core/model/address.js';
import type { Plan, Step, Write } from '#core/model/plan.js';
import type { Action } from '#core/model/step-schema.js';
import { applyPlan } from '#delivery/apply/executor.js';
import { countSteps } from '#ledger/counts.js';
import type { JournalRecord } from '#ledger/journal-record.js';
import { stepResults } from '#ledger/step-results.js';

const actions: readonly Action[] = ['create', 'update', 'replace', 'delete'];
const failures: readonly (ErrorCode | undefined)[] = [
  undefined,
  undefined,
  'SERVICE_ERROR',
  'WRITE_UNANSWERED',
  'NO_ENDPOINT',
  'DISK',
];

/** A step, with the write that fails in it. */
const planned = fc.record({
  action: fc.constantFrom(...actions),
  writes: fc.integer({ min: 0, max: 3 }),
  needs: fc.array(fc.nat(8), { maxLength: 2 }),
  failure: fc.constantFrom(...failures),
  at: fc.nat(2),
});

function stepOf({ action, writes, needs }: { action: Action; writes: number; needs: number[] }, index: number): Step {
  const earlier = needs.filter((need) => need < index);
  return {
    address: addressOf('UserGroup', `G${index}`),
    action: writes === 0 ? (action === 'create' ? 'manual' : 'blocked') : action,
    reason: 'absent',
    message: '',
    fields: [],
    // Each is another object: identity shows which one fails.
    writes: Array.from({ length: writes }, (): Write => ({ verb: 'create', spec: {} })),
    dependsOn: earlier.map((need) => addressOf('UserGroup', `G${need}`)),
    fingerprint: 'absent',
    origin: { file: 'm.yaml', line: 1, column: 1, layer: 'base' },
  };
}

test('the counts at the end of a journal equal the sum of its other records, no matter how its steps fail', async () => {
  let struck = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(planned, { maxLength: 9 }), fc.integer({ min: 1, max: 3 }), async (all, parallelism) => {
      const plan = { steps: all.map(stepOf) } as unknown as Plan;
      const records: JournalRecord[] = [];
      let failed = 0;
      await applyPlan(plan, {
        journal: { append: async (record) => void records.push(record), close: async () => undefined },
        renameBack: async () => 'left',
        onUnrecorded: () => undefined,
        perform: async ({ address, writes }, write) => {
          const { failure, at } = all[Number(address.replace('UserGroup/G', ''))] ?? {};
          if (failure !== undefined && writes.indexOf(write) === Math.min(at ?? 0, writes.length - 1)) {
            failed += 1;
            throw new DexsyncError(failure, 'no');
          }
        },
        identityOf: () => undefined,
        guidOf: () => undefined,
        emit: () => undefined,
        clock: () => new Date(0),
        signal: new AbortController().signal,
        parallelism,
      });
      const end = records.at(-1);
      expect(end).toMatchObject({ type: 'end' });
      const outcomes = records.filter((record) => record.type === 'outcome' && 'failed' in record);
      // What stops the apply keeps further writes of other steps from being sent: those count as failed too.
      expect(outcomes.length).toBeGreaterThanOrEqual(failed);
      struck += failed;
      expect(end).toHaveProperty(
        'counts',
        countSteps(stepResults(plan, { records: records.slice(0, -1), lacks: 'none' })),
      );
    }),
  );
  expect(struck).toBeGreaterThan(50);
});
