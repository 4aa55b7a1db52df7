import { DexsyncError } from '../errors.js';
import type { AuditRecord } from '../model/audit-record.js';
import type { SchemaNode } from '../model/fields.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Kind } from '../model/kind.js';
import { withConnection } from './connection.js';
import type { Host, ProjectOptions } from './host.js';
import { type LiveObject, type LookupEntry, liveObjects, lookupEntries } from './live-objects.js';
import { notInWorkspace } from './not-in-workspace.js';
import { openConfig } from './project.js';
import { typeNamed } from './types-named.js';

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

/** What is in the workspace, in the words of manifests. */
export interface Listing {
  readonly type: string;
  readonly role: 'kind' | 'lookup';
  /** The fields that a table shows, in order. */
  readonly columns: readonly string[];
  readonly objects: readonly ListedObject[];
}

export interface ListedObject extends AuditRecord {
  readonly name: string;
  readonly guid: string;
  readonly number?: number;
  readonly spec: JsonObject;
  readonly outputs?: JsonObject;
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
      return { type: listed.type.name, role: 'kind', columns: columnsOf(listed.type), objects: objects.map(shown) };
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
    return { type: listed.type.name, role: 'lookup', columns: listed.type.columns, objects: chosen.map(entry) };
  });
}

const notOfKinds = (option: string, { name }: Kind): DexsyncError =>
  new DexsyncError('USAGE', `${option} is for lookups such as attributes; ${name} is a kind.`, {
    hint: `Leave ${option} out: it lists every ${name} of the workspace.`,
  });

export function shown({ name, guid, number, spec, outputs, record }: LiveObject): ListedObject {
  return {
    name,
    guid,
    ...(number === undefined ? {} : { number }),
    spec,
    ...(Object.keys(outputs).length === 0 ? {} : { outputs }),
    ...record,
  };
}

const entry = ({ names, guid, body }: LookupEntry): ListedObject => ({
  name: names[0] ?? guid,
  guid,
  spec: Object.fromEntries(Object.entries(body).filter(([field]) => field !== 'guid')) as Record<string, Json>,
});

/** What fits on a line: everything of the spec that is no list of objects and no object, and what the service tells besides. */
function columnsOf({ schema, outputs = [], children }: Kind): string[] {
  const flat = Object.entries(schema.properties as Readonly<Record<string, SchemaNode>>).filter(
    ([field, node]) => !(field in children) && node.properties === undefined && node.items?.properties === undefined,
  );
  return [...flat.map(([field]) => field), ...outputs];
}
