import type { Promoting } from '#core/engine/promotion.js';
import type { Selection } from '#core/engine/selection.js';
import { type Address, addressOf, splitAddress } from '#core/model/address.js';
import type { Manifest } from '#core/model/document.js';
import type { ObjectFact } from '#core/model/object-fact.js';

/** Renames an object that the target has under the name that it had in an earlier release of the same source. */
export function withFormerNames(
  selection: Selection,
  { source, lineageOf }: Promoting,
  facts: ReadonlyMap<Address, ObjectFact>,
): Selection {
  const known = new Map<string, Address>();
  for (const [address, { promoted }] of facts) if (promoted?.source === source) known.set(promoted.lineage, address);
  const formers: Address[] = [];
  const manifests = selection.linked.manifests.map((manifest): Manifest => {
    const former = known.get(lineageOf(manifest.address) ?? '');
    if (former === undefined || former === manifest.address || selection.linked.described.has(former)) return manifest;
    const { kind, name } = splitAddress(former);
    if (kind !== manifest.kind || facts.has(manifest.address)) return manifest;
    formers.push(addressOf(kind, name));
    return { ...manifest, metadata: { ...manifest.metadata, renamedFrom: name } };
  });
  if (formers.length === 0) return selection;
  return {
    ...selection,
    linked: { ...selection.linked, manifests },
    claimed: new Set([...selection.claimed, ...formers]),
  };
}
