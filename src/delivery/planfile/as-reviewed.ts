import { type Changes, digestChanges } from '#core/engine/changes-digest.js';
import type { Stale } from '#core/engine/stale-objects.js';
import type { Address } from '#core/model/address.js';
import type { FieldChange, Step, Write } from '#core/model/plan.js';
import type { AppliedPlan } from '#ledger/ledger.js';
import type { Host } from '#project/host.js';
import { planAgain } from './plan-errors.js';
import type { SavedPlan } from './read-plan.js';
import { refuseIfStale } from './refuse-stale.js';

/** The changes of a plan that applies have left since it was created. */
export interface Left extends Changes {
  /** The last of these applies, if nothing is left. */
  readonly applied?: Pick<AppliedPlan, 'at' | 'by'>;
  /** Steps that one of them began, and of which it does not know whether they were done. */
  readonly unanswered?: ReadonlySet<Address>;
}

/** Throws PLAN_STALE, with each differing step, if a plan changes more than the rest of the reviewed one. */
export function refuseOtherSteps(plan: Changes, left: Left, { plan: reviewed, file }: SavedPlan, host: Host): void {
  const other = otherSteps(plan, left);
  const what = `the new plan differs from the reviewed one in ${other.length} steps.`;
  refuseIfStale(reviewed, other, planAgain(file, reviewed), host, what);
}

/**
 * Returns the steps by which a plan differs from the reviewed one; none if their digests of changes are equal. A step that
 * was begun, and of which nothing is left but to record it, was done.
 */
export function otherSteps(now: Changes, left: Changes & Pick<Left, 'unanswered'>): Stale[] {
  const writing = new Set(now.steps.flatMap(({ address, writes }) => (writes.every(isRecord) ? [] : address)));
  const settled = new Set([...(left.unanswered ?? [])].filter((address) => !writing.has(address)));
  const [plan, reviewed] = [withoutSteps(now, settled), withoutSteps(left, settled)];
  const before = digestChanges(withRowsOf(plan, reviewed));
  const after = digestChanges(withRowsOf(reviewed, plan));
  const actions = new Map([...reviewed.steps, ...plan.steps].map(({ address, action }) => [address, action]));
  return [...new Set<Address>([...before.keys(), ...after.keys()])].flatMap((address): Stale[] => {
    const action = actions.get(address);
    if (!before.has(address))
      return [stale(address, `is in the plan now (${action}), and was not when it was reviewed`)];
    if (!after.has(address))
      return [stale(address, `was in the reviewed plan (${action}), and is not in the plan now`)];
    if (before.get(address) === after.get(address)) return [];
    return [stale(address, 'would be changed in another way than the reviewed plan says')];
  });
}

const isRecord = ({ verb }: Write): boolean => verb === 'record';

const stale = (address: Address, message: string): Stale => ({ address, is: 'changed', fields: [], message });

/** Drops row comparisons that the other plan lacks: how much is compared depends on quota and open runs. */
function withRowsOf(other: Changes, { steps, guards }: Changes): Changes {
  const compared = new Set(
    other.steps.flatMap(({ address, preview }) => (preview?.digest === undefined ? [] : address)),
  );
  return { guards, steps: steps.map((step) => (compared.has(step.address) ? step : withoutRows(step))) };
}

/** Returns a step without the comparison of its rows. */
export const withoutRows = ({ preview: _, ...step }: Step): Step => step;

/** Whether a plan includes all changes of another: the same steps, or updates of the same fields and more. */
export function asksFor(whole: Changes, part: Changes): boolean {
  const [wanted, given] = [whole, part].map((one) => digestChanges({ steps: one.steps.map(withoutRows), guards: [] }));
  const steps = new Map(whole.steps.map((step) => [step.address, step]));
  return part.steps.every((step) => {
    const found = steps.get(step.address);
    if (found === undefined) return false;
    if (wanted?.get(step.address) === given?.get(step.address)) return true;
    return step.action === 'update' && found.action === 'update' && step.fields.every(isAmong(found.fields));
  });
}

const isAmong = (fields: readonly FieldChange[]) => {
  const known = new Set(fields.map(valuesOf));
  return (field: FieldChange): boolean => known.has(valuesOf(field));
};

const valuesOf = ({ path, before, after }: FieldChange): string => JSON.stringify([path, before, after]);

/** Returns the changes of a plan without some steps, and without the findings of guards about them. */
export const withoutSteps = ({ steps, guards }: Changes, done: ReadonlySet<Address>): Changes => ({
  steps: steps.filter(({ address }) => !done.has(address)),
  guards: guards.map((one) => ({ ...one, addresses: one.addresses.filter((address) => !done.has(address)) })),
});
