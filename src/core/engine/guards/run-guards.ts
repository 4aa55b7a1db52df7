import type { Address } from '../../model/address.js';
import type { GuardFinding } from '../../model/guards.js';
import type { Step } from '../../model/plan.js';
import { blockDependents } from '../order.js';
import { deletes, importRows, maxRequests, missingRows, replacements } from './caps.js';
import { changedDeletes } from './changed-deletes.js';
import { emptyInput } from './empty-input.js';
import type { Guard, GuardInput } from './guard.js';
import { production } from './production.js';
import { userRules } from './user-rules.js';

/** All guards see the same steps, so that a step shows every reason at once. */
const GUARDS: readonly Guard[] = [
  deletes,
  changedDeletes,
  replacements,
  emptyInput,
  importRows,
  missingRows,
  production,
  userRules,
];

/** The steps that guards leave, and their findings. */
export interface Guarded {
  readonly steps: readonly Step[];
  readonly findings: readonly GuardFinding[];
}

/** Blocks steps that a guard or rule denies, and those that need them. The price is that of the remaining steps. */
export function runGuards(steps: readonly Step[], input: GuardInput): Guarded {
  if (steps.length === 0) return { steps, findings: [] };
  const findings = unlessImplied(
    [...GUARDS, ...(input.hold === undefined ? [] : [input.hold])].flatMap((guard) => guard(steps, input)),
    input,
  );
  const left = deny(steps, findings);
  const price = unlessImplied(maxRequests(left, input), input);
  return { steps: deny(left, price), findings: [...findings, ...price] };
}

/** Drops findings that the command itself overrides: they need no option. */
const unlessImplied = (findings: readonly GuardFinding[], { implied = [] }: GuardInput): GuardFinding[] =>
  findings.filter(({ guard }) => !implied.includes(guard));

/** Applies findings: blocks each denied step with all reasons, and every step that needs it. */
function deny(steps: readonly Step[], findings: readonly GuardFinding[]): readonly Step[] {
  const denials = new Map<Address, GuardFinding[]>();
  for (const finding of findings.filter(({ severity }) => severity === 'deny')) {
    for (const address of finding.addresses) denials.set(address, [...(denials.get(address) ?? []), finding]);
  }
  if (denials.size === 0) return steps;
  return blockDependents(
    steps.map((step) => {
      const own = denials.get(step.address);
      return own === undefined ? step : denyStep(step, own);
    }),
  );
}

const denyStep = ({ fact: _, ...step }: Step, findings: readonly GuardFinding[]): Step => ({
  ...step,
  action: 'blocked',
  reason: findings.every(({ guard }) => guard === 'rule') ? 'refused-by-rule' : 'guarded',
  wanted: step.action,
  message: findings.map(({ message }) => message).join(' '),
  writes: [],
});
