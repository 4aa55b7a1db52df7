import type { Diagnostic } from '#base/diagnostics.js';
import type { Address } from '#core/model/address.js';
import type { Kind } from '#core/model/kind.js';
import type { Observation } from '#core/model/observation.js';
import { hiddenFieldsOf } from '#service/collection.js';
import type { Identities } from '#service/identities.js';
import type { Connection } from '../connection/connection.js';
import type { Host } from '../host.js';
import { describeLive, type LiveManifest } from './describe-live.js';
import { type LiveRequest, readLive } from './read-live.js';

/** Live objects as manifests, and findings about parts that these do not copy faithfully. */
export interface LiveManifests {
  /** By kind in the order of the request, then by name. */
  readonly manifests: readonly LiveManifest[];
  readonly findings: readonly Diagnostic[];
  /** Kinds that the service does not list. */
  readonly unlisted: readonly string[];
  /** Everything that was read, including unwanted objects. */
  readonly observation: Observation;
  /** The names of all objects of a kind, wanted or not. */
  readonly known: (kind: string) => readonly string[];
  /** The GUIDs of the objects that were read. */
  readonly identities: Identities;
}

/**
 * Reads the wanted live objects of some kinds as manifests, with the fewest requests: a list for each kind, the lists
 * that they refer to, and the declared children. Among objects of one name, the one that the ledger knows is meant.
 */
export async function liveManifests(request: LiveRequest, connection: Connection, host: Host): Promise<LiveManifests> {
  const { client, catalog, ledger } = connection;
  const [reading, state] = await Promise.all([readLive(request, connection, host), ledger.state()]);
  const { observation } = reading;
  const describing = {
    catalog,
    countNamed: reading.countNamed,
    identityOf: (address: Address) => state.objects.get(address)?.identity,
  };
  const listed = request.kinds.filter(({ name }) => !observation.unlisted.has(name));
  const manifests = listed.flatMap((kind) => {
    const wanted = (observation.objects.get(kind.name) ?? []).filter(
      ({ name, odd }) => odd === undefined && request.isWanted(kind.name, name),
    );
    return describeLive(kind, wanted, describing);
  });
  const found = new Set(manifests.map(({ kind }) => kind));
  const hidden = listed.flatMap((kind) => {
    const fields = hiddenFieldsOf(client, kind, observation);
    return found.has(kind.name) && fields.length > 0 ? [hiddenFinding(kind, fields)] : [];
  });
  return {
    manifests,
    findings: [...manifests.flatMap(({ findings }) => findings), ...hidden],
    unlisted: [...observation.unlisted],
    observation,
    identities: reading.identities,
    known: (kind) => (observation.objects.get(kind) ?? []).map(({ name }) => name),
  };
}

const hiddenFinding = ({ name }: Kind, fields: readonly string[]): Diagnostic => ({
  severity: 'warning',
  code: 'fields-hidden',
  message: `The service does not show ${fields.join(', ')} of ${name} objects; the manifests do not name them.`,
  hint: 'If they matter, add them manually. No plan can compare them.',
});
