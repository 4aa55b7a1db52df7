import { drawDisturbance, READING } from '../disturbances.js';
import { documentOf } from '../harness/folder.js';
import { RESERVATIONS } from '../harness/service.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { answerOf, judgeCode, judgeWrites, type PlanSeen } from '../laws/answers.js';
import { runUnheard, runUntil } from '../laws/disturbed.js';
import { judgeWorkspace } from '../laws/workspace.js';
import { renameClash } from '../model/plan.js';
import { Violation } from '../violation.js';
import { type Judged, type Operation, operation } from './operation.js';

const NAME = 'Housings & "co" #1';

/** Other manifests of a clone, and what they describe, stay as they are. */
const ONLY = ['--only', `NumberReservation/${NAME}`];

const NUMBERS = ['R-1', 'R-2', 'r-1', 'R-3 "x"', 'R-4'] as const;

type Wish = Readonly<{ quantity?: number; itemNumbers?: readonly string[] }>;

/** Each one asks for more than the one before it. */
function drawWishes({ random }: World): [Wish, ...Wish[]] {
  const isCounted = random.chance(50);
  const wish = (quantity: number): Wish => (isCounted ? { quantity } : { itemNumbers: NUMBERS.slice(0, quantity) });
  const larger = [2, 3, 4, 5].filter(() => random.chance(50));
  return [wish(1), ...larger.map(wish)];
}

/**
 * Numbers are reserved once, and a larger wish reserves only the further ones, no matter who of a team applies it and
 * what happens to it (laws 1, 2 and 7); in the end all of them are released. No other operation meets a reservation.
 */
async function judgeReservation(world: World, site: Site): Judged {
  if (world.sites.some(({ model }) => renameClash(model) !== undefined)) return 'skipped';
  const team = world.sites.filter(({ model }) => model.stack === site.model.stack);
  const wishes = drawWishes(world);
  let kept: readonly string[] = [];
  for (const wish of wishes) {
    for (const one of team) ask(world, one, wish);
    await reserve(world, world.random.pick(team));
    kept = await judgeNumbers(world, wish, kept);
    for (const one of team) await judgeIdle(world, one);
  }
  if (wishes.length > 1) await judgeSmaller(world, site, wishes[0], kept);
  judgeCode(await world.run(site, 'reservations', 'release', NAME, '--yes', '--json'), 0, 'reservations release');
  for (const one of team) world.write(one);
  if ((await numbersReserved(world)).length > 0) throw new Violation(1, 'Numbers stay reserved after their release.');
  return judgeWorkspace(world);
}

/** What is not reserved cannot be released. */
async function judgeNothingReserved(world: World, site: Site): Judged {
  await world.service.newRequests();
  judgeCode(await world.run(site, 'reservations', 'release', NAME, '--yes', '--json'), 3, 'release of nothing');
  judgeWrites(await world.service.newRequests(), 0, 'release of nothing');
  return judgeWorkspace(world);
}

function ask(world: World, site: Site, wish: Wish): void {
  const spec = { category: 'Item\\Mechanical', ...wish };
  world.write(site, [['manifests/reservations.yaml', documentOf({ kind: 'NumberReservation', name: NAME, spec })]]);
}

/** An apply without a fault sends one creation; after a fault, a few plain ones reserve what it would have reserved. */
async function reserve(world: World, site: Site): Promise<void> {
  const { random, service } = world;
  const writes = [{ method: 'POST', path: RESERVATIONS }] as const;
  const drawing = { ...READING, random, writes, lists: [RESERVATIONS], only: world.faults };
  const disturbance = random.chance(70) ? drawDisturbance(drawing) : undefined;
  const command = ['apply', '--yes', '--json', ...ONLY];
  await service.newRequests();
  if (disturbance === undefined) {
    judgeCode(await world.run(site, ...command), 0, 'apply of a reservation');
    return judgeWrites(await service.newRequests(), 1, 'apply of a reservation');
  }
  await world.runDisturbed(site, disturbance, ...command);
  await runUnheard(world, site, disturbance, command);
  const ended = await runUntil(world, site, { command, code: 0 });
  judgeCode(ended, 0, `apply of a reservation after "${disturbance.name}"`);
}

const numbersReserved = async ({ service }: World): Promise<string[]> =>
  (await service.list(RESERVATIONS)).flatMap(({ itemNumbers }) => itemNumbers as unknown as string[]);

/** As many as are asked for, or exactly those; what was reserved before stays. */
async function judgeNumbers(world: World, wish: Wish, kept: readonly string[]): Promise<readonly string[]> {
  const reserved = await numbersReserved(world);
  const { itemNumbers = kept, quantity = itemNumbers.length } = wish;
  const isRight = reserved.length === quantity && itemNumbers.every((number) => reserved.includes(number));
  if (!isRight || new Set(reserved).size < reserved.length)
    throw new Violation(1, `${reserved.join(', ')} are reserved, where ${JSON.stringify(wish)} is asked for.`);
  return reserved;
}

/** Where nothing is left to reserve, neither a plan nor an apply sends a write. */
async function judgeIdle(world: World, site: Site): Promise<void> {
  await world.service.newRequests();
  const ended = await world.run(site, 'plan', '--json', ...ONLY);
  judgeCode(ended, 0, 'plan of a reservation');
  const { steps } = answerOf(ended) as PlanSeen;
  if (steps.length > 0) throw new Violation(2, `The plan of what is reserved has ${steps[0]?.action}.`);
  judgeCode(await world.run(site, 'apply', '--yes', '--json', ...ONLY), 0, 'apply of what is reserved');
  judgeWrites(await world.service.newRequests(), 0, 'apply of what is reserved');
}

/** A smaller wish is left to people. */
async function judgeSmaller(world: World, site: Site, wish: Wish, kept: readonly string[]): Promise<void> {
  ask(world, site, wish);
  judgeCode(await world.run(site, 'apply', '--yes', '--json', ...ONLY), 4, 'apply of a smaller reservation');
  if ((await numbersReserved(world)).join() !== kept.join())
    throw new Violation(1, 'A smaller wish changes what is reserved.');
}

/** Reservations grow rather than change, so that no model of objects and their fields fits them. */
export const RESERVATION: readonly Operation[] = [
  operation('reserve numbers', 6, judgeReservation),
  operation('reservations release', 1, judgeNothingReserved),
];
