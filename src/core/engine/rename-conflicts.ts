import type { Diagnostic } from '#base/diagnostics.js';
import { type Address, addressOf } from '../model/address.js';
import type { Manifest } from '../model/document.js';
import type { Reference } from './references.js';

/** Reports manifests that mean the same live object: each would take it from the other. */
export function renameConflicts(renaming: readonly Manifest[], manifests: readonly Manifest[]): Diagnostic[] {
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
export function staleNames(
  renaming: readonly Manifest[],
  manifests: readonly Manifest[],
  external: ReadonlyMap<Address, readonly Reference[]>,
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
