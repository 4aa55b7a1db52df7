import type { Diagnostic } from '#base/diagnostics.js';
import { type Address, addressOf } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import { cycles, type Edges } from './graph.js';
import { listReferences, type Reference } from './references.js';

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
    const targets = references.map(({ kind, name }) => addressOf(kind, name));
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
      ...renameFindings(renaming, manifests),
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

/** Reports manifests that mean the same live object: each would take it from the other. */
function renameFindings(renaming: readonly Manifest[], manifests: readonly Manifest[]): Diagnostic[] {
  if (renaming.length === 0) return [];
  const claims = new Map(manifests.map(({ address }) => [address, address]));
  return renaming.flatMap(({ address, kind, metadata: { renamedFrom }, origins }) => {
    const former = addressOf(kind, renamedFrom as string);
    const claimed = claims.get(former);
    claims.set(former, address);
    if (claimed === undefined) return [];
    const [why, hint] = conflict(address, former, claimed);
    const message = `${address} has \`renamedFrom: ${renamedFrom}\`, ${why}.`;
    return [
      { severity: 'error', code: 'rename-conflict', message, hint, origin: origins.value('/metadata/renamedFrom') },
    ];
  });
}

function conflict(address: Address, former: Address, claimed: Address): [why: string, hint: string] {
  if (former === address) return ['which is its own name', 'Give the former name, or remove `renamedFrom`.'];
  return claimed === former
    ? [
        `but another manifest describes ${former}`,
        `Remove \`renamedFrom\` if the rename was already applied, or remove the manifest of ${former} if it is renamed now.`,
      ]
    : [
        `and so does ${claimed}`,
        'Keep `renamedFrom` in the manifest that continues the object, and remove it from the other.',
      ];
}

/** Reports references by a name that a manifest gives away: they would lead nowhere after the apply. */
function staleNames(
  renaming: readonly Manifest[],
  manifests: readonly Manifest[],
  external: Linked['external'],
): Diagnostic[] {
  if (renaming.length === 0) return [];
  const renamed = new Map(
    renaming.map(({ kind, metadata: { name, renamedFrom } }) => [addressOf(kind, renamedFrom as string), name]),
  );
  return manifests.flatMap(({ address, origins }) =>
    (external.get(address) ?? []).flatMap(({ kind, name, pointer }): Diagnostic[] => {
      const now = renamed.get(addressOf(kind, name));
      if (now === undefined) return [];
      const message = `${address} refers to ${kind}/${name}, which a manifest renames to "${now}".`;
      const origin = origins.value(`/spec${pointer}`);
      return [{ severity: 'error', code: 'reference-renamed', message, hint: `Write "${now}".`, origin }];
    }),
  );
}
