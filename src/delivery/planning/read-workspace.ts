import type { Catalog } from '#core/catalog.js';
import type { Linked } from '#core/engine/link.js';
import { kindsReferredTo } from '#core/engine/references.js';
import { importJob } from '#core/jobs/import.js';
import { type Address, addressOf, namesAmong, splitAddress } from '#core/model/address.js';
import { CHECKED_KINDS, isCheckedKind } from '#core/model/checked-kinds.js';
import type { Manifest } from '#core/model/document.js';
import type { Guid, Kind } from '#core/model/kind.js';
import type { LiveIdentity } from '#core/model/object-fact.js';
import { lookupKey, type Observation } from '#core/model/observation.js';
import { lookupsOfUsed } from '#data/imports/standard-fields.js';
import type { Connection } from '#project/connection/connection.js';
import { createObserver } from '#project/connection/observer.js';
import type { Host } from '#project/host.js';
import { type Identities, identityOf } from '#service/identities.js';
import { type ObserveRequest, observe } from '#service/observe.js';
import type { LookupPart } from '#service/read-lookup.js';
import { likelyGuids } from './guids-in-manifests.js';
import { type LedgerKnowledge, recordedObjects } from './known-objects.js';

/** The part of the workspace that was read; GUIDs stay in `identities`. */
export interface Seen {
  readonly observation: Observation;
  readonly identities: Identities;
}

/** The ledger's facts, and the objects to read besides the manifests. */
export interface ReadRequest extends LedgerKnowledge {
  /** Objects to recreate: the new one also gets fields that no manifest names. */
  readonly anew: ReadonlySet<Address>;
  /** Objects whose child lists, a request each, are all read if their kinds are read anyway. */
  readonly whole?: readonly Address[];
  /** Manifests that are not planned, and whose objects may refer to removed objects. */
  readonly beside: readonly Manifest[];
}

/** The value for a ledger without facts. */
export const EMPTY_READ_REQUEST: ReadRequest = {
  facts: new Map(),
  guids: new Map(),
  deleted: new Map(),
  removing: [],
  anew: new Set(),
  beside: [],
};

/** Reads what the manifests need from the workspace, and no more. Does not keep the answers themselves. */
export async function readWorkspace(
  linked: Linked,
  watched: ReadRequest,
  connection: Pick<Connection, 'client' | 'catalog'>,
  host: Host,
): Promise<Seen> {
  const { catalog } = connection;
  const references = [...linked.external.values()].flat();
  const used = definitionsUsed(linked);
  const removed = new Set(watched.removing.map((address) => splitAddress(address).kind));
  const left = (watched.left ?? []).map((address) => splitAddress(address));
  const looked = [...linked.manifests, ...watched.beside, ...references, ...left];
  const referring = catalog.kinds.filter((kind) => isReferring(kind, removed)).map(({ name }) => name);
  // What an object of the ledger refers to is known by its GUID alone until its list is read.
  const referred = left.flatMap(({ kind }) => [...kindsReferredTo(catalog.schemaOf(kind))]);
  const kindNames = new Set([...looked.map(({ kind }) => kind), ...removed, ...referring, ...referred]);
  const kinds = catalog.allKinds.filter(({ name }) => kindNames.has(name));
  const parts = [...references, ...likelyGuids(linked.manifests, catalog.schemaOf)].flatMap(
    ({ kind, partition }): LookupPart[] => {
      const lookup = catalog.lookupNamed(kind);
      return lookup === undefined ? [] : [{ lookup, partition }];
    },
  );
  const lists = (watched.whole ?? []).flatMap((address) => {
    const { kind } = splitAddress(address);
    return kindNames.has(kind) ? Object.keys(childrenOf(catalog.kindNamed(kind))) : [];
  });
  if (lists.length > 0) host.emit({ type: 'price', requests: lists.length, of: 'children' });
  const { observation, identities } = await observe(
    {
      kinds,
      lookups: unique([...parts, ...entriesOfChecked(kindNames, catalog), ...lookupsOfImports(linked, used)]),
      lookupsOf: lookupsOfUsed(used),
      childrenOf: wantedOf(linked, watched, catalog),
      alone: (kind, name) => linked.described.has(addressOf(kind, name)),
      recorded: recordedObjects(linked, watched, host.clock()),
      settingsOf: namesAmong([...linked.manifests.map(({ address }) => address), ...watched.facts.keys()]),
    },
    createObserver(connection, host),
  );
  return { observation, identities };
}

/** The lookups whose entries are objects of checked kinds: what is read for the one serves the other. */
const entriesOfChecked = (kinds: ReadonlySet<string>, { lookupNamed }: Catalog): LookupPart[] =>
  [...kinds].flatMap((kind): LookupPart[] => {
    const [name, partition] = (isCheckedKind(kind) ? CHECKED_KINDS[kind] : null) ?? [];
    const lookup = name === undefined ? undefined : lookupNamed(name);
    return lookup === undefined || partition === undefined ? [] : [{ lookup, partition }];
  });

/** Whether objects of a kind, also undescribed ones, can refer to removed objects. */
const isReferring = ({ schema }: Kind, removed: ReadonlySet<string>): boolean =>
  [...kindsReferredTo(schema)].some((name) => removed.has(name));

/** Returns the definitions of imports, which are read before the rows are checked against them. */
const definitionsUsed = ({ manifests }: Linked): ReadonlySet<string> =>
  new Set(manifests.filter(({ kind }) => kind === importJob.name).map(({ spec }) => String(spec.definition)));

const lookupsOfImports = ({ manifests }: Linked, used: ReadonlySet<string>): LookupPart[] =>
  manifests.flatMap(({ kind, metadata, spec }) => lookupsOfUsed(used)(kind, spec, metadata.name));

const unique = (parts: readonly LookupPart[]): LookupPart[] => [
  ...new Map(parts.map((part) => [lookupKey(part.lookup.name, part.partition), part])).values(),
];

/**
 * Selects the live objects that a manifest describes or refers to, or that are to be removed, and the child collections
 * that matter. Finds them by name, and by identity if others renamed them.
 */
function wantedOf(
  { manifests, external }: Linked,
  watched: ReadRequest,
  { kindNamed }: Catalog,
): ObserveRequest['childrenOf'] {
  const { facts, removing, anew, beside } = watched;
  const whole = new Set(watched.whole);
  const wanted = new WantedChildren(facts);
  const fieldsOf = (kind: string): readonly string[] => Object.keys(childrenOf(kindNamed(kind)));
  for (const { kind, address, metadata, spec } of [...manifests, ...beside]) {
    const fields = fieldsOf(kind).filter((field) => field in spec || anew.has(address) || whole.has(address));
    for (const name of [metadata.name, metadata.renamedFrom]) if (name !== undefined) wanted.add(kind, name, fields);
  }
  for (const { kind, name } of [...external.values()].flat()) wanted.addByName(kind, name, []);
  const described = new Set(manifests.map(({ address }) => address));
  for (const address of [...removing, ...[...whole].filter((one) => !described.has(one))]) {
    const { kind, name } = splitAddress(address);
    wanted.add(kind, name, fieldsOf(kind));
  }
  const removed = new Set(removing.map((address) => splitAddress(address).kind));
  return (kind, name, guid) => {
    const children = Object.entries(childrenOf(kindNamed(kind)));
    const byName = wanted.byName(kind, name);
    if (byName !== undefined && children.length === 0) return byName;
    const referring = children.filter(([, { ref }]) => ref !== undefined && removed.has(ref));
    const byIdentity = wanted.byIdentity(guid);
    const matters = [byName, byIdentity].filter((fields) => fields !== undefined);
    if (matters.length === 0 && referring.length === 0) return undefined;
    return [...new Set([...matters.flat(), ...referring.map(([field]) => field)])];
  };
}

/** The child collections that matter, by the names of objects, and by the identities that the ledger has for them. */
class WantedChildren {
  readonly #facts: ReadRequest['facts'];
  readonly #names = new Map<string, Map<string, readonly string[]>>();
  readonly #moved = new Map<LiveIdentity, readonly string[]>();

  constructor(facts: ReadRequest['facts']) {
    this.#facts = facts;
  }

  add(kind: string, name: string, fields: readonly string[]): void {
    this.addByName(kind, name, fields);
    const identity = this.#facts.get(addressOf(kind, name))?.identity;
    if (identity !== undefined) this.#moved.set(identity, fields);
  }

  addByName(kind: string, name: string, fields: readonly string[]): void {
    const names = this.#names.get(kind) ?? new Map<string, readonly string[]>();
    this.#names.set(kind, names);
    const known = names.get(name);
    names.set(name, known === undefined || known.length === 0 ? fields : [...new Set([...known, ...fields])]);
  }

  byName(kind: string, name: string): readonly string[] | undefined {
    return this.#names.get(kind)?.get(name);
  }

  byIdentity(guid: Guid): readonly string[] | undefined {
    return this.#moved.size === 0 ? undefined : this.#moved.get(identityOf(guid));
  }
}

const childrenOf = (kind: Kind | undefined): Kind['children'] => kind?.children ?? {};
