import { drawDisturbance, type Write } from '../disturbances.js';
import type { Ended } from '../harness/program.js';
import { PATHS, type SeenObject } from '../harness/service.js';
import type { SavedPlan, Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { type ExpectedDrift, expectedDrift } from '../model/drift.js';
import { adoptedFact, carryOut, type DoneStep } from '../model/effects.js';
import { KIND_NAMES, type KindName, kindModel, sameValue } from '../model/kinds.js';
import { type Expectation, type ExpectedStep, expectedPlan, type Planning, renameClash } from '../model/plan.js';
import { groundsOfRows, type SentImports, sendImports } from '../model/rows.js';
import { factAbout, type Place, situationOf } from '../model/situation.js';
import {
  addressOf,
  addressOfManifest,
  differing,
  type LiveObject,
  type Manifest,
  named,
  rename,
  type Workspace,
} from '../model/world.js';
import { Violation } from '../violation.js';
import { checkedOutBy, judgeTold } from './history.js';
import { judgeRecords } from './rows.js';

/** What commands that plan are asked for. */
export interface Asked {
  readonly prune?: boolean;
  readonly adopt?: boolean;
  readonly allowChangedDeletes?: boolean;
  /** Addresses that the command is about, and no others. */
  readonly only?: readonly string[];
}

/** A step as plans show it. */
export interface PlannedStep {
  readonly address: string;
  readonly action: string;
  readonly message: string;
  readonly fields: readonly { readonly path: string }[];
  readonly writes: readonly { readonly verb: string; readonly to?: string }[];
  readonly consent?: 'given' | 'asked';
}

/** What a saved plan rests on: objects as they were. */
export interface Grounds {
  /** Those that it writes to. */
  readonly touched: string;
  /** Those too that it may depend on. */
  readonly near: string;
}

interface PlanSeen {
  readonly steps: readonly PlannedStep[];
  readonly requests: { readonly used: number; readonly apply: { readonly min: number; readonly max: number } };
}

const flagsOf = ({ prune, adopt, allowChangedDeletes, only = [] }: Asked): string[] => [
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
  const plan = parse(ended.out) as PlanSeen;
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
  return judgePlan(world, site, asked);
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
async function judgeDone(
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
  if (plan.steps.some((step) => step.writes.length > 0)) carryOut(place, steps);
  judgeCode(ended, sent.refused > 0 ? 8 : plan.steps.some(isLeft) ? 4 : 0, 'apply');
  await judgeWorkspace(world);
  await judgeTold(world, site, steps, saved?.from);
  return { plan, requests, sent };
}

const addressesOfImports = (steps: readonly Pick<PlannedStep, 'address' | 'action'>[]): string[] =>
  steps.filter(({ action }) => action === 'import').map(({ address }) => address);

function doneStep(address: string, action: string, steps: readonly PlannedStep[]): DoneStep {
  const planned = steps.find((step) => step.address === address);
  const retired = planned?.writes.find(({ verb }) => verb === 'retire')?.to;
  return { address, action, ...(retired === undefined ? {} : { retiredAs: retired }) };
}

const addressOfObject = ({ kind, name }: LiveObject): string => addressOf(kind, name);

export const isLeft = ({ action }: { readonly action: string }): boolean => action === 'blocked' || action === 'manual';

/** `adopt` and `forget` change the ledger alone. */
export async function judgeOwnership(
  world: World,
  site: Site,
  what: 'adopt' | 'forget',
): Promise<'skipped' | undefined> {
  const { workspace, ledger, clone } = world.placeOf(site);
  const owned = [...ledger].filter(([, { stack }]) => stack === clone.stack);
  const strangers = workspace.live.filter(
    (object) => factAbout(object, ledger) === undefined && named(workspace, object.kind, object.name).length === 1,
  );
  const addresses = what === 'forget' ? owned.map(([address]) => address) : strangers.map(addressOfObject);
  const isKnown = (address: string): boolean => what === 'forget' || !ledger.has(address);
  const possible = addresses.filter(isKnown);
  if (possible.length === 0) return 'skipped';
  const address = world.random.pick(possible);
  await world.service.newRequests();
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

/** Saves a plan, and notes what it rests on. */
export async function savePlan(world: World, site: Site, asked: Asked): Promise<'skipped' | undefined> {
  const planning = planningOf(world, site, asked, 'ask');
  const expected = expectedPlan(planning);
  if ('error' in expected || [...expected.steps].every(([, step]) => isLeft({ action: step.actions[0] ?? '' })))
    return 'skipped';
  const file = `plan-${site.saved.length + 1}.json`;
  const ended = await world.run(site, 'plan', '--json', '--out', file, ...flagsOf(asked));
  const plan = parse(ended.out) as PlanSeen;
  judgeSteps(plan, expected.steps);
  const { manifests, lists } = structuredClone(site.model);
  const { steps } = plan;
  const from = checkedOutBy(site);
  site.saved.push({ file, asked, manifests, lists, steps, from, ...groundsOf(planning, steps, manifests) });
  return undefined;
}

/** The objects that a plan writes to, and those that it only names, as they are. */
function groundsOf(place: Place, steps: readonly PlannedStep[], manifests: readonly Manifest[]): Grounds {
  const clone = { ...place.clone, manifests: [...manifests] };
  const shown = (address: string): string => {
    const manifest = manifests.find((one) => addressOfManifest(one) === address);
    const object =
      manifest === undefined ? place.ledger.get(address)?.object : situationOf(manifest, { ...place, clone }).object;
    const lives = object !== undefined && place.workspace.live.includes(object);
    return `${address} ${lives ? JSON.stringify([object.id, object.name, object.fields]) : 'absent'}`;
  };
  const written = steps
    .filter(({ writes }) => writes.some(({ verb }) => verb !== 'record'))
    .map(({ address }) => address);
  const all = [
    ...new Set([...steps.map(({ address }) => address), ...manifests.map(addressOfManifest), ...place.ledger.keys()]),
  ];
  return {
    touched: [...written.map(shown), groundsOfRows(place, addressesOfImports(steps))].join('\n'),
    near: [...all.map(shown), JSON.stringify([...place.workspace.rows.records, ...place.clone.lists])].join('\n'),
  };
}

/** Law 4: a saved plan is applied if and only if nothing that it touches has changed. */
export async function judgeSaved(world: World, site: Site): Promise<'skipped' | undefined> {
  const saved = site.saved[world.random.below(Math.max(1, site.saved.length))];
  if (saved === undefined) return 'skipped';
  site.saved.splice(site.saved.indexOf(saved), 1);
  const { file, manifests, lists, steps, touched, near, asked } = saved;
  const now = groundsOf(world.placeOf(site), steps, manifests);
  const place = { ...world.placeOf(site), clone: { ...site.model, manifests: [...manifests], lists: [...lists] } };
  await world.service.newRequests();
  const ended = await world.run(site, 'apply', file, '--yes', '--json');
  const isConsent = steps.some(({ consent }) => consent === 'asked');
  if (isConsent && asked.adopt !== true) {
    judgeCode(ended, 3, 'apply of a saved plan that nobody agreed to', [5]);
    return undefined;
  }
  if (ended.code === 5) {
    if (now.near === near)
      throw new Violation(4, `${file} is stale, and nothing has changed: ${ended.out}${ended.err}`);
    judgeWrites(await world.service.newRequests(), 0, 'a stale plan');
    return judgeWorkspace(world);
  }
  if (now.touched !== touched)
    throw new Violation(4, `${file} was applied, though this changed:\n${touched}\nto\n${now.touched}`);
  const expected = new Map(steps.map(({ address, action }) => [address, { actions: [action] }]));
  await judgeDone(world, ended, { site, place, expected, saved });
  return undefined;
}

/** Applies that people type after a fault, at most. */
const PLAIN_RUNS = 3;

/** Law 7: whatever happens to an apply, a few plain ones end where it would have ended. */
export async function judgeDisturbed(world: World, site: Site, asked: Asked): Promise<'skipped' | undefined> {
  const planning = planningOf(world, site, asked, 'never');
  const expected = expectedPlan(planning);
  if (!isCertain(expected)) return 'skipped';
  const disturbance = drawDisturbance({
    random: world.random,
    writes: writesOf(expected),
    imports: [...expected.steps.values()].filter(({ actions }) => actions[0] === 'import').length,
    lists: listsOf(planning),
    only: world.faults,
  });
  if (disturbance === undefined) return 'skipped';
  const command = ['apply', '--yes', '--json', ...flagsOf(asked)];
  for (const address of formersIn(expected, planning)) world.workspace.halfRenamed.add(address);
  await world.runDisturbed(site, disturbance, ...command);
  const { rounds, code } = settle(planning);
  let ended: Ended | undefined;
  for (let count = 0; count < PLAIN_RUNS + rounds - 1 && (ended === undefined || ended.code !== code); count += 1) {
    world.letTimePass();
    ended = await world.run(site, ...command);
  }
  // One that ends well may have left something to the next one, as the end of protection does.
  for (let count = 1; count < rounds; count += 1) ended = await world.run(site, ...command);
  if (ended !== undefined) judgeCode(ended, code, `apply after "${disturbance.name}"`);
  await judgeWorkspace(world);
  return judgePlan(world, site, asked);
}

/** Lists that may hide objects: where the service does not keep names unique, only what the ledger knows is told from what is gone. */
function listsOf({ workspace, ledger, clone }: Place): string[] {
  const known = new Set([...ledger.values()].map(({ object }) => object));
  const names = new Set(clone.manifests.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
  const isSafe = (kind: KindName): boolean =>
    kindModel(kind).names === 'unique' ||
    workspace.live.every((one) => one.kind !== kind || known.has(one) || !names.has(one.name));
  return KIND_NAMES.filter(isSafe).map((kind) => PATHS[kind]);
}

/** Whether the model says of each address what becomes of it. */
export const isCertain = (expected: Expectation): expected is Exclude<Expectation, { error: string }> =>
  !('error' in expected) && [...expected.steps.values()].every(({ actions }) => actions.length === 1);

/** Addresses that the ledger gives up with what an apply renames. */
const formersIn = ({ steps }: Exclude<Expectation, { error: string }>, planning: Planning): string[] =>
  planning.clone.manifests.flatMap((one) => {
    const { knownAs } = situationOf(one, planning);
    return knownAs === undefined || !steps.has(addressOfManifest(one)) ? [] : [knownAs];
  });

/** What an apply is to send. */
const writesOf = ({ steps }: { readonly steps: ReadonlyMap<string, ExpectedStep> }): Write[] =>
  [...steps].flatMap(([address, step]) => writesOfStep(address, step));

const OF_IMPORT: Write[] = [
  { method: 'POST', path: '/imports/*/runs' },
  { method: 'PUT', path: '/imports/*/runs/*' },
];

function writesOfStep(address: string, { actions: [action], fields = [] }: ExpectedStep): Write[] {
  const slash = address.indexOf('/');
  const [kind, name] = [address.slice(0, slash), address.slice(slash + 1)];
  if (kind === 'Import') return action === 'import' ? OF_IMPORT : [];
  const path = PATHS[kind as KindName];
  const { children } = kindModel(kind as KindName);
  const own = { method: 'PUT', path: `${path}/*` } as const;
  const creation = { method: 'POST', path, body: name } as const;
  const isOfChildren = fields.length > 0 && fields.every((field) => children.includes(field));
  const child = ['POST', 'DELETE'].map((method) => ({ method, path: `${path}/*/*` }) as Write);
  const writes: Readonly<Record<string, readonly Write[]>> = {
    create: [creation],
    update: isOfChildren ? child : [{ ...own, body: name }],
    rename: [{ ...own, body: name }],
    replace: [own, creation],
    retire: [own],
    delete: [{ method: 'DELETE', path: `${path}/*` }],
  };
  return [...(writes[action ?? ''] ?? [])];
}

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

/** Law 3: `drift` names what people changed since each field's base was set: nothing is missing, nothing is invented. */
export async function judgeDrift(world: World, site: Site): Promise<undefined> {
  await world.service.newRequests();
  const ended = await world.run(site, 'drift', '--json');
  const place = world.placeOf(site);
  const plan = expectedPlan({ ...place, adopt: 'ask' });
  if ('error' in plan) return judgeRefusal(ended, plan.error);
  const expected = expectedDrift(place);
  const { objects, unknown } = parse(ended.out) as DriftSeen;
  const isAbout = (address: string) => (one: ExpectedDrift) => one.addresses.includes(address);
  for (const { address, what, fields } of objects) {
    const found = expected.find(isAbout(address));
    const said = topsOf(fields);
    world.note(`#   ${what} ${address}: ${said}`);
    if (found === undefined) throw new Violation(3, `drift invents ${what} ${address}: ${said}`);
    if (!found.what.includes(what))
      throw new Violation(3, `${address} is ${what} by drift, where ${found.what} is right.`);
    if (what === 'changed' && !isSaid(fields, found))
      throw new Violation(3, `drift shows ${said} of ${address}, where ${found.fields} is right.`);
  }
  for (const { addresses, what, fields, perhaps = [] } of expected)
    if (
      (fields.length > 0 || perhaps.length === 0) &&
      ![...objects.map(({ address }) => address), ...unknown].some((one) => addresses.includes(one))
    )
      throw new Violation(3, `drift does not show that ${addresses[0]} is ${what[0]}: ${fields}`);
  judgeWrites(await world.service.newRequests(), 0, 'drift');
  judgeCode(ended, objects.length > 0 ? 2 : 0, 'drift');
  return undefined;
}

function isSaid(shown: readonly { readonly path: string }[], { fields, perhaps = [] }: ExpectedDrift): boolean {
  const said = new Set(shown.map(({ path }) => topOf(path)));
  return (
    fields.every((field) => said.has(field)) && [...said].every((field) => [...fields, ...perhaps].includes(field))
  );
}

interface DriftSeen {
  /** Objects that are not told from others. */
  readonly unknown: readonly string[];
  readonly objects: readonly {
    readonly address: string;
    readonly what: string;
    readonly fields: readonly { readonly path: string }[];
  }[];
}

/** The field of the spec, or what stands in the metadata, that a path leads into. */
const topOf = (path: string): string => (path.startsWith('metadata.') ? path : (path.split(/[.[]/)[0] ?? ''));

const topsOf = (fields: readonly { readonly path: string }[]): string =>
  [...new Set(fields.map(({ path }) => topOf(path)))].sort().join();

export function judgeRefusal({ code, out, err }: Ended, error: string): undefined {
  if (code !== 3) throw new Violation(6, `It ended with ${code}, though ${error}: ${out}${err}`);
  return undefined;
}

export const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Violation(6, `This is no JSON: ${text.slice(0, 500)}`);
  }
};

function judgeSteps({ steps }: PlanSeen, expected: ReadonlyMap<string, ExpectedStep>): void {
  for (const { address, action, fields, message } of steps) {
    const step = expected.get(address);
    if (step === undefined) throw new Violation(2, `The plan has a step too many: ${action} ${address} (${message})`);
    if (!step.actions.includes(action))
      throw new Violation(
        2,
        `The plan has ${action} ${address} (${message}), where ${step.actions.join(' or ')} is right.`,
      );
    if (step.fields === undefined || action === 'blocked') continue;
    const tops = topsOf(fields);
    if (tops !== [...step.fields].sort().join())
      throw new Violation(5, `${action} ${address} changes ${tops}, where ${step.fields.join()} is right.`);
  }
  const said = new Set(steps.map(({ address }) => address));
  for (const [address, { actions, isPossible }] of expected)
    if (!said.has(address) && isPossible !== true)
      throw new Violation(2, `The plan has no step for ${address}, where ${actions.join(' or ')} is right.`);
}

function judgeCounts({ steps }: PlanSeen, done: readonly DoneStep[]): void {
  const meant = steps.filter(({ writes }) => writes.length > 0).map(({ address }) => address);
  const missing = meant.filter((address) => !done.some((one) => one.address === address));
  if (missing.length > 0) throw new Violation(6, `Not done, without a fault: ${missing.join(', ')}`);
}

type Requests = Awaited<ReturnType<World['service']['newRequests']>>;

const isWrite = ({ method, path }: Requests[number]): boolean => method !== 'GET' && !/\/log(in|out)$/.test(path);

export function judgeWrites(requests: Requests, count: number, what: string): void {
  const writes = requests.filter(isWrite);
  if (writes.length === count) return;
  const list = writes.map(({ method, path, status }) => `${method} ${path} ${status}`).join('\n');
  throw new Violation(5, `${what} sends ${writes.length} writes, where its plan says ${count}:\n${list}`);
}

/** Law 1: a list that only exchanges entries is never empty in between, since nobody agreed to that. */
function judgeOrder(requests: Requests): void {
  const removed = new Set<string>();
  for (const { method, path } of requests) {
    const [, list, entry] = /^(\/.+\/[A-Z0-9]{20}\/[a-z]+)(\/[A-Z0-9]{20})?$/.exec(path) ?? [];
    if (list === undefined) continue;
    if (method === 'DELETE' && entry !== undefined) removed.add(list);
    if (method === 'POST' && removed.has(list))
      throw new Violation(1, `Entries of ${list} are removed before others are added.`);
  }
}

/**
 * What an apply takes beside its plan is within what the plan says. Rows that are rejected are not committed, and cost less; polls
 * of a run count once, since pauses are shorter here than in life.
 */
function judgePrice(requests: Requests, { requests: { used, apply } }: PlanSeen, { notDone }: SentImports): void {
  const taken = requests.length - used;
  const polls = requests.filter(({ method, path }) => method === 'GET' && /^\/imports\/\w+\/runs\/\w+$/.test(path));
  const repeated = polls.length - new Set(polls.map(({ path }) => path)).size;
  if ((taken < apply.min && notDone.length === 0) || taken - repeated > apply.max)
    throw new Violation(5, `apply took ${taken} requests, where its plan says ${apply.min} to ${apply.max}.`);
}

export function judgeCode(
  { code, out, err }: Ended,
  expected: number,
  what: string,
  others: readonly number[] = [],
): void {
  if (code !== expected && !others.includes(Number(code)))
    throw new Violation(6, `${what} ended with ${code}, where ${expected} is right: ${err}${out.slice(-600)}`);
}

/** Laws 1 and 2: the workspace is what the model says, object by object, field by field. */
export async function judgeWorkspace(world: World): Promise<undefined> {
  const { workspace, service } = world;
  await judgeRecords(world);
  const seen = await service.objects();
  const left = new Set(seen);
  const take = (object: LiveObject, found: SeenObject | undefined): SeenObject => {
    if (found === undefined) throw new Violation(1, `${object.kind} "${object.name}" is missing in the workspace.`);
    left.delete(found);
    object.guid = found.guid;
    return found;
  };
  const byGuid = new Map(seen.map((one) => [one.guid, one]));
  const known = workspace.live.filter(({ guid }) => guid !== undefined);
  const pairs = known.map((object) => [object, take(object, byGuid.get(object.guid ?? ''))] as const);
  const fresh = workspace.live
    .filter(({ guid }) => guid === undefined)
    .map((object) => {
      const alike = [...left].filter((one) => one.kind === object.kind && mayBe(object, one.name));
      const found = alike.find(({ fields }) => differing(object.fields, fields).length === 0) ?? alike[0];
      return [object, take(object, found)] as const;
    });
  for (const one of left) throw new Violation(1, `${one.kind} "${one.name}" is in the workspace, and nobody made it.`);
  for (const [object, found] of [...pairs, ...fresh]) judgeObject(workspace, object, found);
  return undefined;
}

/** Whether an object has the name, or one like it that a plan chose which nobody saw. */
const mayBe = ({ name, retiredFrom }: LiveObject, found: string): boolean =>
  found === name || (retiredFrom !== undefined && found.startsWith(`${retiredFrom} ~retired`));

function judgeObject(workspace: Workspace, object: LiveObject, found: SeenObject): void {
  const which = `${object.kind} "${object.name}"`;
  if (object.retiredFrom !== undefined && mayBe(object, found.name)) {
    rename(workspace, object, found.name);
    delete object.retiredFrom;
  }
  if (object.name !== found.name) throw new Violation(1, `${which} is called "${found.name}".`);
  for (const [field, value] of Object.entries(object.fields)) {
    const is = found.fields[field];
    if (!sameValue(value, is))
      throw new Violation(1, `${field} of ${which} is ${JSON.stringify(is)}, where ${JSON.stringify(value)} is right.`);
  }
}
