import type { FieldChange, Plan, Step, Write } from '../model/plan.js';
import type { HeldReason, HeldStep, WatchPolicy } from '../stream/watch-event.js';

/**
 * The steps of a plan that a policy leaves to a person. `safe` lets through what adds to the workspace or changes it as the
 * manifests ask; whatever removes something or overwrites what somebody else did is held back. A plan is applied whole or not
 * at all: its steps were made to work together.
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
