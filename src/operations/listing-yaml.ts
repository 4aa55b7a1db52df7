import { stringify as yaml } from 'yaml';
import { withoutReferences } from '../manifest/interpolate.js';
import type { Listing } from './get.js';

/** A listing as manifests, ready to be put into a file; a lookup's entries, which no manifest describes, as a list. */
export function listingYaml({ type, role, objects }: Listing): string {
  if (role === 'lookup') return yaml(objects.map(({ name, spec }) => ({ name, ...spec })));
  return objects
    .map(({ name, spec }) => ({ apiVersion: 'dexsync/v1', kind: type, metadata: { name }, spec }))
    .map((manifest) => yaml(withoutReferences(manifest), { lineWidth: 0 }))
    .join('---\n');
}
