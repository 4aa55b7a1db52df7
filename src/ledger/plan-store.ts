import { DexsyncError } from '#base/errors.js';
import { fileNameFor } from './lease-name.js';

/** A stored plan: texts that only stored-plan.ts interprets. */
export interface KeptPlan {
  readonly text: string;
  /** In the order in which they were added. */
  readonly reviews: readonly string[];
}

/**
 * Stores the saved plans of one stack in one environment until they are applied. Needs no lease: plans are added and
 * removed atomically, and never replaced. `log` says what is done and by whom, for backends that keep a log: `saved by
 * ann on laptop`. Throws DISK and LEDGER_UNREACHABLE.
 */
export interface PlanStore {
  /** In alphabetical order. */
  names(): Promise<readonly string[]>;
  /** Undefined if there is no plan of that name. */
  read(name: string): Promise<KeptPlan | undefined>;
  /** If several processes add the same name at once, one succeeds. Throws USAGE if the name is taken. */
  add(name: string, text: string, log: string): Promise<void>;
  /** Throws UNKNOWN_NAME if there is no such plan. */
  addReview(name: string, review: string, log: string): Promise<void>;
  /** Removes a plan with its reviews; does nothing if it does not exist. */
  remove(name: string, log: string): Promise<void>;
}

/** The folder for the plans of a stack in an environment, whose names may be any text. */
export const plansFolder = (stack: string, environment: string): string =>
  ['plans', stack, environment].map((name) => fileNameFor(name).replace(/^\./, '%2E')).join('/');

/** USAGE, since a plan that was reviewed under a name is never replaced. */
export const planTaken = (name: string): DexsyncError =>
  new DexsyncError('USAGE', `The ledger already has a saved plan "${name}", which is not replaced.`, {
    hint: `Choose another name, or remove that plan with \`dexsync plan remove ledger:${name}\`.`,
  });

/** UNKNOWN_NAME */
export const noSuchPlan = (name: string): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `The ledger has no saved plan "${name}" for this stack and environment.`, {
    hint: '`dexsync plan list` lists the saved plans. Plans that were applied are in `dexsync history`.',
  });

/** Copies all plans to a new place and removes them from the old one; an interrupted move resumes where it stopped. */
export async function movePlans(from: PlanStore, to: PlanStore): Promise<number> {
  const names = await from.names();
  for (const name of names) {
    const plan = await from.read(name);
    if (plan === undefined) continue;
    const there = await to.read(name);
    if (there === undefined) await to.add(name, plan.text, 'moved here');
    else if (there.text !== plan.text) throw planTaken(name);
    for (const review of plan.reviews.slice(there?.reviews.length ?? 0)) await to.addReview(name, review, 'moved here');
    await from.remove(name, 'moved away');
  }
  return names.length;
}
