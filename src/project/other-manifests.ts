import type { Origin } from '#base/diagnostics.js';
import { addressIn } from '#core/manifest/overlay.js';
import type { Address } from '#core/model/address.js';
import { environmentLayers } from './config/environment-settings.js';
import type { Config } from './config/load-config.js';
import type { Host, ProjectOptions } from './host.js';
import { readDocuments } from './read-documents.js';

/** A manifest that only another environment reads. */
export interface OtherManifest {
  readonly environment: string;
  readonly origin: Origin;
}

/** The manifests of other environments by address. Ignores their errors, and documents without an address. */
export async function readOtherManifests(
  config: Config,
  chosen: string | undefined,
  options: ProjectOptions,
  host: Host,
): Promise<ReadonlyMap<Address, OtherManifest>> {
  const found = new Map<Address, OtherManifest>();
  for (const { name: environment, manifests } of environmentLayers(config)) {
    if (environment === undefined || environment === chosen || manifests.length === 0) continue;
    const { documents } = await readDocuments(config, { ...options, environment }, host);
    for (const document of documents) {
      const address = addressIn(document);
      if (address !== undefined) found.set(address, { environment, origin: document.origins.start });
    }
  }
  return found;
}
