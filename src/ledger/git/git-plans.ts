import { naturalOrder } from '#base/natural-order.js';
import { type KeptPlan, noSuchPlan, type PlanStore, plansFolder, planTaken } from '../plan-store.js';
import type { Branch } from './branch.js';
import type { Tip } from './tip.js';
import type { Change } from './write-batch.js';

/**
 * Keeps saved plans as files of the branch. Reads use its newest state, and a push that another process preceded is
 * decided again, so that a name is taken once. The history of the branch keeps removed plans.
 */
export function gitPlans(branch: Branch, stack: string, environment: string): PlanStore {
  const root = plansFolder(stack, environment);
  const change = async (name: string, log: string, edits: Change['edits']): Promise<void> => {
    // A state that is a moment old may still have a plan that somebody else has just removed.
    await branch.refresh();
    await branch.change({ subject: `${environment}: plan ${name} of stack ${stack} ${log}`, edits });
  };
  return {
    async names() {
      const paths = (await branch.refresh()).under(`${root}/`);
      return [...new Set(paths.map((path) => path.slice(root.length + 1).split('/')[0] ?? ''))].sort(naturalOrder);
    },
    read: async (name) => readIn(`${root}/${name}`, await branch.refresh()),
    add: (name, text, log) =>
      change(name, log, async (tip) => {
        const there = await readIn(`${root}/${name}`, tip);
        // A push that is repeated after a lost answer finds its own file.
        if (there?.text === text) return [];
        if (there !== undefined) throw planTaken(name);
        return [{ path: planIn(`${root}/${name}`), text }];
      }),
    addReview: (name, review, log) =>
      change(name, log, async (tip) => {
        const there = await readIn(`${root}/${name}`, tip);
        if (there === undefined) throw noSuchPlan(name);
        if (there.reviews.includes(review)) return [];
        const number = String(there.reviews.length + 1).padStart(6, '0');
        return [{ path: `${reviewsIn(`${root}/${name}`)}${number}.json`, text: review }];
      }),
    remove: (name, log) =>
      change(name, log, async (tip) => tip.under(`${root}/${name}/`).map((path) => ({ path, text: null }))),
  };
}

const planIn = (folder: string): string => `${folder}/plan.json`;
const reviewsIn = (folder: string): string => `${folder}/reviews/`;

async function readIn(folder: string, tip: Tip): Promise<KeptPlan | undefined> {
  if (!tip.has(planIn(folder))) return undefined;
  const [text = '', ...reviews] = await tip.read([planIn(folder), ...tip.under(reviewsIn(folder))]);
  return { text, reviews };
}
