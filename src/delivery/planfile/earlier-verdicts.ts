import type { Plan } from '#core/model/plan.js';
import type { Statement } from '#core/model/verdict.js';
import { openVerdict } from '#core/reviews/open-verdicts.js';
import { otherSteps } from './as-reviewed.js';
import type { SavedPlan } from './read-plan.js';

/** A signed verdict on a plan that waited before, and whether it holds for a new one. */
export interface EarlierVerdict extends Pick<Statement, 'signer' | 'verdict'> {
  /** The plan that it is on. */
  readonly plan: string;
  /** Why it does not hold, for the end of a sentence; absent if it does. */
  readonly because?: string;
}

/** Finds the signed verdicts on waiting plans that change what a new plan changes. */
export function earlierVerdicts(plan: Plan, changes: string, waiting: readonly SavedPlan[]): EarlierVerdict[] {
  const addresses = new Set(plan.steps.map(({ address }) => address));
  return waiting
    .filter((one) => one.plan.nonce !== plan.nonce && one.plan.steps.some(({ address }) => addresses.has(address)))
    .flatMap((one) => {
      const [other] = one.changes === changes ? [] : otherSteps(plan, one.plan);
      const because = other && `${other.address} ${other.message}`;
      return (one.stored?.reviews ?? []).flatMap(({ signed }): EarlierVerdict[] => {
        const opened = signed && openVerdict(signed);
        if (opened === undefined || 'damage' in opened) return [];
        const { signer, verdict } = opened.statement;
        return [{ signer, verdict, plan: one.file, ...(because === undefined ? {} : { because }) }];
      });
    });
}
