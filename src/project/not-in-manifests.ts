import { DexsyncError } from '#base/errors.js';
import { nearestHint } from '#base/nearest.js';
import type { Linked } from '#core/engine/link.js';

/** The error for an address that no manifest describes, with the nearest known address. */
export const notInManifests = (address: string, { manifests }: Pick<Linked, 'manifests'>): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `No manifest describes ${address}.`, {
    hint: nearestHint(
      address,
      manifests.map((manifest) => manifest.address),
    ),
  });
