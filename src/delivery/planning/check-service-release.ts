import type { Linked } from '#core/engine/link.js';
import { noveltiesIn, sinceFindings } from '#core/engine/service-too-old.js';
import type { Connection } from '#project/connection/connection.js';
import type { Host } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import { readRelease } from '#service/read-service-release.js';

/** Refuses what the service is too old for. Asks for its release only if a manifest needs a certain one. */
export async function checkRelease(
  { manifests }: Pick<Linked, 'manifests'>,
  { client, environment, catalog }: Connection,
  { folder, code }: { readonly folder: string; readonly code: 'MANIFESTS_INVALID' | 'PROMOTION_INVALID' },
  host: Host,
): Promise<void> {
  const novelties = noveltiesIn(manifests, catalog.manifestTypeNamed);
  const release = novelties.length === 0 ? undefined : await readRelease(client);
  if (release !== undefined) emitDiagnostics(host, folder, sinceFindings(novelties, release, environment), code);
}
