import type { Disturbance } from '../disturbances.js';
import { type CheckedOut, checkedOut } from '../harness/git.js';
import type { Ended } from '../harness/program.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import type { DoneStep } from '../model/effects.js';
import { Violation } from '../violation.js';

/** An apply as `history` shows it. */
interface ToldApply {
  readonly journal: string;
  readonly state: string;
  readonly apply: {
    readonly stack: string;
    readonly actor: { readonly login?: string };
    readonly git?: CheckedOut;
    readonly planned?: {
      readonly provenance?: { readonly actor: { readonly login?: string }; readonly git?: CheckedOut };
    };
  };
  readonly counts: { readonly done: Readonly<Record<string, number>>; readonly unknown: number };
  readonly object?: { readonly address: string; readonly action: string; readonly outcome: string };
}

export const checkedOutBy = ({ isVersioned, folder }: Site): CheckedOut | undefined =>
  isVersioned ? checkedOut(folder) : undefined;

/**
 * Law 8: the newest entry of the history shows the steps of the apply that has just ended, who applied it, and what was
 * checked out then; and where its plan was saved before, what was checked out at that time (`from`).
 */
export async function judgeTold(
  world: World,
  site: Site,
  steps: readonly DoneStep[],
  from: CheckedOut | undefined,
): Promise<void> {
  if (steps.length === 0) return;
  const step = world.random.pick(steps);
  const [told] = await historyOf(world, site, '--address', step.address, '--limit', '1');
  if (told === undefined || told.object === undefined) throw new Violation(8, `No apply tells of ${step.address}.`);
  if (world.told.has(told.journal))
    throw new Violation(8, `The last apply that tells of ${step.address} is an older one.`);
  judgeSteps(told, step, steps);
  judgeWho(told, site, from);
  const { object: _, ...entry } = told;
  world.told.set(told.journal, JSON.stringify(entry));
}

function judgeSteps({ state, object, counts }: ToldApply, step: DoneStep, steps: readonly DoneStep[]): void {
  const is = `${state}: ${object?.action} ${object?.address} ${object?.outcome}`;
  const right = `ended: ${step.action} ${step.address} done`;
  if (is !== right) throw new Violation(8, `history tells "${is}", where "${right}" is right.`);
  const done = tally(steps.map(({ action }) => action));
  const told = tally(Object.entries(counts.done).flatMap(([action, count]) => Array(count).fill(action)));
  if (done !== told) throw new Violation(8, `history counts ${told}, where ${done} is right.`);
}

const tally = (actions: readonly string[]): string => actions.toSorted().join();

function judgeWho({ apply }: ToldApply, site: Site, from: CheckedOut | undefined): void {
  const { stack, actor, git, planned } = apply;
  if (stack !== site.model.stack || actor.login !== site.variables.DEXSYNC_ONE_EMAIL)
    throw new Violation(8, `history names ${actor.login} of stack ${stack} for an apply of ${site.model.name}.`);
  const now = checkedOutBy(site);
  judgeCommit('apply', git, now);
  if (from === undefined) return;
  // Where the history shows no plan of its own, its commit of the apply counts for both.
  judgeCommit('plan', planned?.provenance?.git ?? git, from);
}

function judgeCommit(what: string, told: CheckedOut | undefined, right: CheckedOut | undefined): void {
  const [is, should] = [told, right].map((one) =>
    one === undefined ? 'no commit' : `${one.commit}, dirty: ${one.dirty}`,
  );
  if (is !== should) throw new Violation(8, `history names ${is} for the ${what}, where ${should} is right.`);
}

async function historyOf(world: World, site: Site, ...args: readonly string[]): Promise<readonly ToldApply[]> {
  const ended = await world.run(site, 'history', '--json', ...args);
  judgeEnd(ended, 'history');
  return JSON.parse(ended.out).applies;
}

/** Law 6: of a program that was cut off while it sent a write, the history says that nobody knows what became of that. */
export async function judgeCutOff(world: World, site: Site, { name, ends, rule }: Disturbance): Promise<void> {
  if (ends === undefined || rule?.method === 'GET') return;
  const [told] = await historyOf(world, site, '--limit', '1');
  if (told === undefined || told.counts.unknown === 0)
    throw new Violation(6, `After "${name}", history tells no step that is unknown: ${JSON.stringify(told)}`);
}

/** Law 8: every clone shows an apply later exactly as the history showed it first. */
export async function judgeHistory(world: World, site: Site): Promise<'skipped' | undefined> {
  if (world.told.size === 0) return 'skipped';
  const now = new Map((await historyOf(world, site)).map((one) => [one.journal, JSON.stringify(one)]));
  for (const [journal, entry] of world.told)
    if (now.get(journal) !== entry)
      throw new Violation(8, `history tells ${now.get(journal)}, where it told this before:\n${entry}`);
  return undefined;
}

/** Law 8: at the end the whole ledger verifies. */
export async function judgeLedger(world: World): Promise<void> {
  if (world.told.size === 0) return;
  for (const site of world.sites) judgeEnd(await world.run(site, 'ledger', 'check'), 'ledger check');
}

function judgeEnd({ code, out, err }: Ended, what: string): void {
  if (code !== 0) throw new Violation(8, `${what} ended with ${code}: ${err}${out.slice(-600)}`);
}
