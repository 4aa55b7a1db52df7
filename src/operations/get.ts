import type { Catalog } from '../catalog.js';
import { type Connection, withConnection } from '../connection/connection.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import { columnsOf, type Listing, toListedEntry, toListedObject } from '../live/listing.js';
import { type ListingYaml, listingYaml } from '../live/listing-yaml.js';
import { liveObjects, lookupEntries } from '../live/live-objects.js';
import { notInWorkspace } from '../live/not-in-workspace.js';
import type { Kind, Lookup } from '../model/kind.js';
import { openConfig } from '../project/project.js';
import { typeNamed } from '../project/types-named.js';

/** What is listed. */
export interface GetOptions extends ProjectOptions {
  /** A kind or lookup, as people type it. */
  readonly type: string;
  readonly name?: string;
  /** Of a lookup whose entries come by world, such as attributes. */
  readonly world?: string;
  readonly category?: string;
  /** `yes`: what belongs to the objects of a kind is read for each of them; one request more for each list of it. */
  readonly whole?: 'yes';
}

/** Lists the live objects of a kind or the entries of a lookup. Sends no write and reads no manifest. */
export const get = (options: GetOptions, host: Host): Promise<Listing> =>
  listed(options, host, ({ listing }) => listing);

/** The same as manifests, with what belongs to each object. */
export const getManifests = (options: Omit<GetOptions, 'whole'>, host: Host): Promise<ListingYaml> =>
  listed({ ...options, whole: 'yes' }, host, ({ listing, catalog }) => listingYaml(listing, catalog));

interface Found {
  readonly listing: Listing;
  readonly catalog: Catalog;
}

async function listed<T>(options: GetOptions, host: Host, use: (found: Found) => T): Promise<T> {
  const { type, world, category, whole: _, name: __, ...project } = options;
  const config = await openConfig(project, host);
  const named = typeNamed(type, config.catalog);
  const narrowing = Object.entries({ '--world': world, '--category': category }).find(
    ([, value]) => value !== undefined,
  );
  if (named.role === 'kind' && narrowing !== undefined) throw notOfKinds(narrowing[0], named.type);
  const listing = await withConnection(config, { ...project, access: 'read' }, host, (connection) =>
    named.role === 'kind'
      ? listKind(named.type, options, connection, host)
      : listLookup(named.type, options, connection),
  );
  return use({ listing, catalog: config.catalog });
}

async function listKind(kind: Kind, { name, whole }: GetOptions, connection: Connection, host: Host): Promise<Listing> {
  const objects = await liveObjects(kind, name, connection, host, whole);
  return { type: kind.name, role: 'kind', columns: columnsOf(kind), objects: objects.map(toListedObject) };
}

async function listLookup(
  lookup: Lookup,
  { name, world, category }: GetOptions,
  connection: Connection,
): Promise<Listing> {
  const choice = {
    lookup,
    ...(world === undefined ? {} : { partition: world.toUpperCase() }),
    ...(category === undefined ? {} : { category }),
  };
  const entries = await lookupEntries(choice, connection);
  const chosen = name === undefined ? entries : entries.filter(({ names }) => names.includes(name));
  if (name !== undefined && chosen.length === 0) {
    const known = entries.flatMap(({ names }) => names);
    throw notInWorkspace(`${lookup.name}/${name}`, { name, known }, connection.workspace);
  }
  return { type: lookup.name, role: 'lookup', columns: lookup.columns, objects: chosen.map(toListedEntry) };
}

const notOfKinds = (option: string, { name }: Kind): DexsyncError =>
  new DexsyncError('USAGE', `\`${option}\` works with lookups such as attributes; ${name} is a kind.`, {
    hint: `Leave out \`${option}\` to list every ${name} of the workspace.`,
  });
