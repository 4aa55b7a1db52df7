import { DexsyncError } from '#base/errors.js';
import { changedBesideReferences } from '#core/engine/diff.js';
import { splitAddress } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Guid, Kind, NameContext } from '#core/model/kind.js';
import type { Step } from '#core/model/plan.js';
import type { Writer } from './client.js';
import { collectionOf } from './collection.js';
import type { ObjectWrite, WriteContext } from './object-write.js';
import { readSpec } from './read-spec.js';

/**
 * Reads an object just before its update, and returns the values of unnamed fields that the update has to carry, in the
 * format of the service. Throws ANSWER_UNEXPECTED for an answer with less than the list had, and OBJECT_CHANGED.
 */
export async function readBeforeUpdate(
  step: Step,
  write: Extract<ObjectWrite, { verb: 'update' | 'retire' }>,
  { guid, path }: { readonly guid: Guid; readonly path: string },
  { writer, identities, kindNamed }: WriteContext,
): Promise<JsonObject> {
  const kind = kindNamed(splitAddress(step.address).kind);
  const body = await writer.get(path);
  const now = specIn(body, step, kind, identities);
  refuseHollow(step, kind, body.guid === guid ? body : { ...body, guid: null }, now);
  if (step.writes[0] === write) refuseChanged(step, kind, now);
  // What is renamed away keeps all that it has.
  return unnamedValues(body, write.verb === 'retire' ? {} : write.fields, step, kind, writer);
}

/** Reads the spec of an answer; one that cannot be read is never sent back. */
function specIn(body: JsonObject, { address }: Step, kind: Kind, names: NameContext): JsonObject {
  const { spec, fault } = readSpec(kind, body, names);
  if (fault !== undefined)
    throw new DexsyncError(
      'ANSWER_UNEXPECTED',
      `${address} was answered with an entry that ${fault}; nothing was sent.`,
    );
  return spec;
}

/** Rejects an answer that lacks what the list had: the update would send that as nothing, and clear it. */
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

/** Rejects the update if someone edited the object after planning, so that nothing is overwritten. */
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

/** Passes the service's references through a spec and back unchanged. */
const AS_IT_IS = {
  nameOf: (_: string, guid: Guid): string => guid,
  guidOf: (_: string, name: string): Guid => name,
  attributeFromWire: (text: string): string => text,
  attributeToWire: (name: string): string => name,
};

/** Returns the current values of fields that an update carries and no manifest names. */
function unnamedValues(body: JsonObject, named: JsonObject, step: Step, kind: Kind, writer: Writer): JsonObject {
  const now = kind.toWire(specIn(body, step, kind, AS_IT_IS), AS_IT_IS);
  const fields = collectionOf(writer, kind.collection).can?.update ?? [];
  const unnamed = fields.filter((field) => field !== 'name' && !(field in named) && now[field] !== undefined);
  return Object.fromEntries(unnamed.map((field) => [field, now[field] ?? null]));
}
