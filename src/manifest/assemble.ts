import type { Diagnostic } from '../diagnostics.js';
import type { Address } from '../model/address.js';
import type { Manifest } from '../model/document.js';

export interface Assembled {
  readonly manifests: readonly Manifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The set of manifests, each address once, in an order that does not depend on the order of the files. */
export function assemble(manifests: readonly Manifest[]): Assembled {
  const byAddress = new Map<Address, Manifest>();
  const diagnostics: Diagnostic[] = [];
  for (const manifest of manifests) {
    const first = byAddress.get(manifest.address);
    if (first === undefined) byAddress.set(manifest.address, manifest);
    else diagnostics.push(duplicate(manifest, first));
  }
  const sorted = [...byAddress.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
  return { manifests: sorted, diagnostics };
}

function duplicate({ address, origins }: Manifest, first: Manifest): Diagnostic {
  const { file, line } = first.origins.value('');
  return {
    severity: 'error',
    code: 'address-duplicate',
    message: `${address} is described twice; the first time at ${file}:${line}.`,
    hint: 'Remove one of the two, or give it another name.',
    origin: origins.value('/metadata/name'),
  };
}
