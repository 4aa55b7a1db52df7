import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { addressOf } from '#core/model/address.js';
import type { Kind, Lookup } from '#core/model/kind.js';
import { type Connection, withConnection } from '#project/connection/connection.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { type Listing, listColumns, toListedEntry, toListedObject } from '#project/live/listing.js';
import { entriesYaml, type ListingYaml, manifestsYaml } from '#project/live/listing-yaml.js';
import { liveManifests } from '#project/live/live-manifests.js';
import {
  allLiveObjects,
  isListed,
  type LiveObject,
  liveObjects,
  lookupEntries,
  notListed,
} from '#project/live/live-objects.js';
import { notInWorkspace } from '#project/live/not-in-workspace.js';
import { parseType } from '#project/parse-type.js';
import { openConfig } from '#project/project.js';

/** The objects or entries to list. */
export interface GetOptions extends ProjectOptions {
  /** A kind or lookup, as people type it. */
  readonly type: string;
  readonly name?: string;
  /** For a lookup with entries for each world, such as attributes. */
  readonly world?: string;
  readonly category?: string;
}

/** Lists the live objects of a kind or the entries of a lookup. Sends no write and reads no manifest. */
export const get = (options: GetOptions, host: Host): Promise<Listing> =>
  listed(options, host, {
    kind: (kind, connection) => listKind(kind, options, connection, host),
    lookup: (lookup, connection) => listLookup(lookup, options, connection),
  });

/** The type that means every kind. */
const ALL = 'all';

/** Lists the live objects of every kind that the service lists. Throws USAGE for a name, world or category. */
export const getAll = (options: Omit<GetOptions, 'type'>, host: Host): Promise<readonly Listing[]> =>
  withAllKinds(options, host, async (kinds, connection) =>
    (await allLiveObjects(kinds, connection, host)).map(({ kind, objects }) => listingOf(kind, objects)),
  );

/**
 * Lists live objects as manifests with their parts, at one more request for each list of parts. Of several objects of
 * one name, all but the one that the ledger knows are comments. The type `all` means every listed kind.
 */
export const getManifests = (options: GetOptions, host: Host): Promise<ListingYaml> =>
  options.type === ALL
    ? withAllKinds(options, host, (kinds, connection) => manifestsOf(kinds, {}, connection, host))
    : listed(options, host, {
        kind: (kind, connection) => manifestsOf([kind], options, connection, host),
        lookup: async (lookup, connection) => entriesYaml((await listLookup(lookup, options, connection)).objects),
      });

async function withAllKinds<T>(
  { name, world, category, ...project }: Omit<GetOptions, 'type'>,
  host: Host,
  use: (kinds: readonly Kind[], connection: Connection) => Promise<T>,
): Promise<T> {
  if ([name, world, category].some((one) => one !== undefined)) {
    throw new DexsyncError('USAGE', '`get all` lists the objects of all kinds; it takes no name, world or category.', {
      hint: 'Give a kind in place of `all`; `dexsync kinds` lists them.',
    });
  }
  const config = await openConfig(project, host);
  return withConnection(config, { ...project, access: 'read' }, host, (connection) =>
    use(
      config.catalog.kinds.filter((kind) => isListed(kind, connection)),
      connection,
    ),
  );
}

interface TypeHandlers<T> {
  readonly kind: (kind: Kind, connection: Connection) => Promise<T>;
  readonly lookup: (lookup: Lookup, connection: Connection) => Promise<T>;
}

async function listed<T>(options: GetOptions, host: Host, use: TypeHandlers<T>): Promise<T> {
  const { type, world, category, name: _, ...project } = options;
  const config = await openConfig(project, host);
  const named = parseType(type, config.catalog);
  const narrowing = Object.entries({ '--world': world, '--category': category }).find(
    ([, value]) => value !== undefined,
  );
  if (named.role === 'kind' && narrowing !== undefined) throw notOfKinds(narrowing[0], named.type);
  return withConnection(config, { ...project, access: 'read' }, host, (connection) =>
    named.role === 'kind' ? use.kind(named.type, connection) : use.lookup(named.type, connection),
  );
}

async function manifestsOf(
  kinds: readonly Kind[],
  { name }: Pick<GetOptions, 'name'>,
  connection: Connection,
  host: Host,
): Promise<ListingYaml> {
  const isWanted = (_: string, one: string): boolean => name === undefined || one === name;
  const { manifests, findings, unlisted, known } = await liveManifests(
    { kinds, isWanted, alone: 'all', settingsOf: () => (name === undefined ? [] : [name]) },
    connection,
    host,
  );
  const [kind] = kinds;
  if (kind !== undefined && unlisted.includes(kind.name)) throw notListed(kind, connection.client.profile.name);
  if (kind !== undefined && name !== undefined && manifests.length === 0) {
    throw notInWorkspace(addressOf(kind.name, name), { name, known: known(kind.name) }, connection.environment);
  }
  return { ...manifestsYaml(manifests, connection.catalog), findings };
}

async function listKind(
  kind: Kind,
  { name }: Pick<GetOptions, 'name'>,
  connection: Connection,
  host: Host,
): Promise<Listing> {
  const objects = await liveObjects(kind, name, connection, host);
  return listingOf(kind, objects);
}

const listingOf = (kind: Kind, objects: readonly LiveObject[]): Listing => ({
  type: kind.name,
  role: 'kind',
  columns: listColumns(kind),
  objects: objects.map(toListedObject),
});

async function listLookup(
  lookup: Lookup,
  { name, world, category }: GetOptions,
  connection: Connection,
): Promise<Listing> {
  const choice = {
    lookup,
    ...(world === undefined ? {} : { partition: world.toUpperCase() }),
    ...omitUndefined({ category }),
  };
  const entries = await lookupEntries(choice, connection);
  const chosen = name === undefined ? entries : entries.filter(({ names }) => names.includes(name));
  if (name !== undefined && chosen.length === 0) {
    const known = entries.flatMap(({ names }) => names);
    throw notInWorkspace(`${lookup.name}/${name}`, { name, known }, connection.environment);
  }
  return { type: lookup.name, role: 'lookup', columns: lookup.columns, objects: chosen.map(toListedEntry) };
}

const notOfKinds = (option: string, { name }: Kind): DexsyncError =>
  new DexsyncError('USAGE', `\`${option}\` works with lookups such as attributes; ${name} is a kind.`, {
    hint: `Leave out \`${option}\` to list every ${name} of the workspace.`,
  });
