import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { throwAsDisk } from '#base/files/disk-error.js';
import { makeFolder } from '#base/files/make-folder.js';
import { syncFolder } from '#base/files/sync-folder.js';
import { naturalOrder } from '#base/natural-order.js';
import { type KeptPlan, noSuchPlan, type PlanStore, plansFolder, planTaken } from '../plan-store.js';
import { isInTheWay, isMissingFile, undefinedIfMissing } from './lease-on-disk.js';

const PLAN = 'plan.json';
const REVIEW = 'review-';
/** Prefix of entries that are being added or removed; no plan has such a name. */
const HIDDEN = '.';

/** Keeps saved plans as folders, which a rename adds and removes atomically. */
export function filePlans(folder: string, stack: string, environment: string): PlanStore {
  const root = join(folder, plansFolder(stack, environment));
  const placeOf = (name: string): string => join(root, name);
  const onDisk = <T>(work: Promise<T>): Promise<T> =>
    work.catch((error: unknown) => throwAsDisk(error, `The saved plans in ${root}`));
  return {
    names: async () => (await onDisk(namesIn(root))).filter((name) => !name.startsWith(HIDDEN)),
    read: (name) => onDisk(readPlanIn(placeOf(name))),
    add: (name, text) => onDisk(addPlan(root, name, text)),
    addReview: (name, review) => onDisk(addReviewTo(root, name, review)),
    remove: (name) => onDisk(removePlan(root, name)),
  };
}

const namesIn = async (folder: string): Promise<string[]> =>
  ((await readdir(folder).catch(undefinedIfMissing)) ?? []).sort(naturalOrder);

async function readPlanIn(folder: string): Promise<KeptPlan | undefined> {
  try {
    const text = await readFile(join(folder, PLAN), 'utf8');
    const names = (await namesIn(folder)).filter((name) => name.startsWith(REVIEW));
    return { text, reviews: await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8'))) };
  } catch (error) {
    // It may be removed between two reads.
    return undefinedIfMissing(error);
  }
}

async function addPlan(root: string, name: string, text: string): Promise<void> {
  const made = join(root, `${HIDDEN}new-${randomUUID()}`);
  await makeFolder(root, 0o700);
  await mkdir(made, { mode: 0o700 });
  try {
    await writeFile(join(made, PLAN), text, { flag: 'wx', flush: true, mode: 0o600 });
    await syncFolder(made);
    await rename(made, join(root, name));
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    throw isInTheWay(error) ? planTaken(name) : error;
  }
  await syncFolder(root);
}

/** Two reviews that are added at once get the same number and different names, so both are kept. */
async function addReviewTo(root: string, name: string, review: string): Promise<void> {
  const count = (await readPlanIn(join(root, name)))?.reviews.length;
  if (count === undefined) throw noSuchPlan(name);
  const made = join(root, `${HIDDEN}review-${randomUUID()}`);
  const own = `${REVIEW}${String(count + 1).padStart(6, '0')}-${randomUUID()}.json`;
  try {
    await writeFile(made, review, { flag: 'wx', flush: true, mode: 0o600 });
    await rename(made, join(root, name, own));
  } catch (error) {
    await rm(made, { force: true });
    throw isMissingFile(error) ? noSuchPlan(name) : error;
  }
  await syncFolder(join(root, name));
}

async function removePlan(root: string, name: string): Promise<void> {
  const gone = join(root, `${HIDDEN}gone-${randomUUID()}`);
  await rename(join(root, name), gone).catch(undefinedIfMissing);
  await syncFolder(root);
  await rm(gone, { recursive: true, force: true });
}
