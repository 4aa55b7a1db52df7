import type { Connection } from '../connection/connection.js';
import type { Stale } from '../engine/stale.js';
import type { Host } from '../host.js';
import type { Address } from '../model/address.js';
import { canonical, type Json } from '../model/json.js';
import type { Plan, Step } from '../model/plan.js';
import { leadingTo, otherWorkspace, planAgain, refuseIfStale } from './plan-errors.js';
import type { SavedPlan } from './read-plan.js';

/**
 * Refuses a plan that does anything else than the one that was reviewed: PLAN_STALE, PLAN_OTHER_WORKSPACE. Positions in
 * files and what the service tells of an object besides its fields may differ.
 */
export function refuseOtherSteps(
  plan: Plan,
  { plan: reviewed, file }: Pick<SavedPlan, 'plan' | 'file'>,
  connection: Connection,
  host: Host,
): void {
  if (plan.workspace.identity !== reviewed.workspace.identity)
    throw otherWorkspace(file, reviewed, leadingTo(connection));
  refuseIfStale(reviewed, otherSteps(plan, reviewed), planAgain(file, reviewed), host);
}

function otherSteps(plan: Plan, reviewed: Plan): Stale[] {
  const before = new Map(reviewed.steps.map((step) => [step.address, step]));
  const now = new Map(plan.steps.map((step) => [step.address, step]));
  return [...new Set<Address>([...before.keys(), ...now.keys()])].flatMap((address): Stale[] => {
    const [then, after] = [before.get(address), now.get(address)];
    if (then === undefined)
      return [stale(address, `is in the plan now (${after?.action}), and was not when it was reviewed`)];
    if (after === undefined)
      return [stale(address, `was in the reviewed plan (${then.action}), and is not in the plan now`)];
    return doing(then) === doing(after)
      ? []
      : [stale(address, `would be changed in another way than the reviewed plan says`)];
  });
}

const stale = (address: Address, message: string): Stale => ({ address, is: 'changed', fields: [], message });

/** What a step does, as one text. */
const doing = ({ action, wanted, fields, writes, consent }: Step): string =>
  canonical(JSON.parse(JSON.stringify({ action, wanted, fields, writes, consent })) as Json);
