import { diffSpec } from '#core/engine/diff.js';
import { splitAddress } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Step } from '#core/model/plan.js';
import { collectionOf } from './collection.js';
import type { WriteContext } from './object-write.js';
import { listCollection } from './odd-entries.js';
import { readSpec } from './read-spec.js';
import { saysAbsent, saysAbsentOrForbidden, saysNoEndpoint } from './refusal-meaning.js';
import { unansweredWrite } from './unanswered-write.js';

/** An update that was answered with success. */
interface Updated {
  /** Path of the object. */
  readonly path: string;
  /** Absent if no answer is trusted, since no later plan reads the object again. */
  readonly answer?: JsonObject;
  /** The name and fields that were sent, as manifests write them. */
  readonly name: string;
  readonly fields: JsonObject;
}

/**
 * Confirms an update. If the answer differs from what was sent, a read by GUID decides; values that an answer leaves
 * out do not count. Throws WRITE_UNANSWERED if the read differs, too, or fails.
 */
export async function confirmUpdate(step: Step, updated: Updated, context: WriteContext): Promise<void> {
  const { answer, path } = updated;
  if (answer !== undefined && unlike(answer, step, updated, context).length === 0) return;
  const confirmed = `The service confirmed the update of ${step.address}, but`;
  const read = await context.writer.get(path).catch((error: unknown) => {
    if (saysNoEndpoint(error)) return {};
    throw unreadable(confirmed, error);
  });
  const different = unlike(read, step, updated, context);
  if (different.length === 0) return;
  throw unansweredWrite(`${confirmed} still has other values of ${different.join(', ')}.`);
}

/**
 * Confirms a deletion by one read, since the ledger gives the object up; if the answer fits an absent object and one that
 * cannot be read alike, the list decides. Throws WRITE_UNANSWERED if the object is still there, or if that
 * cannot be read.
 */
export async function confirmDeletion(step: Step, path: string, context: WriteContext): Promise<void> {
  const confirmed = `The service confirmed the deletion of ${step.address}, but`;
  const isThere = await context.writer
    .get(path)
    .then(
      () => true,
      (error: unknown) => {
        if (saysAbsent(error)) return false;
        if (saysAbsentOrForbidden(error) || saysNoEndpoint(error)) return isListed(step, path, context);
        throw error;
      },
    )
    .catch((error: unknown) => Promise.reject(unreadable(confirmed, error)));
  if (isThere) throw unansweredWrite(`${confirmed} still has it.`);
}

async function isListed({ address }: Step, path: string, { writer, kindNamed }: WriteContext): Promise<boolean> {
  const { collection } = kindNamed(splitAddress(address).kind);
  const { objects, odd } = await listCollection(writer, collection);
  const guid = path.slice(path.lastIndexOf('/') + 1);
  return [...objects, ...odd.map(({ body }) => body)].some((entry) => entry.guid === guid);
}

const unreadable = (confirmed: string, error: unknown) =>
  unansweredWrite(`${confirmed} reading it afterwards failed: ${(error as Error).message}`, error);

/** Lists the fields whose value in an answer differs from what was sent. */
function unlike(
  body: JsonObject,
  { address }: Step,
  { name, fields }: Updated,
  { writer, identities, kindNamed }: WriteContext,
): string[] {
  if (typeof body.guid !== 'string') return [];
  const kind = kindNamed(splitAddress(address).kind);
  const { hidden = [] } = collectionOf(writer, kind.collection).can ?? {};
  const { spec, fault } = readSpec(kind, body, identities);
  const renamed = typeof body.name === 'string' && body.name !== name ? ['name'] : [];
  if (fault !== undefined) return renamed;
  const told = Object.entries(fields).filter(([field]) => field in spec && !hidden.includes(field));
  return [...renamed, ...diffSpec(kind.schema, Object.fromEntries(told), spec).map(({ path }) => path)];
}
