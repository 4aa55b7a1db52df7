import type { Ended } from '../harness/program.js';
import type { SavedPlan, Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { expectedPlan } from '../model/plan.js';
import { Violation } from '../violation.js';
import { judgeCode, judgeWrites } from './answers.js';
import { isCertain, judgePlan, planningOf, settle } from './applies.js';
import { judgeSaved, savePlan } from './saved-plans.js';
import { judgeWorkspace } from './workspace.js';

/** The exit code of a command that another one keeps waiting, and of one that found its lease taken. */
const LOCKED = 7;

/** That of a saved plan that does not hold any more. */
const STALE = 5;

/**
 * Two clones of one stack apply the same manifests at once (laws 1 and 7): one waits, or is refused by the lease and says so; what
 * they come to is what one of them comes to.
 */
export async function judgeTogether(world: World): Promise<'skipped' | undefined> {
  const [one, other] = world.random.chance(50) ? world.sites : world.sites.toReversed();
  if (one === undefined || other === undefined || one.model.stack !== other.model.stack) return 'skipped';
  other.model.manifests = structuredClone(one.model.manifests);
  world.write(other);
  const planning = planningOf(world, one, {}, 'never');
  if (!isCertain(expectedPlan(planning))) return 'skipped';
  const waiting = world.random.chance(50) ? ['--wait'] : [];
  const command = ['apply', '--yes', '--json', ...waiting];
  world.note('# both at once:');
  const both = await Promise.all([world.runApart(one, ...command), world.runApart(other, ...command)]);
  const { rounds, code } = settle(planning);
  judgeBoth(both, code, waiting.length > 0, rounds);
  for (let count = 0; count < rounds; count += 1) {
    const ended = await world.run(one, 'apply', '--yes', '--json');
    if (count === rounds - 1) judgeCode(ended, code, 'apply after two at once');
  }
  await judgeWorkspace(world);
  await judgePlan(world, other, {});
  return judgePlan(world, one, {});
}

/** One at least comes to its end; the other one does too, or is refused before it has sent anything. */
function judgeBoth(both: readonly Ended[], code: number, isWaiting: boolean, rounds: number): void {
  for (const ended of both) {
    if (ended.code === LOCKED && !isWaiting) continue;
    judgeCode(ended, code, 'apply beside another one', rounds > 1 ? [0, 4] : []);
  }
  if (both.every((ended) => ended.code === LOCKED)) throw new Violation(7, 'Two applies at once refuse each other.');
}

/** A job of a pipeline that runs again (law 4): what was applied already is refused, or sends nothing. */
export async function judgeAgain(world: World, site: Site): Promise<'skipped' | undefined> {
  if ((await savePlan(world, site, { prune: world.random.chance(40), adopt: true })) === 'skipped') return 'skipped';
  const saved = site.saved.at(-1) as SavedPlan;
  await judgeSaved(world, site, saved);
  const { file } = saved;
  await world.service.newRequests();
  const ended = await world.run(site, 'apply', file, '--yes', '--json');
  judgeCode(ended, STALE, `apply of ${file}, which was applied before`, [0, 4]);
  judgeWrites(await world.service.newRequests(), 0, `the second apply of ${file}`);
  return judgeWorkspace(world);
}
