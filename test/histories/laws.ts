import type { Ended } from './harness/program.js';
import type { SeenObject } from './harness/service.js';
import { type Site, Violation, type World } from './history.js';
import { type ExpectedDrift, expectedDrift } from './model/drift.js';
import { carryOut, type DoneStep, learnBeside } from './model/effects.js';
import { sameValue } from './model/kinds.js';
import { type ExpectedStep, expectedPlan, type Planning } from './model/plan.js';
import type { LiveObject } from './model/world.js';

/** What commands that plan are asked for. */
export interface Asked {
  readonly prune?: boolean;
  readonly adopt?: boolean;
  readonly allowChangedDeletes?: boolean;
}

interface PlanSeen {
  readonly steps: readonly {
    readonly address: string;
    readonly action: string;
    readonly message: string;
    readonly fields: readonly { readonly path: string }[];
    readonly writes: readonly { readonly verb: string; readonly to?: string }[];
  }[];
  readonly requests: { readonly apply: { readonly min: number; readonly max: number } };
}

const flagsOf = ({ prune, adopt, allowChangedDeletes }: Asked): string[] => [
  ...(prune === true ? ['--prune', '--allow', 'deletes', '--allow', 'empty-input'] : []),
  ...(adopt === true ? ['--adopt'] : []),
  ...(allowChangedDeletes === true ? ['--allow', 'changed-deletes'] : []),
];

/** `unasked`: what becomes of what others made, where the command does not say. */
const planningOf = (world: World, site: Site, { adopt, ...asked }: Asked, unasked: 'ask' | 'never'): Planning => ({
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
  const isBlocked = plan.steps.some(({ action }) => action === 'blocked' || action === 'manual');
  judgeCode(ended, isBlocked ? 4 : 0, 'plan');
  return undefined;
}

/** An apply does what its plan says, and what the model says; the next plan is empty but for what is left to people. */
export async function judgeApply(world: World, site: Site, asked: Asked): Promise<undefined> {
  await world.service.newRequests();
  const planning = planningOf(world, site, asked, 'never');
  const expected = expectedPlan(planning);
  const ended = await world.run(site, 'apply', '--yes', '--json', ...flagsOf(asked));
  if ('error' in expected) return judgeRefusal(ended, expected.error);
  const events = ended.out.trim().split('\n').map(parse) as { type: string; [key: string]: unknown }[];
  const plan = events.find(({ type }) => type === 'plan')?.plan as PlanSeen | undefined;
  if (plan === undefined) throw new Violation(6, `apply shows no plan: ${ended.out}${ended.err}`);
  for (const { action, address } of plan.steps) world.note(`#   ${action} ${address}`);
  judgeSteps(plan, expected.steps);
  const requests = await world.service.newRequests();
  const done = events.filter((one) => one.type === 'step' && (one.status as { is: string }).is === 'done');
  const steps = done.map(({ address, action }): DoneStep => {
    const retired = plan.steps
      .find((step) => step.address === address)
      ?.writes.find(({ verb }) => verb === 'retire')?.to;
    return {
      address: String(address),
      action: String(action),
      ...(retired === undefined ? {} : { retiredAs: retired }),
    };
  });
  judgeCounts(plan, steps);
  const writes = plan.steps.flatMap((step) => step.writes).filter(({ verb }) => verb !== 'record').length;
  judgeWrites(requests, writes, 'apply');
  judgePrice(requests.length, plan);
  for (const step of steps) carryOut(planning, step);
  if (plan.steps.some((step) => step.writes.length > 0))
    learnBeside(planning, new Set(steps.map(({ address }) => address)));
  const left = plan.steps.filter(({ action }) => action === 'blocked' || action === 'manual');
  judgeCode(ended, left.length > 0 ? 4 : 0, 'apply');
  await judgeWorkspace(world);
  return judgePlan(world, site, asked);
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
    const said = [...new Set(fields.map(({ path }) => topOf(path)))].sort().join();
    world.note(`#   ${what} ${address}: ${said}`);
    if (found === undefined) throw new Violation(3, `drift invents ${what} ${address}: ${said}`);
    if (!found.what.includes(what))
      throw new Violation(3, `${address} is ${what} by drift, where ${found.what} is right.`);
    if (what === 'changed' && said !== [...found.fields].sort().join())
      throw new Violation(3, `drift shows ${said} of ${address}, where ${found.fields} is right.`);
  }
  for (const { addresses, what, fields } of expected)
    if (![...objects.map(({ address }) => address), ...unknown].some((one) => addresses.includes(one)))
      throw new Violation(3, `drift does not show that ${addresses[0]} is ${what[0]}: ${fields}`);
  judgeWrites(await world.service.newRequests(), 0, 'drift');
  judgeCode(ended, objects.length > 0 ? 2 : 0, 'drift');
  return undefined;
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

function judgeRefusal({ code, out, err }: Ended, error: string): undefined {
  if (code !== 3) throw new Violation(6, `It ended with ${code}, though ${error}: ${out}${err}`);
  return undefined;
}

const parse = (text: string): unknown => {
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
    const tops = [...new Set(fields.map(({ path }) => topOf(path)))].sort();
    if (tops.join() !== [...step.fields].sort().join())
      throw new Violation(5, `${action} ${address} changes ${tops.join()}, where ${step.fields.join()} is right.`);
  }
  const said = new Set(steps.map(({ address }) => address));
  for (const [address, { actions }] of expected)
    if (!said.has(address))
      throw new Violation(2, `The plan has no step for ${address}, where ${actions.join(' or ')} is right.`);
}

function judgeCounts({ steps }: PlanSeen, done: readonly DoneStep[]): void {
  const meant = steps.filter(({ writes }) => writes.length > 0).map(({ address }) => address);
  const missing = meant.filter((address) => !done.some((one) => one.address === address));
  if (missing.length > 0) throw new Violation(6, `Not done, without a fault: ${missing.join(', ')}`);
}

type Requests = Awaited<ReturnType<World['service']['newRequests']>>;

const isWrite = ({ method, path }: Requests[number]): boolean => method !== 'GET' && !/\/log(in|out)$/.test(path);

function judgeWrites(requests: Requests, count: number, what: string): void {
  const writes = requests.filter(isWrite);
  if (writes.length === count) return;
  const list = writes.map(({ method, path, status }) => `${method} ${path} ${status}`).join('\n');
  throw new Violation(5, `${what} sends ${writes.length} writes, where its plan says ${count}:\n${list}`);
}

function judgePrice(_count: number, _plan: PlanSeen): void {}

function judgeCode({ code, out, err }: Ended, expected: number, what: string): void {
  if (code !== expected)
    throw new Violation(6, `${what} ended with ${code}, where ${expected} is right: ${out.slice(-1500)}${err}`);
}

/** Laws 1 and 2: the workspace is what the model says, object by object, field by field. */
export async function judgeWorkspace({ workspace, service }: World): Promise<undefined> {
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
      const found = [...left].find(({ kind, name }) => kind === object.kind && name === object.name);
      return [object, take(object, found)] as const;
    });
  for (const one of left) throw new Violation(1, `${one.kind} "${one.name}" is in the workspace, and nobody made it.`);
  for (const [object, found] of [...pairs, ...fresh]) judgeObject(object, found);
  return undefined;
}

function judgeObject(object: LiveObject, found: SeenObject): void {
  const which = `${object.kind} "${object.name}"`;
  if (object.name !== found.name) throw new Violation(1, `${which} is called "${found.name}".`);
  for (const [field, value] of Object.entries(object.fields)) {
    const is = found.fields[field];
    if (!sameValue(value, is))
      throw new Violation(1, `${field} of ${which} is ${JSON.stringify(is)}, where ${JSON.stringify(value)} is right.`);
  }
}
