import type { Bound } from '#core/engine/bind.js';
import { block, type Decision } from '#core/engine/decision.js';
import { liveIndex } from '#core/engine/live-index.js';
import { liveUnder } from '#core/engine/live-under.js';
import { explainOddity, oddMessage } from '#core/engine/odd-objects.js';
import { importJob } from '#core/jobs/import.js';
import { importDefinition } from '#core/kinds/import-definition.js';
import { addressOf } from '#core/model/address.js';
import type { Observation } from '#core/model/observation.js';
import type { LedgerState } from '#ledger/fold.js';

/** The manifests of a plan, and the state of the workspace. */
export interface BoundImports {
  readonly bound: readonly Bound[];
  readonly observation: Observation;
  readonly state: Pick<LedgerState, 'objects'>;
}

/** Blocks imports through a definition without a manifest that cannot be read: what their rows mean is unknown. */
export function blockOddDefinitions({ bound, observation, state }: BoundImports): Decision[] {
  const kind = importDefinition.name;
  const described = new Set(bound.flatMap(({ manifest }) => (manifest.kind === kind ? [manifest.metadata.name] : [])));
  const imports = bound.filter(({ manifest }) => manifest.kind === importJob.name);
  return imports.flatMap((one) => {
    const name = String(one.desired.definition);
    if (described.has(name)) return [];
    const address = addressOf(kind, name);
    const live = liveUnder(kind, name, liveIndex(observation), state.objects.get(address)?.identity);
    const why = 'raw' in live ? live.raw.odd?.why : explainOddity({ kind, partition: '', name }, observation);
    if (why === undefined) return [];
    return [block(one, importJob.schema, { reason: 'answer-odd', message: oddMessage(address, why) })];
  });
}
