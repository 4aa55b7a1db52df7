import type { Diagnostic } from '#base/diagnostics.js';
import type { Catalog } from '#core/catalog.js';
import { type Binding, type Bound, bind } from '#core/engine/bind.js';
import type { Deciding } from '#core/engine/decision.js';
import { keptNames, type Promoting, promoteBound, withKeptNames } from '#core/engine/promotion.js';
import { excludedFindings, pruneFindings, type Selection } from '#core/engine/selection.js';
import { wholeSpec } from '#core/engine/whole-spec.js';
import type { Address } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { Kind } from '#core/model/kind.js';
import type { LedgerState } from '#ledger/fold.js';
import type { Config } from '#project/config/load-config.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import { guidsInManifests } from './guids-in-manifests.js';
import { isPruning, type PlanningOptions } from './planning-options.js';
import type { Seen } from './read-workspace.js';

/** The manifests to bind to a workspace. */
export interface BindRequest {
  readonly config: Config;
  readonly selection: Selection;
  readonly options: PlanningOptions;
  readonly connection: Connection;
  readonly host: Host;
  /** Finds further problems once the workspace has been read, besides unresolved references. */
  readonly findings?: (seen: Seen) => readonly Diagnostic[];
  /** For specs that describe whole objects: the fields of an object that its spec does not cover. */
  readonly unknownIn?: ((kind: Kind, address: Address) => readonly string[]) | undefined;
  /** The release that is promoted, so that what only the target changed stays. */
  readonly promoting?: Promoting | undefined;
  /** Fields of a kind that specs do not cover, because the service that they come from does not return them. */
  readonly untold?: Deciding['untold'] | undefined;
}

/** Binds all manifests to their live objects. Emits the findings; an error among them ends planning. */
export function bindManifests(
  { config, selection, options, connection, host, findings, unknownIn, promoting }: BindRequest,
  state: LedgerState,
  seen: Seen,
): readonly Bound[] {
  const { linked, patterns, promoted } = selection;
  const { environment: name } = connection;
  const { schemaOf } = config.catalog;
  const bindAll = (manifests: readonly Manifest[]): Binding =>
    bind(
      manifests,
      seen.observation,
      schemaOf,
      name,
      state.objects,
      linked.described,
      promoted === undefined ? undefined : 'among the promoted objects',
    );
  const first = bindAll(linked.manifests);
  const names = promoting === undefined ? new Map() : keptNames(first.bound, promoting);
  const binding =
    names.size === 0 ? first : bindAll(linked.manifests.map((one) => withKeptNames(one, schemaOf(one.kind), names)));
  const found = [
    ...(isPruning(options) ? pruneFindings(patterns) : []),
    ...(promoted === undefined ? excludedFindings(binding.diagnostics, selection, name) : binding.diagnostics),
    ...guidsInManifests(linked.manifests, schemaOf, seen.identities),
    ...(findings?.(seen) ?? []),
  ];
  emitDiagnostics(host, config.folder, found, invalidInputCode(selection));
  if (promoting !== undefined) return binding.bound.map((one) => promoteBound(one, promoting, binding.renamed, names));
  return unknownIn === undefined ? binding.bound : binding.bound.map((one) => wholly(one, unknownIn, config.catalog));
}

/** Also asks to clear what the live object must not have. Objects that can only grow are left as they are. */
function wholly(bound: Bound, unknownIn: NonNullable<BindRequest['unknownIn']>, { kindNamed }: Catalog): Bound {
  const { live, desired, manifest } = bound;
  const kind = kindNamed(manifest.kind);
  if (kind === undefined || kind.grow !== undefined || !('raw' in live)) return bound;
  return { ...bound, desired: wholeSpec(kind.schema, desired, live.object.spec, unknownIn(kind, manifest.address)) };
}

/** Returns the code for errors in a plan's input. */
export const invalidInputCode = ({ promoted }: Selection): 'MANIFESTS_INVALID' | 'PROMOTION_INVALID' =>
  promoted === undefined ? 'MANIFESTS_INVALID' : 'PROMOTION_INVALID';
