import { omitUndefined } from '#base/omit-undefined.js';
import { type Address, addressOf } from '#core/model/address.js';
import type { Guid, Kind, Lookup } from '#core/model/kind.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { findUniqueByName } from '#project/live/find-unique-by-name.js';
import { type LiveObject, liveObjects, lookupEntries } from '#project/live/live-objects.js';
import { notInWorkspace } from '#project/live/not-in-workspace.js';
import { type ParsedAddress, parseAddress } from '#project/parse-address.js';
import { openConfig, openProject } from '#project/project.js';

/** The addresses to look up. */
export interface OutputOptions extends ProjectOptions {
  /** If empty, every object that the manifests describe. */
  readonly addresses: readonly string[];
}

/** The current GUID of each object, by address; null if it is not in the workspace. */
export type Outputs = Readonly<Record<Address, Guid | null>>;

/** Looks up GUIDs by address, for scripts. They are valid in one workspace and are not stored anywhere. */
export async function output(options: OutputOptions, host: Host): Promise<Outputs> {
  const project = options.addresses.length === 0 ? await openProject(options, host) : undefined;
  const config = project?.config ?? (await openConfig(options, host));
  const { catalog } = config;
  const given = options.addresses.map((text) => parseAddress(text, catalog));
  const described = project?.linked.manifests.filter(({ kind }) => catalog.kindNamed(kind) !== undefined) ?? [];
  const wanted = project === undefined ? given : described.map(({ address }) => parseAddress(address, catalog));
  return withConnection(config, { ...options, access: 'read' }, host, async (connection) => {
    const known = await guidsOf(wanted, connection, host);
    const entries = wanted.map(({ address }) => [address, guidIn(known, address, connection)] as const);
    const missing = given.find(({ address }) => !known.has(address));
    if (missing !== undefined) {
      const names = { name: missing.address, known: [...known.keys()] };
      throw notInWorkspace(missing.address, names, connection.environment);
    }
    return Object.fromEntries(entries) as Outputs;
  });
}

type Known = ReadonlyMap<Address, readonly Found[]>;

interface Found {
  readonly guid: Guid;
  readonly number?: number;
}

/** Reads each list once, however many of its objects are asked for. */
async function guidsOf(wanted: readonly ParsedAddress[], connection: Connection, host: Host): Promise<Known> {
  const lists = new Map(wanted.map((one) => [`${one.listed.type.name}:${one.world ?? ''}`, one]));
  const found = await Promise.all(
    [...lists.values()].map(({ listed, world }) =>
      listed.role === 'kind' ? kindGuids(listed.type, connection, host) : lookupGuids(listed.type, world, connection),
    ),
  );
  const known = new Map<Address, Found[]>();
  for (const [address, one] of found.flat()) known.set(address, [...(known.get(address) ?? []), one]);
  return known;
}

type Entry = readonly [Address, Found];

async function kindGuids(kind: Kind, connection: Connection, host: Host): Promise<Entry[]> {
  const objects = await liveObjects(kind, undefined, connection, host);
  return objects.map((object: LiveObject): Entry => [addressOf(kind.name, object.name), object]);
}

async function lookupGuids(lookup: Lookup, partition: string | undefined, connection: Connection): Promise<Entry[]> {
  const entries = await lookupEntries({ lookup, ...omitUndefined({ partition }) }, connection);
  const type = partition === undefined ? lookup.name : `${lookup.name}:${partition}`;
  return entries.flatMap(({ names, guid }) =>
    [...new Set(names)].map((one): Entry => [addressOf(type, one), { guid }]),
  );
}

/** Throws if several objects have the name: a script must not get the GUID of one of them. */
function guidIn(known: Known, address: Address, { environment }: Connection): Guid | null {
  const found = (known.get(address) ?? []).map((one) => ({ ...one, name: address }));
  return found.length === 0 ? null : findUniqueByName(found, { address, name: address }, environment, 'rename').guid;
}
