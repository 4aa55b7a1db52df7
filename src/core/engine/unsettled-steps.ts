import { type Address, splitAddress } from '../model/address.js';
import type { Plan, Step } from '../model/plan.js';
import { diffSpec } from './diff.js';
import { type LiveIndex, liveIndex } from './live-index.js';
import type { CurrentState } from './stale-objects.js';

/** An object that is not as an apply left it; `message` follows the address. */
export interface Unsettled {
  readonly address: Address;
  readonly message: string;
}

/**
 * Finds objects that are not as the apply of a plan recorded them, in a read afterwards. Fields that the service does
 * not show, and rows of imports, do not count.
 */
export function unsettledSteps({ steps }: Pick<Plan, 'steps'>, now: CurrentState): Unsettled[] {
  const index = liveIndex(now.observation);
  return steps.flatMap((step) =>
    step.writes.every(({ verb }) => verb === 'import' || verb === 'record') ? [] : (unsettled(step, index, now) ?? []),
  );
}

function unsettled(step: Step, index: LiveIndex, { facts, kindNamed }: CurrentState): Unsettled | undefined {
  const { address, identity, writes } = step;
  const kind = kindNamed(splitAddress(address).kind);
  if (kind === undefined) return undefined;
  const fact = facts.get(address);
  if (fact === undefined) {
    const isThere = writes.some(({ verb }) => verb === 'delete') && index.withIdentity(kind.name, identity);
    return isThere ? { address, message: 'is still there' } : undefined;
  }
  const live = index.withIdentity(kind.name, fact.identity);
  if (live === undefined) return { address, message: 'is not there' };
  const shown = Object.fromEntries(Object.entries(fact.applied).filter(([field]) => field in live.spec));
  const fields = diffSpec(kind.schema, shown, live.spec).map(({ path }) => path);
  return fields.length === 0 ? undefined : { address, message: `has other values of ${fields.join(', ')}` };
}
