import type { Diagnostic } from '#base/diagnostics.js';
import { type Address, addressOf } from '../model/address.js';
import { kindReferredTo } from '../model/checked-kinds.js';
import type { Manifest } from '../model/document.js';
import { cycles, type Edges } from './graph.js';
import { listReferences, type Reference } from './references.js';
import { renameConflicts, staleNames } from './rename-conflicts.js';

/** Manifests and their references, if any: `edges` lead to other manifests, `external` to the workspace. */
export interface Linked {
  readonly manifests: readonly Manifest[];
  readonly edges: Edges;
  readonly external: ReadonlyMap<Address, readonly Reference[]>;
  readonly diagnostics: readonly Diagnostic[];
  /** Every address that the project's manifests describe, even if only some of them are linked here. */
  readonly described: ReadonlySet<Address>;
}

/** Finds the references between manifests, by the schema of each kind. */
export function link(
  manifests: readonly Manifest[],
  schemaOf: (kind: string) => object,
  project: readonly Manifest[] = manifests,
): Linked {
  const known = new Set(manifests.map(({ address }) => address));
  const edges = new Map<Address, ReadonlySet<Address>>();
  const external = new Map<Address, readonly Reference[]>();
  for (const manifest of manifests) {
    const references = listReferences(schemaOf(manifest.kind), manifest.spec);
    const targets = references.map((one) => addressOf(kindReferredTo(one), one.name));
    const own = targets.filter((target) => known.has(target));
    if (own.length > 0) edges.set(manifest.address, new Set(own));
    const others = references.filter((_, index) => !known.has(targets[index] as Address));
    if (others.length > 0) external.set(manifest.address, others);
  }
  const renaming = manifests.filter(({ metadata }) => metadata.renamedFrom !== undefined);
  return {
    manifests,
    edges,
    external,
    diagnostics: [
      ...cycleFindings(manifests, edges),
      ...renameConflicts(renaming, manifests),
      ...staleNames(renaming, manifests, external),
    ],
    described: project === manifests ? known : new Set(project.map(({ address }) => address)),
  };
}

function cycleFindings(manifests: readonly Manifest[], edges: Edges): Diagnostic[] {
  return cycles(edges).flatMap((cycle) => {
    const [first] = cycle;
    const origins = manifests.filter(({ address }) => address === first).map((manifest) => manifest.origins);
    return origins.map((place) => ({
      severity: 'error',
      code: 'reference-cycle',
      message: `These manifests depend on each other: ${[...cycle, first].join(' -> ')}.`,
      hint: 'Remove one of these references.',
      origin: place.value('/metadata/name'),
    }));
  });
}
