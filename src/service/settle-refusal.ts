import { DexsyncError } from '../errors.js';
import { splitAddress } from '../model/address.js';
import type { Step } from '../model/plan.js';
import { collectionOf } from './collection.js';
import { listPages } from './list-pages.js';
import type { ObjectWrite, Performing } from './performing.js';
import { saysAbsent, saysAbsentOrForbidden, saysNoEndpoint } from './refusal-meaning.js';
import { ServiceError } from './service-error.js';
import { unanswered } from './unanswered.js';

/** What a refused write means (design, section 6). Returns where nothing was left to do, and throws otherwise. */
export async function settleRefusal(
  error: unknown,
  step: Step,
  write: ObjectWrite,
  performing: Performing,
): Promise<void> {
  if (saysNoEndpoint(error)) throw noEndpoint(error, step);
  // What a new object refers to may be refused for many reasons; the service's own words tell which.
  if (write.verb === 'create') throw await refusedOrMade(error, step, write.name, performing);
  const absent = saysAbsent(error) || (saysAbsentOrForbidden(error) && !(await isListed(step, performing)));
  if (!absent) throw error;
  if (write.verb !== 'removeChild' && write.verb !== 'delete') throw gone(error as ServiceError, step);
}

/** A creation that was refused is looked up once, since whoever takes it for not done gives the object up. */
async function refusedOrMade(
  error: unknown,
  step: Step,
  called: string | undefined,
  performing: Performing,
): Promise<unknown> {
  if (!(error instanceof ServiceError) || error.code !== 'SERVICE_ERROR') return error;
  const { address } = step;
  const { kind, name } = splitAddress(address);
  const wanted = called ?? name;
  const found = await listOf(step, performing).catch(() => undefined);
  const isNew = found?.some(
    ({ guid, name: live }) => live === wanted && performing.identities.nameOf(kind, String(guid)) === undefined,
  );
  if (isNew === false) return error;
  const what =
    isNew === undefined ? 'whether it was made all the same could not be read' : 'there is a new one all the same';
  return unanswered(`${error.message} The creation of ${address} was refused, and ${what}.`, error);
}

const noEndpoint = (cause: ServiceError, { address, action }: Step): DexsyncError =>
  new DexsyncError('NO_ENDPOINT', `The service has no endpoint to ${action} ${address}; nothing was changed.`, {
    hint: `Do it by hand; the next plan verifies it. (${cause.message})`,
    cause,
  });

const gone = (cause: ServiceError, { address }: Step): DexsyncError =>
  new DexsyncError(
    'OBJECT_GONE',
    `${address}, or something that it refers to, is not in the workspace any more: ${cause.message}`,
    { hint: 'Somebody changed the workspace after it was read. Plan again.', cause },
  );

async function isListed(step: Step, performing: Performing): Promise<boolean> {
  const found = await listOf(step, performing);
  return found.some(({ name }) => name === (step.liveName ?? splitAddress(step.address).name));
}

/** All that live of the kind of a step, read now. */
function listOf({ address }: Step, { writer, kindNamed }: Performing) {
  const { path, paged } = collectionOf(writer, kindNamed(splitAddress(address).kind).collection);
  return listPages(writer, path, paged);
}
