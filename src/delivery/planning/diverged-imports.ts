import type { PlanInput } from '#core/engine/plan.js';
import type { Selection } from '#core/engine/selection.js';
import { partialImports, type RecordedImport } from '#core/model/partial-imports.js';
import { undoneImports } from '#core/model/undone-imports.js';
import type { LedgerState } from '#ledger/fold.js';

/** Finds imports whose rows are not in the workspace as sent. An undone import without a manifest is settled. */
export function divergedImports(
  state: LedgerState,
  stack: string,
  selection: Selection,
): Required<Pick<PlanInput, 'partial' | 'undone'>> {
  const { linked, record, promoted } = selection;
  const isWhole = record === undefined && promoted === undefined;
  const planned = new Set(linked.manifests.map(({ address }) => address));
  const isPlanned = ({ address, facts }: RecordedImport): boolean =>
    planned.has(address) && (facts?.stack ?? stack) === stack;
  const isLeft = ({ address, facts }: RecordedImport): boolean =>
    isWhole && !planned.has(address) && facts?.stack === stack;
  const recorded = [...state.imports.values()];
  const undone = undoneImports(recorded);
  const keys = new Set(undone.map(({ key }) => key));
  const partial = partialImports(recorded, state.acknowledged).filter(
    (one) => one.acknowledgement === undefined && !keys.has(one.key) && (isPlanned(one) || isLeft(one)),
  );
  return { partial, undone: undone.filter(isPlanned) };
}
