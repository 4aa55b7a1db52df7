import { withConnection } from '../connection/connection.js';
import { DexsyncError } from '../errors.js';
import type { Host, ProjectOptions } from '../host.js';
import { columnsOf, type Listing, toListedEntry, toListedObject } from '../live/listing.js';
import { liveObjects, lookupEntries } from '../live/live-objects.js';
import { notInWorkspace } from '../live/not-in-workspace.js';
import type { Kind } from '../model/kind.js';
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
export async function get(
  { type, name, world, category, whole, ...project }: GetOptions,
  host: Host,
): Promise<Listing> {
  const listed = typeNamed(type);
  const narrowing = Object.entries({ '--world': world, '--category': category }).find(
    ([, value]) => value !== undefined,
  );
  if (listed.role === 'kind' && narrowing !== undefined) throw notOfKinds(narrowing[0], listed.type);
  const config = await openConfig(project, host);
  return withConnection(config, { ...project, access: 'read' }, host, async (connection) => {
    if (listed.role === 'kind') {
      const objects = await liveObjects(listed.type, name, connection, host, whole);
      return {
        type: listed.type.name,
        role: 'kind',
        columns: columnsOf(listed.type),
        objects: objects.map(toListedObject),
      };
    }
    const choice = {
      lookup: listed.type,
      ...(world === undefined ? {} : { partition: world.toUpperCase() }),
      ...(category === undefined ? {} : { category }),
    };
    const entries = await lookupEntries(choice, connection);
    const chosen = name === undefined ? entries : entries.filter(({ names }) => names.includes(name));
    if (name !== undefined && chosen.length === 0) {
      const known = entries.flatMap(({ names }) => names);
      throw notInWorkspace(`${listed.type.name}/${name}`, { name, known }, connection.workspace);
    }
    return { type: listed.type.name, role: 'lookup', columns: listed.type.columns, objects: chosen.map(toListedEntry) };
  });
}

const notOfKinds = (option: string, { name }: Kind): DexsyncError =>
  new DexsyncError('USAGE', `\`${option}\` works with lookups such as attributes; ${name} is a kind.`, {
    hint: `Leave out \`${option}\` to list every ${name} of the workspace.`,
  });
