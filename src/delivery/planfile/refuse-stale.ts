import { DexsyncError } from '#base/errors.js';
import type { Stale } from '#core/engine/stale-objects.js';
import type { Plan } from '#core/model/plan.js';
import type { Host } from '#project/host.js';

/** Refuses a stale plan. One change is the error itself; several are emitted one by one before the error. */
export function refuseIfStale(
  { environment }: Plan,
  stale: readonly Stale[],
  hint: string,
  host: Host,
  several = `${stale.length} things changed in environment "${environment}" after this plan was created.`,
): void {
  const [first, ...others] = stale;
  if (first === undefined) return;
  for (const one of others.length === 0 ? [] : stale) {
    const diagnostic = { severity: 'error', code: 'plan-stale', message: sentenceOf(one) } as const;
    host.emit({ type: 'diagnostic', diagnostic });
  }
  const what = others.length === 0 ? sentenceOf(first) : several;
  throw new DexsyncError('PLAN_STALE', `The plan is stale: ${what}`, { hint });
}

/** `UserGroup/Quality changed in workspace "prod" after this plan was created (description).` */
const sentenceOf = ({ address, message }: Stale): string => `${address} ${message}.`;
