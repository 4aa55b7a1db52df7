import { OF_PROGRAM } from '../disturbances.js';
import type { Ended } from '../harness/program.js';
import type { SavedPlan, Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { expectedPlan } from '../model/plan.js';
import { Violation } from '../violation.js';
import { answerOf, isWrite, judgeCode, judgeWrites } from './answers.js';
import { isCertain, judgePlan, planningOf, settle } from './applies.js';
import { applyOf, judgeEnd, writesOf } from './disturbed.js';
import { judgeSaved, savePlan } from './saved-plans.js';
import { judgeWorkspace } from './workspace.js';

/** The exit code of a command that another one keeps waiting, and of one that found its lease taken. */
const LOCKED = 7;

/** The exit code of a saved plan that is stale. */
const STALE = 5;

/**
 * Two clones of one stack apply the same manifests at once (laws 1 and 7): one waits, or is refused by the lease and says so; what
 * they come to is what one of them comes to.
 */
export async function judgeTogether(world: World, one: Site): Promise<'skipped' | undefined> {
  const other = world.sites.find((site) => site !== one);
  if (other === undefined || one.model.stack !== other.model.stack) return 'skipped';
  if (world.ledger.locks === 'in each folder') return 'skipped';
  Object.assign(other.model, structuredClone({ manifests: one.model.manifests, lists: one.model.lists }));
  world.write(other);
  const planning = planningOf(world, one, {}, 'never');
  if (!isCertain(expectedPlan(planning))) return 'skipped';
  const waiting = world.random.chance(50) ? ['--wait'] : [];
  const command = ['apply', '--yes', '--json', ...waiting];
  world.note('# both at once:');
  const both = await Promise.all([world.run(one, ...command), world.runApart(other, ...command)]);
  const { commits } = world.workspace.rows;
  const before = commits.length;
  const { rounds, code } = settle(planning);
  for (const commit of commits.slice(before)) if (!says(both[0], commit.address)) commit.clone = other.model.name;
  judgeBoth(both, code, waiting.length > 0, rounds);
  for (let count = 0; count < rounds; count += 1) {
    const ended = await world.run(one, 'apply', '--yes', '--json');
    if (count === rounds - 1) judgeCode(ended, code, 'apply after two at once');
  }
  await judgeWorkspace(world);
  return world.check(async () => {
    await judgePlan(world, other, {});
    return judgePlan(world, one, {});
  });
}

/** Whether a command says that it applied a step. */
const says = ({ out }: Ended, address: string): boolean =>
  out.split('\n').some((line) => line.includes('"is":"done"') && line.includes(JSON.stringify(address)));

/** One at least comes to its end; the other one does too, or is refused before it has sent anything. */
function judgeBoth(both: readonly Ended[], code: number, isWaiting: boolean, rounds: number): void {
  for (const ended of both) {
    if (ended.code === LOCKED && !isWaiting) continue;
    judgeCode(ended, code, 'apply beside another one', rounds > 1 ? [0, 4, 8] : []);
  }
  if (both.every((ended) => ended.code === LOCKED)) throw new Violation(7, 'Two applies at once refuse each other.');
}

/** Where no lock is held, its release changes nothing and sends nothing. */
export async function judgeIdleRelease(world: World, site: Site): Promise<undefined> {
  await world.service.newRequests();
  const ended = await world.run(site, 'lock', 'release', '--force', '--yes', '--json');
  const { leases } = answerOf(ended) as { leases: readonly unknown[] };
  if (leases.length > 0) throw new Violation(10, `A command that has ended left a lock: ${ended.out}`);
  judgeWrites(await world.service.newRequests(), 0, 'lock release');
  return judgeWorkspace(world);
}

/**
 * A command that lost the lock to another sends no further writes (law 1): only requests in flight at the release still
 * reach the service.
 */
export async function judgeReleased(world: World, site: Site): Promise<'skipped' | undefined> {
  const planning = planningOf(world, site, {}, 'never');
  const expected = expectedPlan(planning);
  const { locks } = world.ledger;
  const other = locks === 'in each folder' ? site : world.sites.find((one) => one !== site);
  // A lock in git is asked for with each heartbeat alone.
  if (other === undefined || !isCertain(expected) || locks === 'now and then') return 'skipped';
  const [write] = writesOf(expected);
  if (write === undefined) return 'skipped';
  const rule = { ...write, ...OF_PROGRAM, do: 'latency', milliseconds: 1 } as const;
  let isReleased = false;
  const meanwhile = async (): Promise<void> => {
    isReleased = true;
    await world.runApart(other, 'lock', 'release', '--force', '--yes', '--json');
    await world.service.newRequests();
  };
  const disturbance = { name: 'lock released by force', rule, meanwhile };
  const ended = await world.runDisturbed(site, disturbance, ...applyOf({}), '--parallelism', '1');
  judgeCode(ended, LOCKED, 'apply that lost its lock', [0, 4, 8]);
  const late = (await world.service.newRequests()).filter(isWrite);
  // Runs of imports have their own limit beside that of steps.
  const ofRuns = late.filter(({ path }) => path.includes('/runs')).length;
  if (isReleased && (ofRuns > 1 || late.length - ofRuns > 1))
    throw new Violation(
      1,
      `An apply that lost its lock goes on: ${late.map(({ method, path }) => `${method} ${path}`).join(', ')}`,
    );
  return judgeEnd(world, site, {}, { disturbance, first: ended, planning });
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
