import { omitUndefined } from '#base/omit-undefined.js';
import { digestChanges } from '#core/engine/changes-digest.js';
import type { Address } from '#core/model/address.js';
import type { Plan } from '#core/model/plan.js';
import type { Ledger } from '#ledger/ledger.js';
import { parseJournal } from '#ledger/parse-journal.js';
import { stepResults } from '#ledger/step-results.js';
import { type Left, withoutRows, withoutSteps } from './as-reviewed.js';

/** Drops the steps that any apply has done since: a step that is done counts for all steps that equal it. */
export async function remainingChanges(plan: Plan, ledger: Pick<Ledger, 'journals'>): Promise<Left> {
  const asked = changesIn(plan);
  const [done, unanswered] = [new Set<Address>(), new Set<Address>()];
  let applied: Left['applied'];
  for (const journal of await since(plan.createdAt, ledger)) {
    const parsed = parseJournal(await journal.text());
    const made = parsed.plan();
    if (made === undefined) continue;
    const changes = changesIn(made);
    const own = stepResults(made, parsed).filter(
      // Where the last records of a journal were lost, a step may have begun at any time since.
      ({ address, at = parsed.at ?? '' }) => at >= plan.createdAt && changes.get(address) === asked.get(address),
    );
    const results = own.filter(({ outcome }) => outcome === 'done');
    for (const { address } of results) done.add(address);
    for (const { address, outcome } of own) if (outcome === 'unknown') unanswered.add(address);
    const by = parsed.apply?.actor.login;
    if (results.length > 0) applied = { at: parsed.at ?? plan.createdAt, ...omitUndefined({ by }) };
  }
  const left = withoutSteps(plan, done);
  const isLeft = left.steps.some(({ writes }) => writes.length > 0);
  return { ...left, unanswered, ...(isLeft || applied === undefined ? {} : { applied }) };
}

/** Returns the changes without row comparisons: rows validated for a review are not compared again. */
const changesIn = ({ steps }: Plan) => digestChanges({ steps: steps.map(withoutRows), guards: [] });

/** Returns the journals since a time and the one before, which may have been in progress at that time. */
async function since(at: string, ledger: Pick<Ledger, 'journals'>) {
  const journals = await ledger.journals();
  const first = journals.findIndex(({ begun }) => begun !== undefined && begun >= at);
  return first < 0 ? journals.slice(-1) : journals.slice(Math.max(0, first - 1));
}
