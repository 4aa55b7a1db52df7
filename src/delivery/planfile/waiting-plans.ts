import { DexsyncError } from '#base/errors.js';
import type { Catalog } from '#core/catalog.js';
import type { DocumentStore } from '#ledger/document-store.js';
import { readStoredPlan, type StoredPlan } from '#ledger/stored-plan.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { ledgerReference } from './plan-reference.js';
import { checkPlan, type SavedPlan } from './read-plan.js';

/** A plan in the ledger, with its reviews. */
export interface WaitingPlan extends SavedPlan {
  readonly stored: StoredPlan;
}

/** A plan in the ledger that cannot be applied, and why. */
export interface UnusablePlan {
  readonly name: string;
  readonly problem: string;
}

/** Lists all plans in the ledger in the order in which they were saved; unreadable ones come first. */
export async function waitingPlans(
  plans: DocumentStore,
  catalog: Catalog,
  host: Host,
): Promise<(WaitingPlan | UnusablePlan)[]> {
  const read = await Promise.all((await plans.names()).map((name) => waitingPlan(plans, name, catalog, host)));
  const savedAt = (one: WaitingPlan | UnusablePlan): string => ('stored' in one ? one.stored.at : '');
  return read.filter((one) => one !== undefined).sort((a, b) => savedAt(a).localeCompare(savedAt(b)));
}

async function waitingPlan(
  plans: DocumentStore,
  name: string,
  catalog: Catalog,
  host: Host,
): Promise<WaitingPlan | UnusablePlan | undefined> {
  try {
    const read = await readStoredPlan(plans, name);
    // It was applied or removed meanwhile.
    if (read === undefined) return undefined;
    const { stored, document } = read;
    return { ...checkPlan(JSON.stringify(document), ledgerReference(name), host, catalog), stored };
  } catch (error) {
    if (error instanceof DexsyncError && PROBLEMS.includes(error.code)) return { name, problem: error.message };
    throw error;
  }
}

/** Errors of one plan that must not hide the others. */
const PROBLEMS: readonly string[] = ['LEDGER_DAMAGED', 'PLAN_ALTERED', 'PLAN_INVALID'];

/** Lists the plans in the ledger that can be read. */
export const usablePlans = async (
  plans: DocumentStore,
  catalog: Catalog,
  host: Host,
): Promise<readonly WaitingPlan[]> =>
  (await waitingPlans(plans, catalog, host)).flatMap((one) => ('stored' in one ? [one] : []));

/** Returns the other plans that wait in the ledger and that can be trusted; none for a plan file. */
export async function waitingBeside(
  { stored }: SavedPlan,
  { kept, catalog }: Connection,
  host: Host,
): Promise<WaitingPlan[]> {
  if (stored === undefined) return [];
  const waiting = await usablePlans(kept.plans, catalog, host);
  return waiting.filter(
    (one) => one.stored.name !== stored.name && one.signature !== 'missing' && one.signature !== 'wrong',
  );
}
