import type { Linked } from '../engine/link.js';
import { DexsyncError } from '../errors.js';
import { nearestHint } from '../nearest.js';

/** No manifest describes it; the nearest of what they describe helps. */
export const notInManifests = (address: string, { manifests }: Pick<Linked, 'manifests'>): DexsyncError =>
  new DexsyncError('UNKNOWN_NAME', `No manifest describes ${address}.`, {
    hint: nearestHint(
      address,
      manifests.map((manifest) => manifest.address),
    ),
  });
