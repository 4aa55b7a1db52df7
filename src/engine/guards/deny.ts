import type { Address } from '../../model/address.js';
import type { GuardFinding } from '../../model/guards.js';
import type { Step } from '../../model/plan.js';
import { blockDependents } from '../dependents.js';

/** The steps after these findings: what is denied is blocked and says all reasons, and so is what needs it. */
export function deny(steps: readonly Step[], findings: readonly GuardFinding[]): readonly Step[] {
  const denials = new Map<Address, GuardFinding[]>();
  for (const finding of findings.filter(({ severity }) => severity === 'deny')) {
    for (const address of finding.addresses) denials.set(address, [...(denials.get(address) ?? []), finding]);
  }
  if (denials.size === 0) return steps;
  return blockDependents(
    steps.map((step) => {
      const own = denials.get(step.address);
      return own === undefined ? step : denied(step, own);
    }),
  );
}

const denied = ({ fact: _, ...step }: Step, findings: readonly GuardFinding[]): Step => ({
  ...step,
  action: 'blocked',
  reason: findings.every(({ guard }) => guard === 'rule') ? 'refused-by-rule' : 'guarded',
  wanted: step.action,
  message: findings.map(({ message }) => message).join(' '),
  writes: [],
});
