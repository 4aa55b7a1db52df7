import { entryNames, traitsOf } from '#core/model/fields.js';
import { type JsonObject, objectsIn, withoutNulls } from '#core/model/json.js';
import type { Guid, Kind, OwnEntries } from '#core/model/kind.js';
import type { Step } from '#core/model/plan.js';
import type { ObjectWrite, WriteContext } from './object-write.js';
import { childrenPath, readChildren } from './read-children.js';
import { createOnce } from './settle-refusal.js';

type ChildWrite = Extract<ObjectWrite, { verb: 'addChild' | 'updateChild' | 'removeChild' }>;

/** The object that has the list. */
interface Owner {
  readonly kind: Kind;
  readonly owner: Guid;
}

/** Writes one entry of a list of an object. */
export async function writeChild(step: Step, write: ChildWrite, owner: Owner, context: WriteContext): Promise<void> {
  const { writer, identities } = context;
  const { field, name } = write;
  const path = childrenPath(writer, owner.kind, field, owner.owner);
  const children = owner.kind.children[field];
  if (children?.ref !== undefined) {
    const guid = identities.guidOf(children.ref, name);
    if (write.verb === 'removeChild') await writer.write('DELETE', `${path}/${guid}`);
    else await writer.write('POST', path, { json: { guid } });
    return;
  }
  const entryPath = (): string => `${path}/${identities.guidOf(field, name, path)}`;
  if (write.verb === 'removeChild') return void (await writer.write('DELETE', entryPath()));
  const { clears, toWire } = children as OwnEntries;
  const json = toWire(write.entry ?? {}, identities);
  if (write.verb === 'addChild') return addEntry(step, write, { path, json, ...owner }, context);
  const isClearing = clears !== undefined && Object.values(json).includes(null);
  await writer.write('PUT', entryPath(), { json }, isClearing ? { setnull: 'true' } : undefined);
}

/** Adds an entry. After a refused session, the list says whether it was added: a second one would be a double. */
async function addEntry(
  { address }: Step,
  { field, name }: ChildWrite,
  { path, json, kind, owner }: Owner & { readonly path: string; readonly json: JsonObject },
  { writer, identities }: WriteContext,
): Promise<void> {
  const body = { json: withoutNulls(json) as JsonObject };
  const trace = async (): Promise<string | undefined> => {
    const [, entries] = await readChildren(kind, field, owner, {
      reader: writer,
      lookupNamed: () => undefined,
      identities,
    });
    const { keyed = [] } = traitsOf(kind.schema.properties[field]);
    return entryNames(objectsIn(entries), keyed).includes(name) ? 'the list has it anyway' : undefined;
  };
  await createOnce(`addition of ${field}[${name}] to ${address}`, () => writer.create(path, body), trace);
}
