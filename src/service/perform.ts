import { changedBesideReferences } from '../engine/diff.js';
import { DexsyncError } from '../errors.js';
import { splitAddress } from '../model/address.js';
import { traitsOf } from '../model/fields.js';
import type { Json, JsonObject } from '../model/json.js';
import { type Guid, isGuid, type Kind } from '../model/kind.js';
import type { Step } from '../model/plan.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import type { Identities } from './identities.js';
import type { ObjectWrite, WriteContext } from './object-write.js';
import { ServiceError } from './service-error.js';
import { createOnce, settleRefusal } from './settle-refusal.js';
import { unansweredWrite } from './unanswered-write.js';

/**
 * Makes one write request (and the read just before it where the write asks for one). Names become GUIDs here. A refusal
 * that means that nothing was left to do is no failure; one that means "no such endpoint" is `NO_ENDPOINT`.
 */
export async function perform(step: Step, write: ObjectWrite, performing: WriteContext): Promise<void> {
  try {
    await send(step, write, performing);
  } catch (error) {
    await settleRefusal(nameObjects(error, performing), step, write, performing);
  }
}

const nameObjects = (error: unknown, { identities }: WriteContext): unknown =>
  error instanceof ServiceError ? error.withNames((guid) => identities.wordsFor(guid)) : error;

async function send(step: Step, write: ObjectWrite, performing: WriteContext): Promise<void> {
  const { writer, identities, kindNamed } = performing;
  const { kind: kindName, name } = splitAddress(step.address);
  const kind = kindNamed(kindName);
  const { path } = collectionOf(writer, kind.collection);
  const liveName = step.liveName ?? name;
  const live = (called: string): Guid =>
    (step.identity === undefined ? undefined : identities.withIdentity(kindName, step.identity)) ??
    identities.guidOf(kindName, called);
  const own = (): string => `${path}/${live(liveName)}`;
  const isNew = step.writes.some(({ verb }) => verb === 'create');
  const parent = (): Guid => (isNew ? identities.guidOf(kindName, name) : live(name));
  const childPath = (field: string): string => `${path}/${parent()}/${kind.children[field]?.path}`;
  const childGuid = (field: string, child: string): Guid => identities.guidOf(kind.children[field]?.ref ?? '', child);
  switch (write.verb) {
    case 'create': {
      const called = write.name ?? name;
      const json = { name: called, ...kind.toWire(write.spec, identities) };
      const { guid } = await createOnce(step, called, () => writer.create(path, { json }), performing);
      if (typeof guid !== 'string' || !isGuid(guid)) throw noGuid(step);
      identities.enter(kindName, [called], guid);
      return;
    }
    case 'update': {
      const guid = live(liveName);
      const body = write.readFirst === 'yes' ? await writer.get(own()) : undefined;
      if (body !== undefined && step.writes[0] === write) refuseChanged(step, kind, kind.fromWire(body, identities));
      const kept = body === undefined ? {} : unnamedValues(body, write.fields, kind, writer);
      await writer.write('PUT', own(), {
        json: { name: write.name, ...kept, ...fieldsToWire(kind, write.fields, identities) },
      });
      identities.enter(kindName, [write.name], guid);
      return;
    }
    case 'retire': {
      const guid = live(liveName);
      await writer.write('PUT', own(), { json: { name: write.to, ...fieldsToWire(kind, write.fields, identities) } });
      identities.enter(kindName, [write.to], guid);
      return;
    }
    case 'delete':
      await writer.write('DELETE', `${path}/${live(write.name)}`);
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
  unansweredWrite(`The service answered the creation of ${address} without a guid; it may or may not have been done.`);

/** An edit that somebody made since the plan was made is told, not overwritten. */
function refuseChanged({ address, observed = {} }: Step, { schema }: Kind, now: JsonObject): void {
  const fields = changedBesideReferences(schema, observed, now);
  if (fields.length === 0) return;
  throw new DexsyncError('OBJECT_CHANGED', `${address} was changed after this plan was made (${fields.join(', ')}).`, {
    hint: 'Nothing of it was overwritten. Plan again and look at the difference.',
  });
}

/** Carries what the service says of references through a spec and back, as it is. */
const AS_IT_IS = {
  nameOf: (_: string, guid: Guid): string => guid,
  guidOf: (_: string, name: string): Guid => name,
  attributeFromWire: (text: string): string => text,
  attributeToWire: (name: string): string => name,
};

/** Of the fields that an update carries, those that no manifest names, as they are right now. */
function unnamedValues(body: JsonObject, named: JsonObject, kind: Kind, writer: Writer): JsonObject {
  const now = kind.toWire(kind.fromWire(body, AS_IT_IS), AS_IT_IS);
  const fields = collectionOf(writer, kind.collection).can?.update ?? [];
  const unnamed = fields.filter((field) => field !== 'name' && !(field in named) && now[field] !== undefined);
  return Object.fromEntries(unnamed.map((field) => [field, now[field] ?? null]));
}

/**
 * Only the given fields. A `null` is sent as what the service would fill in, so that it clears the field whether the
 * service resets what an update leaves out or keeps it; the interface does not say which.
 */
function fieldsToWire(kind: Kind, fields: JsonObject, identities: Identities): JsonObject {
  const given = Object.entries(fields).filter(([, value]) => value !== null);
  const body = kind.toWire(Object.fromEntries(given), identities);
  const values = Object.keys(fields).map((field) => [field, body[field] ?? emptyOf(kind.schema.properties[field])]);
  return Object.fromEntries(values);
}

function emptyOf(schema: object | undefined): Json {
  const { serverDefault, set, keyed } = traitsOf(schema);
  return serverDefault ?? (set === undefined && keyed === undefined ? null : []);
}
