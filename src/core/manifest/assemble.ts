import type { Diagnostic } from '#base/diagnostics.js';
import { inNaturalOrder } from '#base/natural-order.js';
import type { Address } from '../model/address.js';
import type { Manifest } from '../model/document.js';

/** Manifests by ascending address, and their diagnostics. Errors do not exclude manifests. */
export interface ManifestSet {
  readonly manifests: readonly Manifest[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Turns a path relative to the project into the name that messages use. */
type ShowFile = (file: string) => string;

/** Collects manifests, each address once, in an order that does not depend on the order of the files. */
export function assemble(manifests: readonly Manifest[], shown: ShowFile = (file) => file): ManifestSet {
  const byAddress = new Map<Address, Manifest>();
  const diagnostics: Diagnostic[] = [];
  for (const manifest of manifests) {
    const first = byAddress.get(manifest.address);
    if (first === undefined) byAddress.set(manifest.address, manifest);
    else diagnostics.push(duplicateAddress(manifest, first, shown));
  }
  diagnostics.push(...similarAddresses([...byAddress.values()], shown));
  const sorted = inNaturalOrder(byAddress.values(), ({ address }) => address);
  return { manifests: sorted, diagnostics };
}

function duplicateAddress({ address, origins }: Manifest, first: Manifest, shown: ShowFile): Diagnostic {
  const { file, line } = first.origins.value('');
  return {
    severity: 'error',
    code: 'address-duplicate',
    message: `${address} is described twice; first at ${shown(file)}:${line}.`,
    hint: 'Remove one of them, or rename it.',
    origin: origins.value('/metadata/name'),
  };
}

/** Names that differ in letter case, or in how accents are encoded, look the same to people, and to many services. */
function similarAddresses(manifests: readonly Manifest[], shown: ShowFile): Diagnostic[] {
  const first = new Map<string, Manifest>();
  return manifests.flatMap((manifest): Diagnostic[] => {
    const folded = manifest.address.normalize('NFC').toLowerCase();
    const other = first.get(folded);
    if (other === undefined) {
      first.set(folded, manifest);
      return [];
    }
    const { file, line } = other.origins.value('');
    const differs =
      other.address.normalize('NFC') === manifest.address.normalize('NFC') ? 'how accents are encoded' : 'letter case';
    return [
      {
        severity: 'warning',
        code: 'address-similar',
        message: `${manifest.address} differs from ${other.address} at ${shown(file)}:${line} only in ${differs}; the service may treat them as the same object.`,
        hint: 'Rename or remove one of them.',
        origin: manifest.origins.value('/metadata/name'),
      },
    ];
  });
}
