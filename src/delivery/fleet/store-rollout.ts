import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { digestOfPlan } from '#core/engine/normal-form.js';
import { isObject, type JsonObject, jsonIn } from '#core/model/json.js';
import type { Plan } from '#core/model/plan.js';
import type { Backend } from '#ledger/backend.js';
import { type DocumentStore, moveDocuments, plansShelf, rolloutsShelf } from '#ledger/document-store.js';
import { changeLog, reviewText, storedPlanText } from '#ledger/stored-plan.js';
import {
  parseRollout,
  type Rollout,
  rolloutDocument,
  rolloutKeys,
  rolloutText,
  type StoredRollout,
} from '#ledger/stored-rollout.js';
import type { StackRollouts } from '#project/connection/rollouts-of.js';
import { digestText } from '../planfile/signature.js';

/** The name of the saved plan of each environment of a rollout. */
export const planName = ({ id }: Pick<Rollout, 'id'>): string => `rollout-${id}`;

/** Whether a saved plan has the name of one of a rollout. */
export const isOfRollout = (plan: string): boolean => /^rollout-[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(plan);

/** How many plans are in memory and on their way into the ledger at once. */
const AT_ONCE = 16;

/**
 * Stores a rollout: its plans beside other saved plans of their environments, then the rollout, so that it is complete
 * wherever it is. Storing it again changes nothing. Throws PLAN_ALTERED, before anything is stored, for plans that are not
 * those of the rollout.
 */
export async function storeRollout(
  rollout: Rollout,
  name: string,
  plans: () => AsyncIterable<string>,
  { rollouts, plansOf }: Pick<StackRollouts, 'rollouts' | 'plansOf'>,
): Promise<void> {
  const { at, author } = rollout;
  const log = changeLog('saved', author);
  await checkPlans(rollout, plans());
  let adding: Promise<void>[] = [];
  for await (const text of plans()) {
    const plan = jsonIn(text) as JsonObject;
    const entry = storedPlanText({ at, author, plan });
    adding.push(addOnce(plansOf(String(plan.environment)), planName(rollout), entry, log));
    if (adding.length < AT_ONCE) continue;
    await Promise.all(adding);
    adding = [];
  }
  await Promise.all(adding);
  await addOnce(rollouts, rolloutDocument(rollout, name), rolloutText(rollout), log);
}

/** Adds the reviews of each group to the plans of its environments, whose stage may ask for them. */
export async function passReviews(
  { rollout, notes }: StoredRollout,
  { plansOf }: Pick<StackRollouts, 'plansOf'>,
): Promise<void> {
  for (const { group, is: verdict, at, author, reason, signed } of notes) {
    if (group === undefined || (verdict !== 'approved' && verdict !== 'rejected')) continue;
    for (const target of rollout.targets.filter((one) => one.group === group)) {
      const review = { at, author, ...omitUndefined({ reason, signed }), verdict, digest: target.plan };
      await plansOf(target.environment).addNote(planName(rollout), reviewText(review), changeLog(verdict, author));
    }
  }
}

/** Moves the rollouts of some fleets to another place, after the plans of all their environments. */
export async function moveRollouts(
  from: Pick<Backend, 'documents'>,
  to: Pick<Backend, 'documents'>,
  stack: string,
  isMeant: (fleet: string) => boolean,
): Promise<number> {
  const shelf = rolloutsShelf(stack);
  const rollouts = from.documents(shelf);
  const documents = (await rolloutKeys(rollouts)).flatMap(({ document, fleet }) => (isMeant(fleet) ? [document] : []));
  const names = new Set<string>();
  const environments = new Set<string>();
  for (const document of documents) {
    const rollout = parseRollout((await rollouts.read(document))?.text ?? '');
    if (rollout === undefined) continue;
    names.add(planName(rollout));
    for (const { environment } of rollout.targets) environments.add(environment);
  }
  for (const environment of environments) {
    const plans = plansShelf(stack, environment);
    await moveDocuments(from.documents(plans), to.documents(plans), plans, (name) => names.has(name));
  }
  return moveDocuments(rollouts, to.documents(shelf), shelf, (name) => documents.includes(name));
}

/** Throws PLAN_ALTERED unless these are the plans of a rollout, each once. */
async function checkPlans(rollout: Rollout, plans: AsyncIterable<string>): Promise<void> {
  const left = new Map(rollout.targets.map(({ environment, plan }) => [environment, plan]));
  for await (const text of plans) {
    const plan = jsonIn(text);
    if (!isObject(plan)) throw altered(rollout);
    const { digest, hmac: _, ...rest } = plan;
    const environment = String(plan.environment);
    const isMeant = left.get(environment) === digest;
    if (!isMeant || digestText(digestOfPlan(rest as unknown as Plan)) !== digest) throw altered(rollout);
    left.delete(environment);
  }
  if (left.size > 0) throw altered(rollout);
}

/** Adds a document unless the very same one is there. */
async function addOnce(store: DocumentStore, name: string, text: string, log: string): Promise<void> {
  await store.add(name, text, log).catch(async (error: unknown) => {
    if ((await store.read(name))?.text !== text) throw error;
  });
}

const altered = ({ id }: Pick<Rollout, 'id'>): DexsyncError =>
  new DexsyncError('PLAN_ALTERED', `The plans of the rollout ${id} are not those that were saved with it.`, {
    hint: 'Save the rollout again with `dexsync fleet plan`.',
  });
