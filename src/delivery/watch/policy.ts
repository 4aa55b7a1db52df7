import { blockDependents, blockStep } from '#core/engine/order.js';
import type { GuardFinding } from '#core/model/guards.js';
import type { FieldChange, Plan, Step, Write } from '#core/model/plan.js';
import type { HeldReason, HeldStep, WatchPolicy } from '#core/stream/watch-event.js';

/**
 * The steps of a plan that a policy leaves to a person. `safe` lets through what adds to the workspace or changes it as the
 * manifests ask; whatever removes something or overwrites what somebody else did is held back.
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

/** The same for the planner: what is held is blocked, with whatever needs it, and the rest is applied. */
export const holdBack =
  (policy: WatchPolicy) =>
  (steps: readonly Step[]): GuardFinding[] =>
    heldSteps({ steps }, policy).map(({ address, because }) => ({
      ...{ guard: 'policy', severity: 'deny', addresses: [address] },
      message: `The policy "${policy}" leaves this to a person: it would ${WOULD[because]}.`,
    }));

/** What a step would do that is held; after "would". */
const WOULD: Readonly<Record<HeldReason, string>> = {
  policy: 'change the workspace',
  deletes: 'delete an object',
  replaces: 'recreate an object',
  adopts: 'adopt an object',
  overwrites: 'overwrite a change made outside dexsync',
  'removes-rows': 'remove rows that the file does not have',
};

/** Whether a policy lets anything of a plan through. */
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

/** Modes of import definitions that take away what the file does not have (interface, section 1). */
const removesRows = (write: Write): boolean =>
  write.verb === 'import' && ['DELETE', 'REPLACE'].includes(String(write.request.definition.spec.mode));
