import { blockDependents, blockStep } from '#core/engine/order.js';
import type { GuardFinding } from '#core/model/guards.js';
import type { FieldChange, Plan, Step, Write } from '#core/model/plan.js';
import type { HeldReason, HeldStep, WatchPolicy } from '#core/stream/watch-event.js';

/**
 * Returns the steps that a policy leaves to a person. `safe` allows steps that add to the workspace or change it as the
 * manifests ask; it holds back those that remove, recreate or adopt objects, or overwrite others' changes.
 */
export function heldSteps({ steps }: Pick<Plan, 'steps'>, policy: WatchPolicy): HeldStep[] {
  if (policy === 'all') return [];
  return steps
    .filter(({ writes }) => writes.length > 0)
    .flatMap((step) => {
      const because = policy === 'none' ? 'policy' : reasonToHold(step);
      return because === undefined ? [] : [{ address: step.address, because }];
    });
}

/** Holds all steps of a plan that nobody approved where approvals are needed; an approved plan needs no policy. */
export const unapprovedSteps = ({ steps }: Pick<Plan, 'steps'>): HeldStep[] =>
  steps.flatMap(({ address, writes }) => (writes.length > 0 ? [{ address, because: 'unapproved' }] : []));

/** Returns guard findings for the planner, which block the held steps and those that depend on them. */
export const holdBack =
  (policy: WatchPolicy) =>
  (steps: readonly Step[]): GuardFinding[] =>
    heldSteps({ steps }, policy).map(({ address, because }) => ({
      ...{ guard: 'policy', severity: 'deny', addresses: [address] },
      message: `The policy "${policy}" leaves this to a person: it would ${WOULD[because]}.`,
    }));

/** What a held step would do, as it follows "would". */
const WOULD: Readonly<Record<HeldReason, string>> = {
  policy: 'change the workspace',
  deletes: 'delete an object',
  replaces: 'recreate an object',
  adopts: 'adopt an object',
  overwrites: 'overwrite a change made outside dexsync',
  'removes-rows': 'remove rows that the file does not have',
  unapproved: 'change the workspace without an approval',
};

/** Whether a policy allows any step of a plan. */
export function hasAllowed({ steps }: Pick<Plan, 'steps'>, held: readonly HeldStep[]): boolean {
  const addresses = new Set(held.map(({ address }) => address));
  const left = steps.map((step) => (addresses.has(step.address) ? blockStep(step, '') : step));
  return blockDependents(left).some(({ writes }) => writes.length > 0);
}

function reasonToHold({ action, reason, fields, writes }: Step): HeldReason | undefined {
  switch (action) {
    case 'delete':
    case 'retire':
      return 'deletes';
    case 'replace':
      return 'replaces';
    case 'adopt':
      return 'adopts';
    case 'import':
      return writes.some(removesRows) ? 'removes-rows' : undefined;
    case 'create':
      return reason === 'gone' ? 'overwrites' : undefined;
    case 'update':
    case 'rename':
      return OUTSIDE.has(reason) || fields.some(isFromOutside) ? 'overwrites' : undefined;
    case 'acknowledge':
    case 'forget':
    case 'manual':
    case 'blocked':
      return undefined;
  }
  return action satisfies never;
}

const OUTSIDE: ReadonlySet<Step['reason']> = new Set(['renamed-outside', 'replaced-outside']);

const isFromOutside = ({ cause }: FieldChange): boolean => cause === 'drift' || cause === 'both';

/** Whether the mode of an import definition removes what the file does not have (interface, section 1). */
const removesRows = (write: Write): boolean =>
  write.verb === 'import' && ['DELETE', 'REPLACE'].includes(String(write.request.definition.spec.mode));
