import { reasonOf } from '#base/errors.js';
import { applyRenamesToFact } from '#core/engine/bind.js';
import { pulledFact } from '#core/engine/field-base.js';
import { namesBeforeRename } from '#core/engine/follow-renames.js';
import { withoutIgnored } from '#core/engine/ignored-fields.js';
import { sameJson } from '#core/model/json.js';
import type { ObjectFact } from '#core/model/object-fact.js';
import type { Step } from '#core/model/plan.js';
import { pulledStep } from '#delivery/planning/command-steps.js';
import type { PullInput, Taken } from '#delivery/pull/pull-plan.js';
import type { Config } from '#project/config/load-config.js';
import type { CommandFacts } from '#project/connection/command-facts.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { capabilityOf } from '#service/collection.js';
import { recordStepsOrThrow } from './record-steps.js';

/** A step for the ledger to record, and the earlier fact about its object. */
export interface LedgerUpdate {
  readonly step: Step;
  readonly before: ObjectFact;
}

/** Creates steps that record new facts about this stack's objects whose manifests match them after a pull. */
export function ledgerUpdates(
  taken: readonly Taken[],
  { takesDrift }: Pick<PullInput, 'takesDrift'>,
  { stack, catalog }: Pick<Config, 'stack' | 'catalog'>,
  { client }: Pick<Connection, 'client'>,
): LedgerUpdate[] {
  const former = namesBeforeRename(taken.map(({ bound }) => bound));
  return taken.flatMap(({ bound, found }): LedgerUpdate[] => {
    const { manifest, desired, fact: known, knownAs: address = manifest.address } = bound;
    const { live } = found;
    if (known?.stack !== stack || known.identity !== live.identity) return [];
    const kind = catalog.knownKind(manifest.kind);
    if (kind.grow !== undefined) return [];
    const can = capabilityOf(client, kind, { unlisted: new Set() });
    const named = withoutIgnored(kind.schema, desired, live.spec, manifest.metadata.ignore ?? []);
    const pulled = pulledFact(kind, can, known, { named, live: live.spec, takesDrift });
    const recorded = (one: ObjectFact): ObjectFact => applyRenamesToFact(one, kind.schema, former);
    const [before, fact] = [recorded(known), recorded(pulled)];
    return sameJson(fact, before)
      ? []
      : [{ step: pulledStep({ ...manifest, address }, live, kind.schema, fact), before }];
  });
}

/** The project and the facts of a command that pulled without a lease. */
export interface RecordPulledContext {
  readonly config: Config;
  readonly environment?: string | undefined;
  readonly recorded: CommandFacts;
}

/**
 * Records a pull that had no lease. If that fails, it warns that later plans would report the pulled objects as changed
 * outside, and the pull still counts as done. Facts that somebody else recorded meanwhile stay.
 */
export async function recordPulled(
  learned: readonly LedgerUpdate[],
  { config, environment, recorded }: RecordPulledContext,
  host: Host,
): Promise<void> {
  if (learned.length === 0) return;
  try {
    await withConnection(config, { environment, access: 'record' }, host, async (connection) => {
      const { objects } = await connection.ledger.state();
      const steps = learned.filter(({ step, before }) => sameJson(objects.get(step.address), before));
      if (steps.length > 0)
        await recordStepsOrThrow(
          steps.map(({ step }) => step),
          { stack: config.stack, recorded },
          connection,
          host,
        );
    });
  } catch (error) {
    host.emit({ type: 'diagnostic', diagnostic: unrecorded(learned, reasonOf(error)) });
  }
}

const unrecorded = (learned: readonly LedgerUpdate[], why: string) =>
  ({
    severity: 'warning',
    code: 'pull-unrecorded',
    message: `The manifests were written, but the ledger does not know that ${learned.length === 1 ? '1 object was' : `${learned.length} objects were`} pulled: ${why}`,
    hint: 'Until it does, plans call what was pulled changed outside. Repeat the pull.',
    origin: learned[0]?.step.origin as Step['origin'],
  }) as const;
