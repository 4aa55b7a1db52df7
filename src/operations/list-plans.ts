import type { Catalog } from '../catalog.js';
import { withPlans } from '../connection/plans-of.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import type { PlanStore } from '../ledger/plan-store.js';
import { approvalsOf, readStoredPlan, type StoredPlan, standingReviews } from '../ledger/stored-plan.js';
import type { Plan } from '../model/plan.js';
import { ledgerReference } from '../planfile/plan-reference.js';
import { checkPlan } from '../planfile/read-plan.js';

/** The saved plans of an environment that were not applied yet. */
export interface OpenPlans {
  readonly environment: string;
  readonly stack: string;
  /** In the order in which they were saved; those that cannot be read come first. */
  readonly plans: readonly (OpenPlan | UnusablePlan)[];
}

/** A saved plan, with what people say of it. */
export interface OpenPlan extends StoredPlan {
  readonly digest: string;
  readonly summary: Plan['summary'];
  /** People who approve it at last, without its author. */
  readonly approvedBy: readonly string[];
  readonly rejectedBy: readonly string[];
}

/** One that cannot be applied, and why. */
export interface UnusablePlan {
  readonly name: string;
  readonly problem: string;
}

/** Lists the saved plans that the ledger keeps for an environment. Needs no login and sends no request. */
export const listPlans = (options: ProjectOptions, host: Host): Promise<OpenPlans> =>
  withPlans(options, host, async ({ config, environment, plans }) => {
    const read = await Promise.all((await plans.names()).map((name) => openPlan(plans, name, config.catalog, host)));
    const found = read.filter((one) => one !== undefined);
    const savedAt = (one: OpenPlan | UnusablePlan): string => ('at' in one ? one.at : '');
    return { environment, stack: config.stack, plans: found.sort((a, b) => savedAt(a).localeCompare(savedAt(b))) };
  });

async function openPlan(
  plans: PlanStore,
  name: string,
  catalog: Catalog,
  host: Host,
): Promise<OpenPlan | UnusablePlan | undefined> {
  try {
    const read = await readStoredPlan(plans, name);
    // It was applied or removed meanwhile.
    if (read === undefined) return undefined;
    const { stored, document } = read;
    const { digest, plan } = checkPlan(JSON.stringify(document), ledgerReference(name), host, catalog);
    const rejections = standingReviews(stored).filter(({ verdict }) => verdict === 'rejected');
    const names = (reviews: StoredPlan['reviews']): string[] => reviews.map(({ by }) => by);
    return {
      ...stored,
      digest,
      summary: plan.summary,
      approvedBy: names(approvalsOf(stored)),
      rejectedBy: names(rejections),
    };
  } catch (error) {
    if (error instanceof DexsyncError && PROBLEMS.includes(error.code)) return { name, problem: error.message };
    throw error;
  }
}

/** What is wrong with one plan must not hide the others. */
const PROBLEMS: readonly string[] = ['LEDGER_DAMAGED', 'PLAN_ALTERED', 'PLAN_INVALID'];
