import { changedBesideReferences, diffSpec } from '../engine/diff.js';
import { DexsyncError } from '../errors.js';
import { splitAddress } from '../model/address.js';
import { traitsOf } from '../model/fields.js';
import type { Json, JsonObject } from '../model/json.js';
import { type Guid, isGuid, type Kind, type NameContext } from '../model/kind.js';
import type { RenameBack, Step } from '../model/plan.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import { confirmUpdate } from './confirm-update.js';
import type { Identities } from './identities.js';
import type { ObjectWrite, WriteContext } from './object-write.js';
import { readSpec } from './read-spec.js';
import { ServiceError } from './service-error.js';
import { createOnce, settleRefusal, traceOfCreation } from './settle-refusal.js';
import { unansweredWrite } from './unanswered-write.js';

/**
 * Makes one write request (and the read just before it where the write asks for one). Names become GUIDs here. A
 * refusal that means that nothing was left to do is no failure. Gives back the spec of a new object, as far as the answer tells
 * it. Throws NO_ENDPOINT, OBJECT_GONE, OBJECT_CHANGED,
 * WRITE_UNANSWERED, and what else the service refuses.
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
  const { writer } = context;
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
      await writer.write('DELETE', place.object(place.guidOf(write.name)));
      return undefined;
    case 'addChild':
      await writer.write('POST', place.children(write.field), { json: { guid: place.childGuid(write) } });
      return undefined;
    case 'removeChild':
      await writer.write('DELETE', `${place.children(write.field)}/${place.childGuid(write)}`);
      return undefined;
  }
  return write satisfies never;
}

/** Where the object of a step is. GUIDs are looked up when they are asked for: an earlier write of the step may enter them. */
interface ObjectPlace {
  readonly kind: Kind;
  readonly name: string;
  /** What the workspace calls the object so far. */
  readonly liveName: string;
  /** Path of all objects of its kind. */
  readonly collection: string;
  /** The GUID by the step's identity, else by a name. */
  guidOf(liveName: string): Guid;
  object(guid: Guid): string;
  /** Path of its children, which may be those of an object that this very step made. */
  children(field: string): string;
  childGuid(child: { readonly field: string; readonly name: string }): Guid;
}

function objectPlaceOf(step: Step, { writer, identities, kindNamed }: WriteContext): ObjectPlace {
  const { kind: kindName, name } = splitAddress(step.address);
  const kind = kindNamed(kindName);
  const { path } = collectionOf(writer, kind.collection);
  const guidOf = (liveName: string): Guid =>
    (step.identity === undefined ? undefined : identities.withIdentity(kindName, step.identity)) ??
    identities.guidOf(kindName, liveName);
  const isNew = step.writes.some(({ verb }) => verb === 'create');
  const parent = (): Guid => (isNew ? identities.guidOf(kindName, name) : guidOf(name));
  return {
    kind,
    name,
    liveName: step.liveName ?? name,
    collection: path,
    guidOf,
    object: (guid) => `${path}/${guid}`,
    children: (field) => `${path}/${parent()}/${kind.children[field]?.path}`,
    childGuid: (child) => identities.guidOf(kind.children[child.field]?.ref ?? '', child.name),
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
  const body = await createOnce(step, newName, () => writer.create(collection, { json }), context);
  const { guid } = body;
  if (typeof guid !== 'string' || !isGuid(guid)) throw noGuid(step);
  if (identities.isKnown(kind.name, guid)) throw await knownGuid(step, newName, guid, context);
  identities.enter(kind.name, [newName], guid);
  return specTold(kind, body, write.spec, context);
}

/** An answer that does not even have what was sent says nothing of the rest. */
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
  { kind, liveName, guidOf, object }: ObjectPlace,
  context: WriteContext,
): Promise<void> {
  const { writer, identities } = context;
  const guid = guidOf(liveName);
  const body = write.readFirst === 'yes' ? await writer.get(object(guid)) : undefined;
  if (body !== undefined) {
    const now = specIn(body, step, kind, identities);
    refuseHollow(step, kind, body.guid === guid ? body : { ...body, guid: null }, now);
    if (step.writes[0] === write) refuseChanged(step, kind, now);
  }
  const kept = body === undefined ? {} : unnamedValues(body, write.fields, step, kind, writer);
  const fields = fieldsToWire(kind, write.fields, identities);
  const answer = await writer.write('PUT', object(guid), { json: { name: write.name, ...kept, ...fields } });
  identities.enter(kind.name, [write.name], guid);
  await confirmUpdate(step, { path: object(guid), answer, name: write.name, fields: write.fields }, context);
}

async function retireObject(
  step: Step,
  write: WriteOf<'retire'>,
  { kind, liveName, guidOf, object }: ObjectPlace,
  context: WriteContext,
): Promise<void> {
  const { writer, identities } = context;
  const guid = guidOf(liveName);
  const fields = fieldsToWire(kind, write.fields, identities);
  const answer = await writer.write('PUT', object(guid), { json: { name: write.to, ...fields } });
  identities.enter(kind.name, [write.to], guid);
  await confirmUpdate(step, { path: object(guid), answer, name: write.to, fields: write.fields }, context);
}

/**
 * Gives the old object of a replacement its name back, since the new one was refused. Where that is unknown, the list tells:
 * `left` where it has a new object of the name, or cannot be read.
 */
export async function renameBack(
  step: Step,
  { identity, name, fields }: RenameBack,
  creation: 'refused' | 'unknown',
  context: WriteContext,
): Promise<'renamed' | 'left'> {
  const { writer, identities } = context;
  const { kind, name: newName, object } = objectPlaceOf(step, context);
  if (creation === 'unknown' && (await traceOfCreation(step, newName, context)) !== undefined) return 'left';
  const guid = identities.withIdentity(kind.name, identity);
  if (guid === undefined) throw goneOld(step);
  await writer.write('PUT', object(guid), { json: { name, ...fieldsToWire(kind, fields, identities) } });
  identities.enter(kind.name, [name], guid);
  return 'renamed';
}

/** Whatever would be done next would be done to another object. */
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

/** The spec of an answer; one that cannot be read is sent back to nobody. */
function specIn(body: JsonObject, { address }: Step, kind: Kind, names: NameContext): JsonObject {
  const { spec, fault } = readSpec(kind, body, names);
  if (fault !== undefined)
    throw new DexsyncError(
      'ANSWER_UNEXPECTED',
      `${address} was answered with an entry that ${fault}; nothing was sent.`,
    );
  return spec;
}

/** What an answer leaves out would be sent as nothing, and clear it: it must hold all that the list did. */
function refuseHollow({ address, observed = {} }: Step, { children }: Kind, body: JsonObject, now: JsonObject): void {
  const isLost = (field: string): boolean =>
    !(field in children) && (observed[field] ?? null) !== null && now[field] === undefined;
  const lost = ['guid', 'name'].find((field) => typeof body[field] !== 'string') ?? Object.keys(observed).find(isLost);
  if (lost === undefined) return;
  throw new DexsyncError(
    'ANSWER_UNEXPECTED',
    `The read of ${address} before its update was answered without its ${lost}; nothing was sent.`,
    { hint: 'An update would have cleared what the answer leaves out. Plan again; look at the answer with `--trace`.' },
  );
}

/** An edit that somebody made since the plan was made is told, not overwritten. */
function refuseChanged({ address, observed = {} }: Step, { schema }: Kind, now: JsonObject): void {
  const fields = changedBesideReferences(schema, observed, now);
  if (fields.length === 0) return;
  throw new DexsyncError(
    'OBJECT_CHANGED',
    `${address} was changed after this plan was created (${fields.join(', ')}).`,
    {
      hint: 'Nothing was overwritten. Plan again and review the difference.',
    },
  );
}

/** Carries what the service says of references through a spec and back, as it is. */
const AS_IT_IS = {
  nameOf: (_: string, guid: Guid): string => guid,
  guidOf: (_: string, name: string): Guid => name,
  attributeFromWire: (text: string): string => text,
  attributeToWire: (name: string): string => name,
};

/** Of the fields that an update carries, those that no manifest names, as they are right now. */
function unnamedValues(body: JsonObject, named: JsonObject, step: Step, kind: Kind, writer: Writer): JsonObject {
  const now = kind.toWire(specIn(body, step, kind, AS_IT_IS), AS_IT_IS);
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
