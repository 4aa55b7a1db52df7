import { DexsyncError } from '#base/errors.js';
import { splitAddress } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Step } from '#core/model/plan.js';
import { objectPath } from './collection.js';
import { guidOfStep, type ObjectWrite, type WriteContext } from './object-write.js';
import { listCollection, nameFault, type OddEntry } from './odd-entries.js';
import { saysAbsent, saysAbsentOrForbidden, saysNoEndpoint, saysSessionRefused } from './refusal-meaning.js';
import { ServiceError } from './service-error.js';
import { unansweredWrite } from './unanswered-write.js';

/**
 * Interprets a refused write (design, section 6). Returns if nothing was left to do. Throws NO_ENDPOINT, OBJECT_GONE,
 * WRITE_UNANSWERED if a refused creation may have been done, and otherwise the refusal itself.
 */
export async function settleRefusal(
  error: unknown,
  step: Step,
  write: ObjectWrite,
  context: WriteContext,
): Promise<void> {
  if (saysNoEndpoint(error)) throw noEndpoint(error, step);
  // The references of a new object may be refused for many reasons; the service's own words say which.
  if (write.verb === 'create') throw await creationRefusal(error, step, write.name, context);
  const isRemoval = write.verb === 'removeChild' || write.verb === 'delete';
  const { settingsOf } = context.kindNamed(splitAddress(step.address).kind);
  const isGone = isRemoval || settingsOf !== undefined ? isProvedGone : isNotListed;
  const absent = saysAbsent(error) || (saysAbsentOrForbidden(error) && (await isGone(step, context)));
  if (!absent) throw error;
  if (!isRemoval) throw goneObject(error as ServiceError, step);
}

/**
 * Creates something whose session may be refused: it is sent again only if nothing shows that it was created anyway.
 * `trace` says what does.
 */
export async function createOnce(
  what: string,
  create: () => Promise<JsonObject>,
  trace: () => Promise<string | undefined>,
): Promise<JsonObject> {
  try {
    return await create();
  } catch (error) {
    if (!saysSessionRefused(error)) throw error;
    const made = await trace();
    if (made !== undefined) throw unansweredWrite(`${error.message} The ${what} was refused, and ${made}.`, error);
    return create();
  }
}

/** Looks up a refused creation once, since a caller that takes it for not done gives the object up. */
async function creationRefusal(
  error: unknown,
  step: Step,
  called: string | undefined,
  context: WriteContext,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'SERVICE_ERROR') return error;
  const made = await traceOfCreation(step, called ?? splitAddress(step.address).name, context);
  if (made === undefined) return error;
  return unansweredWrite(`${error.message} The creation of ${step.address} was refused, and ${made}.`, error);
}

/** Says what the list shows of a refused creation; undefined if nothing new has its name. */
export async function traceOfCreation(step: Step, called: string, context: WriteContext): Promise<string | undefined> {
  const { kind } = splitAddress(step.address);
  const found = await listKindOf(step, context).catch(() => undefined);
  if (found === undefined) return 'dexsync could not read whether it was created anyway';
  const isNew = found.objects.some(
    ({ guid, name }) => name === called && context.identities.nameOf(kind, String(guid)) === undefined,
  );
  if (isNew) return 'a new object with this name exists anyway';
  const odd = found.odd.find((entry) => mayBe(entry, called));
  return odd === undefined ? undefined : `an entry of the list that may be the object ${odd.why}`;
}

const noEndpoint = (cause: ServiceError, { address, action }: Step): DexsyncError =>
  new DexsyncError('NO_ENDPOINT', `The service has no endpoint to ${action} ${address}; nothing was changed.`, {
    hint: `Do it manually; the next plan verifies it. (${cause.message})`,
    cause,
  });

const goneObject = (cause: ServiceError, { address }: Step): DexsyncError =>
  new DexsyncError(
    'OBJECT_GONE',
    `${address}, or an object that it refers to, is no longer in the workspace: ${cause.message}`,
    { hint: 'Someone changed the workspace after it was read. Plan again.', cause },
  );

async function isNotListed(step: Step, context: WriteContext): Promise<boolean> {
  const found = await listKindOf(step, context);
  const called = step.liveName ?? splitAddress(step.address).name;
  return !found.objects.some(({ name }) => name === called) && !found.odd.some((entry) => mayBe(entry, called));
}

/** Whether nothing is left to remove. Only a read by GUID proves that: what a list does not show may exist. */
async function isProvedGone(step: Step, context: WriteContext): Promise<boolean> {
  const { writer, kindNamed } = context;
  const { kind, name } = splitAddress(step.address);
  const guid = guidOfStep(step, step.liveName ?? name, context);
  return writer.get(objectPath(writer, kindNamed(kind), guid)).then(() => false, saysAbsent);
}

/** Whether an odd entry is the object with a name, or has an unknown name. */
const mayBe = ({ body: { name } }: OddEntry, called: string): boolean =>
  name === called || nameFault(name) !== undefined;

/** Lists all live objects of the kind of a step, read now. */
const listKindOf = ({ address }: Step, { writer, kindNamed }: WriteContext) =>
  listCollection(writer, kindNamed(splitAddress(address).kind).collection);
