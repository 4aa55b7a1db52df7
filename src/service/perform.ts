import type { DexsyncError } from '../errors.js';
import { splitAddress } from '../model/address.js';
import { traitsOf } from '../model/fields.js';
import type { Json, JsonObject } from '../model/json.js';
import type { Guid, Kind } from '../model/kind.js';
import type { Step, Write } from '../model/plan.js';
import type { Writer } from './client.js';
import type { Identities } from './identities.js';
import { collectionOf } from './observe.js';
import { unanswered } from './unanswered.js';

/** A write of an object; imports are performed by the bulk pipeline. */
export type ObjectWrite = Exclude<Write, { verb: 'import' }>;

export interface Performing {
  readonly writer: Writer;
  readonly identities: Identities;
  readonly kindNamed: (name: string) => Kind;
}

/** Makes one write request (and the read just before it where the write asks for one). Names become GUIDs here. */
export async function perform(
  step: Step,
  write: ObjectWrite,
  { writer, identities, kindNamed }: Performing,
): Promise<void> {
  const { kind: kindName, name } = splitAddress(step.address);
  const kind = kindNamed(kindName);
  const { path } = collectionOf(writer, kind.collection);
  const liveName = step.liveName ?? name;
  const own = (): string => `${path}/${identities.guidOf(kindName, liveName)}`;
  const childPath = (field: string): string =>
    `${path}/${identities.guidOf(kindName, name)}/${kind.children[field]?.path}`;
  const childGuid = (field: string, child: string): Guid => identities.guidOf(kind.children[field]?.ref ?? '', child);
  switch (write.verb) {
    case 'create': {
      const json = { name, ...kind.toWire(write.spec, identities) };
      const { guid } = await writer.write('POST', path, { json });
      if (typeof guid !== 'string') throw noGuid(step);
      identities.enter(kindName, [name], guid);
      return;
    }
    case 'update': {
      const guid = identities.guidOf(kindName, liveName);
      const kept = write.readFirst === 'yes' ? await unnamedValues(own(), write.fields, kind, writer) : {};
      await writer.write('PUT', own(), {
        json: { name: write.name, ...kept, ...toWire(kind, write.fields, identities) },
      });
      identities.enter(kindName, [write.name], guid);
      return;
    }
    case 'retire':
      await writer.write('PUT', own(), { json: { name: write.to, ...toWire(kind, write.fields, identities) } });
      return;
    case 'addChild':
      await writer.write('POST', childPath(write.field), { json: { guid: childGuid(write.field, write.name) } });
      return;
    case 'removeChild':
      await writer.write('DELETE', `${childPath(write.field)}/${childGuid(write.field, write.name)}`);
      return;
  }
  write satisfies never;
}

const noGuid = ({ address }: Step): DexsyncError =>
  unanswered(`The service answered the creation of ${address} without a guid; it may or may not have been done.`);

/** Of the fields that an update carries, those that no manifest names, as they are right now. */
async function unnamedValues(path: string, named: JsonObject, kind: Kind, writer: Writer): Promise<JsonObject> {
  const body = await writer.get(path);
  const fields = collectionOf(writer, kind.collection).can?.update ?? [];
  const unnamed = fields.filter((field) => field !== 'name' && !(field in named) && body[field] !== undefined);
  return Object.fromEntries(unnamed.map((field) => [field, body[field] ?? null]));
}

/**
 * Only the given fields. A `null` is sent as what the service would fill in, so that it clears the field whether the
 * service resets what an update leaves out or keeps it; the interface does not say which.
 */
function toWire(kind: Kind, fields: JsonObject, identities: Identities): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const body = kind.toWire(Object.fromEntries(given), identities);
  const values = Object.keys(fields).map((field) => [field, body[field] ?? emptyOf(kind.schema.properties[field])]);
  return Object.fromEntries(values);
}

function emptyOf(schema: object | undefined): Json {
  const { serverDefault, set, keyed } = traitsOf(schema);
  return serverDefault ?? (set === undefined && keyed === undefined ? null : []);
}
