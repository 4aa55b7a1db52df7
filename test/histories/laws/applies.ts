import type { Ended } from '../harness/program.js';
import type { SavedPlan, Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { adoptedFact, carryOut, type DoneStep } from '../model/effects.js';
import { type Expectation, type ExpectedStep, expectedPlan, type Planning, renameClash } from '../model/plan.js';
import { type SentImports, sendImports } from '../model/rows.js';
import { factAbout, type Place } from '../model/situation.js';
import { addressOfManifest, addressOfObject, named } from '../model/world.js';
import { Violation } from '../violation.js';
import {
  answerOf,
  isLeft,
  judgeCode,
  judgeCounts,
  judgeOrder,
  judgePrice,
  judgeRefusal,
  judgeSteps,
  judgeWrites,
  type PlannedStep,
  type PlanSeen,
  parse,
  type Requests,
} from './answers.js';
import { judgeTold } from './history.js';
import { judgeWorkspace } from './workspace.js';

/** What commands that plan are asked for. */
export interface Asked {
  readonly prune?: boolean;
  readonly adopt?: boolean;
  readonly allowChangedDeletes?: boolean;
  /** Addresses that the command is about, and no others. */
  readonly only?: readonly string[];
}

export const flagsOf = ({ prune, adopt, allowChangedDeletes, only = [] }: Asked): string[] => [
  ...only.flatMap((address) => ['--only', address]),
  ...(prune === true ? ['--prune', '--allow', 'deletes', '--allow', 'empty-input'] : []),
  ...(adopt === true ? ['--adopt'] : []),
  ...(allowChangedDeletes === true ? ['--allow', 'changed-deletes'] : []),
];

/** `unasked`: what becomes of what others made, where the command does not say. */
export const planningOf = (
  world: World,
  site: Site,
  { adopt, ...asked }: Asked,
  unasked: 'ask' | 'never',
): Planning => ({
  ...world.placeOf(site),
  ...asked,
  adopt: adopt === true ? 'given' : unasked,
});

/** Law 2, its first half: a plan says what the model says, and sends no write. */
export async function judgePlan(world: World, site: Site, asked: Asked): Promise<undefined> {
  await world.service.newRequests();
  const ended = await world.run(site, 'plan', '--json', ...flagsOf(asked));
  const planning = planningOf(world, site, asked, 'ask');
  const expected = expectedPlan(planning);
  if ('error' in expected) return judgeRefusal(ended, expected.error);
  const plan = answerOf(ended) as PlanSeen;
  for (const { action, address } of plan.steps) world.note(`#   ${action} ${address}`);
  judgeSteps(plan, expected.steps);
  judgeWrites(await world.service.newRequests(), 0, 'plan');
  judgeCode(ended, plan.steps.some(isLeft) ? 4 : 0, 'plan');
  return undefined;
}

/** An apply does what its plan says, and what the model says; the next plan is empty but for what is left to people. */
export async function judgeApply(world: World, site: Site, asked: Asked): Promise<undefined> {
  await world.service.newRequests();
  const planning = planningOf(world, site, asked, 'never');
  const expected = expectedPlan(planning);
  const ended = await world.run(site, 'apply', '--yes', '--json', ...flagsOf(asked));
  if ('error' in expected) return judgeRefusal(ended, expected.error);
  const { plan, requests, sent } = await judgeDone(world, ended, { site, place: planning, expected: expected.steps });
  judgePrice(requests, plan, sent);
  return world.check(() => judgePlan(world, site, asked));
}

/** An apply that has ended. */
interface Applied {
  readonly site: Site;
  readonly place: Place;
  readonly expected: ReadonlyMap<string, ExpectedStep>;
  /** The plan that it applied, where that was saved before. */
  readonly saved?: SavedPlan;
}

/** What an apply without a fault has shown and done. */
export async function judgeDone(
  world: World,
  ended: Ended,
  { site, place, expected, saved }: Applied,
): Promise<{ plan: PlanSeen; requests: Requests; sent: SentImports }> {
  const events = ended.out.trim().split('\n').map(parse) as { type: string; [key: string]: unknown }[];
  const plan = events.find(({ type }) => type === 'plan')?.plan as PlanSeen | undefined;
  if (plan === undefined) throw new Violation(6, `apply shows no plan: ${ended.out}${ended.err}`);
  for (const { action, address } of plan.steps) world.note(`#   ${action} ${address}`);
  judgeSteps(plan, expected);
  const requests = await world.service.newRequests();
  const done = events.filter((one) => one.type === 'step' && (one.status as { is: string }).is === 'done');
  const steps = done.map(({ address, action }) => doneStep(String(address), String(action), plan.steps));
  const sent = sendImports(place, addressesOfImports(plan.steps));
  judgeCounts(plan, [...steps, ...sent.notDone.map((address) => ({ address, action: 'import' }))]);
  const writes = plan.steps
    .flatMap((step) => step.writes)
    .filter(({ verb }) => verb !== 'record' && verb !== 'import').length;
  judgeWrites(requests, writes + sent.writes, 'apply');
  judgeOrder(requests);
  if (plan.steps.some((step) => step.writes.length > 0)) carryOut(place, steps, { isSaved: saved !== undefined });
  judgeCode(ended, sent.refused > 0 ? 8 : plan.steps.some(isLeft) ? 4 : 0, 'apply');
  await judgeWorkspace(world);
  await world.check(() => judgeTold(world, site, steps, saved?.from));
  return { plan, requests, sent };
}

export const addressesOfImports = (steps: readonly Pick<PlannedStep, 'address' | 'action'>[]): string[] =>
  steps.filter(({ action }) => action === 'import').map(({ address }) => address);

function doneStep(address: string, action: string, steps: readonly PlannedStep[]): DoneStep {
  const planned = steps.find((step) => step.address === address);
  const retired = planned?.writes.find(({ verb }) => verb === 'retire')?.to;
  return { address, action, ...(retired === undefined ? {} : { retiredAs: retired }) };
}

/** `adopt` and `forget` change the ledger alone. */
export async function judgeOwnership(world: World, site: Site, what: 'adopt' | 'forget'): Promise<undefined> {
  const { workspace, ledger, clone } = world.placeOf(site);
  const owned = [...ledger].filter(([, { stack }]) => stack === clone.stack);
  const strangers = workspace.live.filter(
    (object) => factAbout(object, ledger) === undefined && named(workspace, object.kind, object.name).length === 1,
  );
  const addresses = what === 'forget' ? owned.map(([address]) => address) : strangers.map(addressOfObject);
  const isKnown = (address: string): boolean => what === 'forget' || !ledger.has(address);
  const possible = addresses.filter(isKnown);
  await world.service.newRequests();
  if (possible.length === 0) {
    judgeRefusal(await world.run(site, what, 'UserGroup/Nobody', '--json'), 'nobody made this object');
    judgeWrites(await world.service.newRequests(), 0, what);
    return judgeWorkspace(world);
  }
  const address = world.random.pick(possible);
  const ended = await world.run(site, what, address, '--json');
  const clash = what === 'adopt' ? renameClash(clone) : undefined;
  if (clash !== undefined) return judgeRefusal(ended, clash);
  judgeCode(ended, 0, `${what} ${address}`);
  judgeWrites(await world.service.newRequests(), 0, what);
  if (what === 'forget') ledger.delete(address);
  const object = strangers.find((one) => addressOfObject(one) === address);
  const manifest = clone.manifests.find((one) => addressOfManifest(one) === address);
  if (what === 'adopt' && object !== undefined) ledger.set(address, adoptedFact(clone, object, manifest));
  return judgeWorkspace(world);
}

/** Everything that the stack owns is deleted or renamed away, but for what is protected or referred to. */
export async function judgeDestroy(world: World, site: Site): Promise<'skipped' | undefined> {
  const place = world.placeOf(site);
  const clone = { ...place.clone, manifests: [], lists: [] };
  const expected = expectedPlan({ ...place, clone, prune: true, adopt: 'never', allowChangedDeletes: true });
  if ('error' in expected) return 'skipped';
  await world.service.newRequests();
  const confirmed = ['--yes', '--confirm', 'Embedded Workspace', '--allow', 'changed-deletes', '--json'];
  const ended = await world.run(site, 'destroy', ...confirmed);
  await judgeDone(world, ended, { site, place: { ...place, clone }, expected: expected.steps });
  return undefined;
}

/** Whether the model says of each address what becomes of it. */
export const isCertain = (expected: Expectation): expected is Exclude<Expectation, { error: string }> =>
  !('error' in expected) && [...expected.steps.values()].every(({ actions }) => actions.length === 1);

/** Whether nothing is left to do but for people. */
export const isIdle = ({ steps }: Pick<Exclude<Expectation, { error: string }>, 'steps'>): boolean =>
  [...steps.values()].every(({ actions: [action = ''] }) => isLeft({ action }));

/** Carries out in the model all that applies come to, one after the other; and how the last one ends. */
export function settle(planning: Planning): { rounds: number; code: number } {
  for (let rounds = 1; ; rounds += 1) {
    const expected = expectedPlan(planning);
    if ('error' in expected) return { rounds, code: 3 };
    const steps = [...expected.steps].map(([address, { actions }]) => ({ address, action: actions[0] ?? '' }));
    const due = steps.filter((step) => !isLeft(step) && expected.steps.get(step.address)?.isPossible !== true);
    if (due.length === 0) return { rounds, code: steps.some(isLeft) ? 4 : 0 };
    carryOut(planning, due);
    sendImports(planning, addressesOfImports(due));
  }
}
