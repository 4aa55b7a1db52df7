import { DexsyncError } from '#base/errors.js';
import type { Catalog } from '#core/catalog.js';
import { isNeverAdopted } from '#core/engine/ownership.js';
import { hasRetiredName } from '#core/engine/retired-name.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { AuditRecord } from '#core/model/audit-record.js';
import { isChecked, type Kind } from '#core/model/kind.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import { withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { allLiveObjects, type LiveObject } from '#project/live/live-objects.js';
import { parseKind } from '#project/parse-type.js';
import { openProject } from '#project/project.js';

/** The kinds to search. */
export interface OrphansOptions extends ProjectOptions {
  /** Kinds as people type them; none: all. */
  readonly kinds: readonly string[];
}

/** Live objects that belong to no stack. */
export interface Orphans {
  readonly environment: string;
  readonly workspace: string;
  readonly orphans: readonly Orphan[];
  /** Objects that replacements left behind, under the names that they were given. */
  readonly retired: readonly Orphan[];
  /** Kinds that the service does not list. */
  readonly unlisted: readonly string[];
}

/** A live object that no stack owns. */
export interface Orphan extends AuditRecord {
  readonly address: Address;
  readonly number?: number;
  /** Whether a manifest describes it; `adopt` then makes this stack its owner. */
  readonly described: boolean;
}

/** Lists the live objects that have no owner in the ledger. Sends no write. */
export async function orphans({ kinds: names, ...options }: OrphansOptions, host: Host): Promise<Orphans> {
  const { config, linked } = await openProject(options, host);
  const { catalog } = config;
  const kinds = names.length === 0 ? catalog.kinds : names.map((name) => ownableKind(name, catalog));
  const described = new Set(linked.manifests.map(({ address }) => address));
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const { objects: facts } = await connection.ledger.state();
    const owned = new Set<LiveIdentity | undefined>([...facts.values()].map(({ identity }) => identity));
    const listed = await allLiveObjects(kinds, connection, host);
    const all = listed.flatMap(({ kind, objects }) =>
      objects
        .filter(({ identity, name }) => !owned.has(identity) && !isNeverAdopted(kind, name))
        .map((object) => orphan(kind, object, described)),
    );
    return {
      environment: connection.environment,
      workspace: connection.workspace.name,
      orphans: all.filter(({ address }) => !hasRetiredName(address)),
      retired: all.filter(({ address }) => hasRetiredName(address)),
      unlisted: kinds.filter((kind) => !listed.some((one) => one.kind === kind)).map(({ name }) => name),
    };
  });
}

function ownableKind(text: string, catalog: Catalog): Kind {
  const kind = parseKind(text, catalog, 'never owned');
  if (!isChecked(kind)) return kind;
  throw new DexsyncError('USAGE', `${kind.name} objects are compared and never owned.`);
}

function orphan(kind: Kind, { name, number, record }: LiveObject, described: ReadonlySet<Address>): Orphan {
  const address = addressOf(kind.name, name);
  const told = number === undefined ? {} : { number };
  return { address, ...told, described: described.has(address), ...record };
}
