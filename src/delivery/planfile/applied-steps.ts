import { omitUndefined } from '#base/omit-undefined.js';
import { type Changes, digestChanges } from '#core/engine/changes-digest.js';
import type { Address } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { AppliedPlan, Ledger } from '#ledger/ledger.js';
import { parseJournal } from '#ledger/parse-journal.js';
import { stepResults } from '#ledger/step-results.js';
import { withoutRows, withoutSteps } from './as-reviewed.js';

/** The changes of a plan that applies have left since it was created. */
export interface Left extends Changes {
  /** The last of these applies, if nothing is left. */
  readonly applied?: Pick<AppliedPlan, 'at' | 'by'>;
}

/** Drops the steps that any apply has done since: a step that is done counts for all steps that equal it. */
export async function remainingChanges(plan: Plan, ledger: Pick<Ledger, 'journals'>): Promise<Left> {
  const asked = changesIn(plan);
  const done = new Set<Address>();
  let applied: Left['applied'];
  for (const journal of await since(plan.createdAt, ledger)) {
    const parsed = parseJournal(await journal.text());
    const made = parsed.plan();
    if (made === undefined) continue;
    const changes = changesIn(made);
    const results = stepResults(made, parsed).filter(
      ({ address, outcome, at = '' }) =>
        outcome === 'done' && at >= plan.createdAt && changes.get(address) === asked.get(address),
    );
    for (const { address } of results) done.add(address);
    const by = parsed.apply?.actor.login;
    if (results.length > 0) applied = { at: parsed.at ?? plan.createdAt, ...omitUndefined({ by }) };
  }
  const left = withoutSteps(plan, done);
  const isLeft = left.steps.some(({ writes }) => writes.length > 0);
  return { ...left, ...(isLeft || applied === undefined ? {} : { applied }) };
}

/** Returns the changes without row comparisons: rows validated for a review are not compared again. */
const changesIn = ({ steps }: Plan) => digestChanges({ steps: steps.map(withoutRows), guards: [] });

/** Returns the journals since a time and the one before, which may have been in progress at that time. */
async function since(at: string, ledger: Pick<Ledger, 'journals'>) {
  const journals = await ledger.journals();
  const first = journals.findIndex(({ begun }) => begun !== undefined && begun >= at);
  return first < 0 ? journals.slice(-1) : journals.slice(Math.max(0, first - 1));
}
