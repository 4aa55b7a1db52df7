import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { type Bound, bind } from '#core/engine/bind.js';
import type { Deciding } from '#core/engine/decision.js';
import { excludedFindings, pruneFindings, type Selection } from '#core/engine/selection.js';
import { wholeSpec } from '#core/engine/whole-spec.js';
import type { Address } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Config } from '#project/config/load-config.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import { guidsInManifests } from './guids-in-manifests.js';
import { isPruning, type PlanningOptions } from './planning-options.js';
import type { Seen } from './read-workspace.js';

/** What is bound to a workspace. */
export interface BindRequest {
  readonly config: Config;
  readonly selection: Selection;
  readonly options: PlanningOptions;
  readonly connection: Connection;
  readonly host: Host;
  /** What is found out once the workspace was read, beside references that lead nowhere. */
  readonly findings?: (seen: Seen) => readonly Diagnostic[];
  /** Where specs are all that their objects are to have: the fields of one of which they tell nothing. */
  readonly unknownIn?: ((kind: Kind, address: Address) => readonly string[]) | undefined;
  /** Fields of a kind of which specs tell nothing, because the service that they come from does not. */
  readonly untold?: Deciding['untold'] | undefined;
}

/** All manifests with what lives for them. Emits what speaks against that; an error among it ends the planning. */
export function bindManifests(
  { config, selection, options, connection, host, findings, unknownIn }: BindRequest,
  state: LedgerState,
  seen: Seen,
): readonly Bound[] {
  const { linked, patterns, promoted } = selection;
  const { environment: name } = connection;
  const binding = bind(
    linked.manifests,
    seen.observation,
    config.catalog.schemaOf,
    name,
    state.objects,
    linked.described,
    promoted === undefined ? undefined : 'among the promoted objects',
  );
  const found = [
    ...(isPruning(options) ? pruneFindings(patterns) : []),
    ...(promoted === undefined ? excludedFindings(binding.diagnostics, selection, name) : binding.diagnostics),
    ...guidsInManifests(linked.manifests, config.catalog.schemaOf, seen.identities),
    ...(findings?.(seen) ?? []),
  ];
  emitDiagnostics(host, config.folder, found, codeOf(selection));
  return unknownIn === undefined ? binding.bound : binding.bound.map((one) => wholly(one, unknownIn, config.catalog));
}

/** Asks also for what the live object must not have. What is made once is never made less. */
function wholly(bound: Bound, unknownIn: NonNullable<BindRequest['unknownIn']>, { kindNamed }: Catalog): Bound {
  const { live, desired, manifest } = bound;
  const kind = kindNamed(manifest.kind);
  if (kind === undefined || kind.grow !== undefined || !('raw' in live)) return bound;
  return { ...bound, desired: wholeSpec(kind.schema, desired, live.object.spec, unknownIn(kind, manifest.address)) };
}

/** What errors of a plan's input are called. */
export const codeOf = ({ promoted }: Selection): 'MANIFESTS_INVALID' | 'PROMOTION_INVALID' =>
  promoted === undefined ? 'MANIFESTS_INVALID' : 'PROMOTION_INVALID';
