import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Disturbance, drawDisturbance, FOR, READING } from '../disturbances.js';
import { type Entry, PATHS, type SeenObject, type Service } from '../harness/service.js';
import type { Site } from '../harness/site.js';
import type { Target } from '../harness/target.js';
import { PLAIN_RUNS, type World } from '../harness/world.js';
import { type Json, sameValue } from '../model/kinds.js';
import { renameClash } from '../model/plan.js';
import { mayBeRefused, promotedObjects } from '../model/promote.js';
import { addressOfObject, differing, type LiveObject } from '../model/world.js';
import { Violation } from '../violation.js';
import { answerOf, isLeft, judgeCode, judgeWrites, type PlannedStep, topsOf } from './answers.js';
import { writesOf } from './disturbed.js';

/** Conditions of a trigger: none, one that manifests can express, or one that contains a GUID of its own workspace. */
export const CONDITIONS = ['none', 'on its number', 'on its creator'] as const;

type Condition = (typeof CONDITIONS)[number];

/** The end of protection, and what waits for it, have plans of their own. */
const ROUNDS = 3;

/** Law 9: a promotion brings the target what the source has and no more: nothing is widened, and no GUID goes along. */
export async function judgePromote(
  world: World,
  site: Site,
  condition: Condition,
  isDisturbed = false,
): Promise<'skipped' | undefined> {
  const place = world.placeOf(site);
  const promoted = promotedObjects(place);
  if (promoted.length === 0) return 'skipped';
  const target = await world.openTarget(site);
  // Changes have no fields of these names.
  const trigger = promoted.find(({ guid, fields }) => guid !== undefined && fields.resource === 'ITEM');
  if (trigger !== undefined) await setConditions(world, trigger, condition);
  const isUntold = trigger !== undefined && condition === 'on its creator';
  const mayRefuse = isUntold || mayBeRefused(place) || renameClash(site.model) !== undefined;
  const before = await target.service.objects();
  const planned = await promoteAll(world, site, target, { mayRefuse, isDisturbed });
  if (planned !== undefined) {
    const after = await target.service.objects();
    judgeBrought(promoted, after, planned.left);
    judgeBeside(before, after, planned.touched);
    const brought = promoted.filter((one) => !planned.left.has(addressOfObject(one)));
    await judgeWidth(world.service, target.service, brought);
  }
  await judgeGuids(world, site, target.service);
  if (trigger !== undefined) await setConditions(world, trigger, 'none');
  return undefined;
}

async function setConditions(world: World, trigger: LiveObject, condition: Condition): Promise<void> {
  const { service } = world;
  const path = `${PATHS.Trigger}/${trigger.guid}`;
  const [user] = await service.list('/settings/users');
  const conditions: Readonly<Record<Condition, readonly object[]>> = {
    none: [],
    'on its number': [{ attribute: 'number', operator: 'STARTS_WITH', value: '1' }],
    'on its creator': [{ attribute: 'creator.guid', operator: 'IS_EQUAL_TO', value: user?.guid }],
  };
  const { name, fields } = trigger;
  const body = { name, ...fields, conditions: conditions[condition] };
  const { status } = await service.call('PUT', path, body);
  if (status >= 300) throw new Violation(0, `PUT ${path}: ${status}`);
  world.note(`# somebody gives Trigger "${name}" a condition: ${condition}`);
}

/** What promotions had to do, and what they left to people. */
interface Promoted {
  readonly touched: ReadonlySet<string>;
  readonly left: ReadonlySet<string>;
}

/** Promotes until nothing is left to do; undefined where the source is refused. */
async function promoteAll(
  world: World,
  site: Site,
  target: Target,
  { mayRefuse, isDisturbed }: { readonly mayRefuse: boolean; readonly isDisturbed: boolean },
): Promise<Promoted | undefined> {
  const touched = new Set<string>();
  let allowed = isDisturbed ? 1 + PLAIN_RUNS : 1;
  for (let round = 0; ; round += 1) {
    const steps = await promotionOf(world, site, target, mayRefuse);
    if (steps === undefined) return undefined;
    const due = steps.filter((step) => !isLeft(step));
    if (due.length === 0) return { touched, left: new Set(steps.map(({ address }) => address)) };
    if (round === allowed)
      throw new Violation(9, `A promotion after one that was applied has ${due[0]?.action} ${due[0]?.address}.`);
    if (due.some(changesProtection)) allowed = Math.max(allowed, ROUNDS);
    for (const { address } of due) touched.add(address);
    await applyPromotion(world, site, steps, isDisturbed && round === 0 ? drawFor(world, target, due) : undefined);
  }
}

const changesProtection = ({ fields }: PlannedStep): boolean => fields.some(({ path }) => path === 'metadata.protect');

const PLAN = 'plan-promotion.json';

async function applyPromotion(
  world: World,
  site: Site,
  steps: readonly PlannedStep[],
  disturbance: Disturbance | undefined,
): Promise<void> {
  const command = ['apply', PLAN, '--yes', '--json'];
  if (disturbance === undefined)
    judgeCode(await world.run(site, ...command), steps.some(isLeft) ? 4 : 0, 'apply of a promotion');
  else await world.runDisturbed(site, disturbance, ...command);
  world.letTimePass();
}

/** What happens to an apply of these steps. */
function drawFor({ random, faults }: World, target: Target, due: readonly PlannedStep[]): Disturbance | undefined {
  const steps = new Map(
    due.map(({ address, action, fields }) => [address, { actions: [action], fields: topsOf(fields).split(',') }]),
  );
  const drawn = drawDisturbance({ ...READING, random, writes: writesOf({ steps }), only: faults }, FOR.promotions);
  return drawn && { ...drawn, at: target.faults };
}

async function promotionOf(
  world: World,
  site: Site,
  { service }: Target,
  mayRefuse: boolean,
): Promise<readonly PlannedStep[] | undefined> {
  for (const one of [world.service, service]) await one.newRequests();
  const ended = await world.run(site, 'promote', '--from', 'one', '--to', 'two', '--json', '--out', PLAN);
  for (const one of [world.service, service]) judgeWrites(await one.newRequests(), 0, 'promote');
  if (ended.code === 3 && mayRefuse) return undefined;
  judgeCode(ended, 0, 'promote', [4]);
  const { steps } = answerOf(ended) as { steps: readonly PlannedStep[] };
  for (const { action, address } of steps) world.note(`#   ${action} ${address}`);
  await judgeTexts(world.service, [ended.out, ended.err, readFileSync(join(site.folder, PLAN), 'utf8')], 'The plan');
  return steps;
}

/** The target has what is promoted, but for what is left to people, field by field. */
function judgeBrought(promoted: readonly LiveObject[], after: readonly SeenObject[], left: ReadonlySet<string>): void {
  for (const one of promoted) {
    const address = addressOfObject(one);
    if (left.has(address)) continue;
    const [found, ...others] = after.filter((seen) => addressOfObject(seen) === address);
    if (found === undefined || others.length > 0)
      throw new Violation(9, `${address} is ${found === undefined ? 'not' : 'more than once'} in the target.`);
    const [field] = differing(one.fields, found.fields);
    if (field !== undefined)
      throw new Violation(
        9,
        `${field} of ${address} is ${JSON.stringify(found.fields[field])} in the target, where ${JSON.stringify(one.fields[field])} is right.`,
      );
  }
}

/** Nothing comes to the target, or goes, that no plan named. */
function judgeBeside(before: readonly SeenObject[], after: readonly SeenObject[], touched: ReadonlySet<string>): void {
  const known = new Set(before.map(({ guid }) => guid));
  const fresh = after.find((one) => !known.has(one.guid) && !touched.has(addressOfObject(one)));
  if (fresh !== undefined) throw new Violation(9, `${addressOfObject(fresh)} is in the target, and no plan named it.`);
  const there = new Set(after.map(({ guid }) => guid));
  const gone = before.find(({ guid }) => !there.has(guid));
  if (gone !== undefined) throw new Violation(9, `${addressOfObject(gone)} is gone from the target.`);
}

const RESTRICTIONS = ['category', 'attributes', 'conditions'] as const;

/** A trigger that was brought to the target has each restriction that it has in the source. */
async function judgeWidth(source: Service, target: Service, brought: readonly LiveObject[]): Promise<void> {
  const names = new Set<Json | undefined>(brought.flatMap(({ kind, name }) => (kind === 'Trigger' ? [name] : [])));
  if (names.size === 0) return;
  const there = new Map((await triggersOf(source)).map((one) => [one.name, one]));
  for (const one of (await triggersOf(target)).filter(({ name }) => names.has(name))) {
    const origin = there.get(one.name);
    const lost = RESTRICTIONS.find((part) => countOf(one[part]) < countOf(origin?.[part]));
    if (lost !== undefined)
      throw new Violation(9, `Trigger "${one.name}" is in the target without the ${lost} of the source.`);
  }
}

const countOf = (value: Json | undefined): number =>
  Array.isArray(value) ? value.length : sameValue(value, null) ? 0 : 1;

const triggersOf = async (service: Service): Promise<Entry[]> =>
  Promise.all(
    (await service.list(PATHS.Trigger)).map(
      async ({ guid }) => (await service.call('GET', `${PATHS.Trigger}/${guid}`)).body,
    ),
  );

/** No GUID of the source is in the target, or in the manifests. */
async function judgeGuids({ service }: World, { files }: Site, target: Service): Promise<void> {
  const bodies = await Promise.all(
    Object.values(PATHS).map(async (path) =>
      Promise.all(
        (await target.list(path)).map(async ({ guid }) => (await target.call('GET', `${path}/${guid}`)).body),
      ),
    ),
  );
  await judgeTexts(service, [JSON.stringify(bodies)], 'The target');
  await judgeTexts(service, [...files.values()], 'A manifest');
}

async function judgeTexts(source: Service, texts: readonly string[], what: string): Promise<void> {
  const lists = await Promise.all([...Object.values(PATHS), '/settings/users'].map((path) => source.list(path)));
  const found = lists.flat().find(({ guid }) => texts.some((text) => text.includes(String(guid))));
  if (found !== undefined)
    throw new Violation(9, `${what} has the GUID of "${found.name ?? found.email}" in the source.`);
}
