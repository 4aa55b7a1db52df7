import { diffSpec } from '#core/engine/diff.js';
import { splitAddress } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Step } from '#core/model/plan.js';
import { collectionOf } from './collection.js';
import type { WriteContext } from './object-write.js';
import { readSpec } from './read-spec.js';
import { saysAbsent, saysAbsentOrForbidden, saysNoEndpoint } from './refusal-meaning.js';
import { unansweredWrite } from './unanswered-write.js';

/** An update that was answered with success. */
interface Updated {
  /** Where the object is. */
  readonly path: string;
  /** Absent where no answer is believed, since no later plan looks at the object again. */
  readonly answer?: JsonObject;
  /** What was sent, in the words of manifests. */
  readonly name: string;
  readonly fields: JsonObject;
}

/**
 * An answer that has something else than what was sent is not believed: one read by GUID decides. Throws WRITE_UNANSWERED
 * where that has something else too, or fails. What an answer leaves out is not judged.
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
 * A deletion is read once, since the ledger gives the object up. Throws WRITE_UNANSWERED where it is still there, or where
 * nobody can tell.
 */
export async function confirmDeletion({ address }: Step, path: string, { writer }: WriteContext): Promise<void> {
  const confirmed = `The service confirmed the deletion of ${address}, but`;
  const isThere = await writer.get(path).then(
    () => true,
    (error: unknown) => {
      if (saysAbsent(error) || saysAbsentOrForbidden(error) || saysNoEndpoint(error)) return false;
      throw unreadable(confirmed, error);
    },
  );
  if (isThere) throw unansweredWrite(`${confirmed} still has it.`);
}

const unreadable = (confirmed: string, error: unknown) =>
  unansweredWrite(`${confirmed} reading it afterwards failed: ${(error as Error).message}`, error);

/** Fields of which an answer has another value than was sent. */
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
