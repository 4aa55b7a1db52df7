import { type HistoryEntry, readEntry } from '#ledger/history/history-entry.js';
import type { NumberedJournal } from '#ledger/ledger.js';
import { stepResults } from '#ledger/step-results.js';

/** A release that was promoted to an environment, and what was left open there. */
export interface Promotion {
  /** Such as `dev/r41`. */
  readonly name: string;
  readonly at: HistoryEntry['at'];
  /** Objects whose step was not done; those in conflict are counted again. */
  readonly open: number;
  readonly conflicts: number;
  /** Objects that people changed here, and that stayed so. */
  readonly hotfixes: number;
  /** Whether only some of its objects were promoted. */
  readonly partial: boolean;
}

/** Reads the promotions of releases, the newest first. */
export async function* promotionsIn(journals: readonly NumberedJournal[]): AsyncGenerator<Promotion, undefined> {
  for (const journal of journals.toReversed()) {
    const { parsed, entry } = (await readEntry(journal)) ?? {};
    const plan = parsed?.plan();
    const name = plan?.promoted?.release;
    if (parsed === undefined || entry === undefined || plan === undefined || name === undefined) continue;
    const { steps, promoted, selection } = plan;
    yield {
      ...{ name, at: entry.at },
      open: stepResults(plan, parsed).filter(({ outcome }) => outcome !== 'done').length,
      conflicts: steps.filter(({ reason }) => reason === 'conflict').length,
      hotfixes: promoted?.kept?.length ?? 0,
      partial: selection !== undefined && selection.only.length + selection.exclude.length > 0,
    };
  }
  return undefined;
}
