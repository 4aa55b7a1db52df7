import { catalog, kindNamed } from '../catalog.js';
import { DexsyncError } from '../errors.js';
import { type Address, addressOf, splitAddress } from '../model/address.js';
import type { Guid } from '../model/kind.js';
import { nearestHint } from '../nearest.js';
import { type Connection, withConnection } from './connection.js';
import type { Host, ProjectOptions } from './host.js';
import { liveObjects, lookupEntries } from './live-objects.js';
import { openConfig, openProject } from './project.js';
import { typeNamed } from './types-named.js';

export interface OutputOptions extends ProjectOptions {
  /** None: every object that the manifests describe. */
  readonly addresses: readonly string[];
}

/** By address the GUID that the object has right now; null where it is not in the workspace. */
export type Outputs = Readonly<Record<Address, Guid | null>>;

/** Looks up GUIDs by address, for scripts. They hold for one workspace and are not written down anywhere. */
export async function output(options: OutputOptions, host: Host): Promise<Outputs> {
  const given = options.addresses.map(parseAddress);
  const described = given.length === 0 ? await openProject(options, host) : undefined;
  const config = described?.config ?? (await openConfig(options, host));
  const wanted =
    described?.linked.manifests.filter(({ kind }) => kindNamed(kind) !== undefined).map(({ address }) => address) ??
    given;
  return withConnection(config, options.environment, host, async (connection) => {
    const known = await guidsOf(new Set(wanted.map((address) => splitAddress(address).kind)), connection, host);
    const missing = given.find((address) => !known.has(address));
    if (missing !== undefined) throw absent(missing, [...known.keys()], connection);
    return Object.fromEntries(wanted.map((address) => [address, known.get(address) ?? null])) as Outputs;
  });
}

/** `Kind/name`; of a lookup that comes by world, `Attribute:BOM/name`. */
function parseAddress(text: string): Address {
  const { kind, name } = splitAddress(text as Address);
  if (!text.includes('/') || name === '') {
    throw new DexsyncError('USAGE', `"${text}" is no address.`, {
      hint: 'Write it as Kind/name, such as UserGroup/Quality.',
    });
  }
  const [type = '', world] = kind.split(':');
  const { name: proper } = typeNamed(type).type;
  return addressOf(world === undefined ? proper : `${proper}:${world.toUpperCase()}`, name);
}

async function guidsOf(types: ReadonlySet<string>, connection: Connection, host: Host): Promise<Map<Address, Guid>> {
  const lists = await Promise.all([...types].map((type) => guidsOfType(type, connection, host)));
  return new Map(lists.flat());
}

async function guidsOfType(type: string, connection: Connection, host: Host): Promise<[Address, Guid][]> {
  const kind = kindNamed(type);
  if (kind !== undefined) {
    const objects = await liveObjects(kind, undefined, connection, host);
    return objects.map(({ name, guid }) => [addressOf(type, name), guid]);
  }
  const [name, partition] = type.split(':');
  const lookup = catalog.lookups.find((one) => one.name === name);
  if (lookup === undefined) return [];
  const entries = await lookupEntries({ lookup, ...(partition === undefined ? {} : { partition }) }, connection);
  return entries.flatMap(({ names, guid }) => names.map((one): [Address, Guid] => [addressOf(type, one), guid]));
}

const absent = (address: Address, known: readonly Address[], { workspace }: Connection): DexsyncError => {
  const hint = nearestHint(address, known);
  return new DexsyncError(
    'UNKNOWN_NAME',
    `${address} is not in workspace "${workspace.name}".`,
    hint === undefined ? {} : { hint },
  );
};
