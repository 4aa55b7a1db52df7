import { DexsyncError } from '#base/errors.js';
import { diffSpec } from '#core/engine/diff.js';
import { splitAddress } from '#core/model/address.js';
import { traitsOf } from '#core/model/fields.js';
import type { Json, JsonObject } from '#core/model/json.js';
import { type Guid, isGuid, type Kind } from '#core/model/kind.js';
import type { RenameBack, Step } from '#core/model/plan.js';
import { collectionOf, objectPath } from './collection.js';
import { confirmDeletion, confirmUpdate } from './confirm-write.js';
import type { Identities } from './identities.js';
import { guidOfStep, type ObjectWrite, type WriteContext } from './object-write.js';
import { readBeforeUpdate } from './read-before-update.js';
import { ServiceError } from './service-error.js';
import { createOnce, settleRefusal, traceOfCreation } from './settle-refusal.js';
import { unansweredWrite } from './unanswered-write.js';
import { writeChild } from './write-child.js';

/**
 * Makes one write request (and a read just before it if the write asks for one). Names become GUIDs here. A refusal
 * which means that nothing was left to do is not a failure. Returns the spec of a new object, as far as the answer has
 * it. Throws NO_ENDPOINT, OBJECT_GONE, OBJECT_CHANGED, WRITE_UNANSWERED, and any other refusal of the service.
 */
export async function perform(step: Step, write: ObjectWrite, context: WriteContext): Promise<JsonObject | undefined> {
  try {
    return await send(step, write, context);
  } catch (error) {
    await settleRefusal(nameObjects(error, context), step, write, context);
    return undefined;
  }
}

const nameObjects = (error: unknown, { identities }: WriteContext): unknown =>
  error instanceof ServiceError ? error.withNames((guid) => identities.wordsFor(guid)) : error;

async function send(step: Step, write: ObjectWrite, context: WriteContext): Promise<JsonObject | undefined> {
  const place = objectPlaceOf(step, context);
  switch (write.verb) {
    case 'create':
      return createObject(step, write, place, context);
    case 'update':
      await updateObject(step, write, place, context);
      return undefined;
    case 'retire':
      await retireObject(step, write, place, context);
      return undefined;
    case 'delete':
      await deleteObject(step, place.object(place.guidOf(write.name)), context);
      return undefined;
    case 'addChild':
    case 'updateChild':
    case 'removeChild':
      await writeChild(step, write, { kind: place.kind, owner: place.parent() }, context);
      return undefined;
  }
  return write satisfies never;
}

/** Where the object of a step is. GUIDs are looked up on use, since an earlier write of the step may add them. */
interface ObjectPlace {
  readonly kind: Kind;
  readonly name: string;
  /** The object's current name in the workspace. */
  readonly liveName: string;
  /** Path of all objects of its kind. */
  readonly collection: string;
  /** Returns the GUID by the step's identity, else by name. */
  guidOf(liveName: string): Guid;
  object(guid: Guid): string;
  /** Returns the GUID of the owner of children; this very step may have created it. */
  parent(): Guid;
}

function objectPlaceOf(step: Step, context: WriteContext): ObjectPlace {
  const { writer, identities, kindNamed } = context;
  const { kind: kindName, name } = splitAddress(step.address);
  const kind = kindNamed(kindName);
  const { path } = collectionOf(writer, kind.collection);
  const guidOf = (liveName: string): Guid => guidOfStep(step, liveName, context);
  const isNew = step.writes.some(({ verb }) => verb === 'create');
  return {
    kind,
    name,
    liveName: step.liveName ?? name,
    collection: path,
    guidOf,
    object: (guid) => objectPath(writer, kind, guid),
    parent: () => (isNew ? identities.guidOf(kindName, name) : guidOf(name)),
  };
}

type WriteOf<Verb extends ObjectWrite['verb']> = Extract<ObjectWrite, { verb: Verb }>;

async function createObject(
  step: Step,
  write: WriteOf<'create'>,
  { kind, name, collection }: ObjectPlace,
  context: WriteContext,
): Promise<JsonObject | undefined> {
  const { writer, identities } = context;
  const newName = write.name ?? name;
  const json = { name: newName, ...kind.toWire(write.spec, identities) };
  const create = (): Promise<JsonObject> => writer.create(collection, { json });
  const body = await createOnce(`creation of ${step.address}`, create, () => traceOfCreation(step, newName, context));
  const { guid } = body;
  if (typeof guid !== 'string' || !isGuid(guid)) throw noGuid(step);
  if (identities.isKnown(kind.name, guid)) throw await knownGuid(step, newName, guid, context);
  identities.enter(kind.name, [newName], guid);
  return specTold(kind, body, write.spec, context);
}

/** Reads a new object's spec. An answer without even what was sent says nothing about the rest. */
function specTold(kind: Kind, body: JsonObject, sent: JsonObject, { writer, identities }: WriteContext) {
  const { hidden = [] } = collectionOf(writer, kind.collection).can ?? {};
  const told = Object.fromEntries(Object.entries(sent).filter(([field]) => !hidden.includes(field)));
  try {
    const spec = kind.fromWire(body, identities);
    return diffSpec(kind.schema, told, spec).length === 0 ? spec : undefined;
  } catch {
    return undefined;
  }
}

async function updateObject(
  step: Step,
  write: WriteOf<'update'>,
  { liveName, guidOf, object }: ObjectPlace,
  context: WriteContext,
): Promise<void> {
  const guid = guidOf(liveName);
  const kept =
    write.readFirst === 'yes' ? await readBeforeUpdate(step, write, { guid, path: object(guid) }, context) : {};
  const answer = await putObject(step, guid, { ...write, kept }, context);
  await confirmUpdate(step, { ...write, path: object(guid), answer }, context);
}

/**
 * Renames an object away, with the values that it has now: a list may lag behind. The ledger gives it up, so only a
 * read afterwards can show that it was not renamed.
 */
async function retireObject(
  step: Step,
  write: WriteOf<'retire'>,
  { liveName, guidOf, object }: ObjectPlace,
  context: WriteContext,
): Promise<void> {
  const { to, fields } = write;
  const guid = guidOf(liveName);
  const path = object(guid);
  const kept = await readBeforeUpdate(step, write, { guid, path }, context);
  await putObject(step, guid, { name: to, fields: {}, kept }, context);
  await confirmUpdate(step, { path, name: to, fields }, context);
}

async function deleteObject(step: Step, path: string, context: WriteContext): Promise<void> {
  await context.writer.write('DELETE', path);
  await confirmDeletion(step, path, context);
}

/** `kept`: values that the update carries along, in the format of the service. */
type Sent = Pick<WriteOf<'update'>, 'name' | 'fields'> & { readonly kept?: JsonObject };

async function putObject(
  step: Step,
  guid: Guid,
  { name, fields, kept }: Sent,
  context: WriteContext,
): Promise<JsonObject> {
  const { writer, identities } = context;
  const { kind, object } = objectPlaceOf(step, context);
  const called = kind.settingsOf === undefined ? { name } : {};
  const json: JsonObject = { ...called, ...kept, ...fieldsToWire(kind, fields, identities) };
  const { clears } = collectionOf(writer, kind.collection).can ?? {};
  const isClearing = clears !== undefined && Object.values(json).includes(null);
  const query = isClearing ? { setnull: 'true' } : undefined;
  const answer = await writer.write('PUT', object(guid), { json }, query);
  identities.enter(kind.name, [name], guid);
  return answer;
}

/**
 * Gives the old object of a replacement its name back after the new one was refused. If that is unknown, the list
 * decides: `left` if it has a new object with that name, or cannot be read.
 */
export async function renameBack(
  step: Step,
  { identity, name, fields }: RenameBack,
  creation: 'refused' | 'unknown',
  context: WriteContext,
): Promise<'renamed' | 'left'> {
  const { kind, name: newName } = objectPlaceOf(step, context);
  if (creation === 'unknown' && (await traceOfCreation(step, newName, context)) !== undefined) return 'left';
  const guid = context.identities.withIdentity(kind.name, identity);
  if (guid === undefined) throw goneOld(step);
  await putObject(step, guid, { name, fields }, context);
  return 'renamed';
}

/** Reports a creation that was answered with a known GUID: further writes would change another object. */
async function knownGuid(step: Step, called: string, guid: Guid, context: WriteContext): Promise<DexsyncError> {
  const made = await traceOfCreation(step, called, context);
  const whose = context.identities.nameOf(splitAddress(step.address).kind, guid);
  const other = whose === undefined ? 'an object that the ledger knows' : `"${whose}"`;
  return unansweredWrite(
    `The creation of ${step.address} was answered with the GUID of ${other}, which existed before; ${made ?? 'no new object has its name'}.`,
  );
}

const goneOld = ({ address }: Step): DexsyncError =>
  new DexsyncError('OBJECT_GONE', `the object that ${address} replaces is no longer in the workspace`);

const noGuid = ({ address }: Step): DexsyncError =>
  unansweredWrite(
    `The service answered the creation of ${address} without a guid; the object may or may not have been created.`,
  );

/**
 * Converts only the given fields. A `null` is sent as the service's default value, so that it clears the field whether
 * the service resets or keeps what an update leaves out; the interface does not say which.
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
