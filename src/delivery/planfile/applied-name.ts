import { DexsyncError } from '#base/errors.js';
import type { Plan } from '#core/model/plan.js';
import type { AppliedPlan, NumberedJournal } from '#ledger/ledger.js';
import { parseJournal } from '#ledger/parse-journal.js';
import { stepResults } from '#ledger/step-results.js';
import { withJournals } from '#project/connection/environment-journals.js';
import type { Host } from '#project/host.js';
import { openConfig } from '#project/project.js';
import { nameInLedger } from './plan-reference.js';
import type { PlanPlace } from './plan-text.js';
import { readTrustedPlan, type SavedPlan } from './read-plan.js';

/** The apply of a plan that the ledger had under a name. `isEnded`: whether all of it was done. */
export interface AppliedByName extends AppliedPlan {
  readonly plan: Plan;
}

/** Reads a plan, or how it was applied if the ledger had it by that name. Only a missing plan costs requests. */
export const readUnlessApplied = (file: string, host: Host, place: PlanPlace): Promise<SavedPlan | AppliedByName> =>
  readTrustedPlan(file, host, place).catch(async (error: unknown) => {
    const name = nameInLedger(file);
    const isMissing = error instanceof DexsyncError && error.code === 'UNKNOWN_NAME' && name !== undefined;
    const applied = isMissing ? await appliedUnder(name, place, host) : undefined;
    if (applied === undefined) throw error;
    return applied;
  });

async function appliedUnder(name: string, place: PlanPlace, host: Host): Promise<AppliedByName | undefined> {
  const config = await openConfig(place, host);
  return withJournals(config, place.environment, host, async ({ environment, journals }) => {
    for (const journal of [...journals].reverse()) {
      const found = await appliedIn(journal, { name, environment, stack: config.stack });
      if (found !== undefined) return found;
    }
    return undefined;
  });
}

interface Wanted {
  readonly name: string;
  readonly environment: string;
  readonly stack: string;
}

async function appliedIn(
  journal: NumberedJournal,
  { name, environment, stack }: Wanted,
): Promise<AppliedByName | undefined> {
  const parsed = parseJournal(await journal.text());
  const { at, apply } = parsed;
  const isMeant = apply?.savedPlan?.name === name && apply.environment === environment && apply.stack === stack;
  const plan = isMeant ? parsed.plan() : undefined;
  if (at === undefined || apply === undefined || plan === undefined) return undefined;
  const isEnded = stepResults(plan, parsed).every(({ outcome, writes }) => outcome === 'done' || writes.planned === 0);
  return { at, by: apply.actor.login, isEnded, plan };
}
