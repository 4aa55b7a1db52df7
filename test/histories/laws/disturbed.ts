import { type Disturbance, drawDisturbance, type Write } from '../disturbances.js';
import type { Ended } from '../harness/program.js';
import { PATHS } from '../harness/service.js';
import type { Site } from '../harness/site.js';
import { PLAIN_RUNS, type World } from '../harness/world.js';
import { KIND_NAMES, type KindName, kindModel } from '../model/kinds.js';
import { type ExpectedStep, expectedPlan, type Planning } from '../model/plan.js';
import type { Place } from '../model/situation.js';
import { addressOfManifest, type Manifest, named } from '../model/world.js';
import { judgeCode } from './answers.js';
import { type Asked, flagsOf, isCertain, judgePlan, planningOf, settle } from './applies.js';
import { judgeCutOff } from './history.js';
import { judgeWorkspace } from './workspace.js';

/** Law 7: no matter what happens to an apply, a few plain ones end where it would have ended. */
export async function judgeDisturbed(world: World, site: Site, asked: Asked): Promise<'skipped' | undefined> {
  const planning = planningOf(world, site, asked, 'never');
  const expected = expectedPlan(planning);
  if (!isCertain(expected) || hasBothNames(planning)) return 'skipped';
  const disturbance = drawDisturbance({
    random: world.random,
    writes: writesOf(expected),
    imports: [...expected.steps.values()].filter(({ actions }) => actions[0] === 'import').length,
    lists: listsOf(planning),
    crowd: world.crowd,
    only: world.faults,
  });
  if (disturbance === undefined) return 'skipped';
  const struck = world.disturbances.length;
  const first = await world.runDisturbed(site, disturbance, ...applyOf(asked));
  if (world.disturbances.length > struck) await judgeCutOff(world, site, disturbance);
  return judgeEnd(world, site, asked, { disturbance, first, planning });
}

/** Whether a manifest could mean two objects: if its own one gets lost, the one with the former name takes its place. */
const hasBothNames = ({ clone, workspace }: Place): boolean =>
  clone.manifests.some(
    ({ kind, name, renamedFrom = '' }) =>
      named(workspace, kind, name).length > 0 && named(workspace, kind, renamedFrom).length > 0,
  );

export const applyOf = (asked: Asked): string[] => ['apply', '--yes', '--json', ...flagsOf(asked)];

/** An apply that was disturbed. */
interface Disturbed {
  readonly disturbance: Disturbance;
  readonly first: Ended;
  /** As it was before. */
  readonly planning: Planning;
}

/** A few plain runs of a command that was disturbed end where it would have ended. */
export async function judgeEnd(
  world: World,
  site: Site,
  asked: Asked,
  { disturbance, first, planning }: Disturbed,
): Promise<undefined> {
  const command = applyOf(asked);
  const { rounds, code } = settle(planning);
  if (first.code === 0 && rounds === 1) await judgeWorkspace(world);
  await runUnheard(world, site, disturbance, command);
  let ended = await runUntil(world, site, { command, code, atMost: PLAIN_RUNS + rounds - 1 });
  // One that ends well may have left something to the next one, as the end of protection does.
  for (let count = 1; count < rounds; count += 1) ended = await world.run(site, ...command);
  judgeCode(ended, code, `apply after "${disturbance.name}"`);
  await judgeWorkspace(world);
  return world.check(() => judgePlan(world, site, asked));
}

/** Runs a command once more while the service does not show yet what a disturbed one wrote. */
export async function runUnheard(
  world: World,
  site: Site,
  { unheard: [rule, ...beside] = [] }: Disturbance,
  command: readonly string[],
): Promise<void> {
  if (rule !== undefined)
    await world.runDisturbed(site, { name: 'what was written does not show yet', rule, beside }, ...command);
}

/** Runs a command as people do after a fault: until it ends with this code, or as often as is right. */
export async function runUntil(
  world: World,
  site: Site,
  {
    command,
    code,
    atMost = PLAIN_RUNS,
  }: { readonly command: readonly string[]; readonly code: number; readonly atMost?: number },
): Promise<Ended> {
  for (let count = 1; ; count += 1) {
    world.letTimePass();
    const ended = await world.run(site, ...command);
    if (ended.code === code || count === atMost) return ended;
  }
}

/**
 * Lists that may say too little, or what was true before. Where the service does not keep names unique, only the ledger
 * distinguishes known objects from deleted ones. An earlier name counts as one that people gave the object, and a
 * manifest that has that name as the object's.
 */
function listsOf({ workspace, ledger, clone }: Place): string[] {
  const known = new Set([...ledger.values()].map(({ object }) => object));
  const names = new Set(clone.manifests.flatMap(({ name, renamedFrom = name }) => [name, renamedFrom]));
  const described = new Set(clone.manifests.map(addressOfManifest));
  const isNew = (manifest: Manifest): boolean => !ledger.has(addressOfManifest(manifest));
  const isRenamed = (kind: KindName): boolean =>
    clone.manifests.some((manifest) => manifest.kind === kind && isNew(manifest)) &&
    [...ledger].some(([address, { object }]) => object.kind === kind && !described.has(address));
  const isKnown = (kind: KindName): boolean =>
    kindModel(kind).names === 'unique' ||
    workspace.live.every((one) => one.kind !== kind || known.has(one) || !names.has(one.name));
  return KIND_NAMES.filter((kind) => isKnown(kind) && !isRenamed(kind)).map((kind) => PATHS[kind]);
}

/** What an apply is to send. */
export const writesOf = ({ steps }: { readonly steps: ReadonlyMap<string, ExpectedStep> }): Write[] =>
  [...steps].flatMap(([address, step]) => writesOfStep(address, step));

/** What an import sends. */
export const OF_IMPORT: Write[] = [
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
