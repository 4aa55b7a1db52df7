import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeCode, judgeWrites } from '../laws/answers.js';
import { judgeApply, judgeDestroy, judgeOwnership, judgePlan } from '../laws/applies.js';
import { judgeDisturbed } from '../laws/disturbed.js';
import { judgeDrift } from '../laws/drift.js';
import { judgeSaved, savePlan } from '../laws/saved-plans.js';
import { judgeWorkspace } from '../laws/workspace.js';
import { canDo, type Json, KIND_NAMES, kindModel, NAMES } from '../model/kinds.js';
import type { LiveObject, Manifest } from '../model/world.js';
import { ATTRIBUTE } from './attributes.js';
import { BOM_OPERATIONS } from './bom.js';
import { BOTH_SIDES } from './both-sides.js';
import {
  addManifest,
  createLive,
  deleteLive,
  drawFields,
  drawValue,
  editableFields,
  editLive,
  FILES,
  recreateLive,
  renameLive,
  renameTo,
} from './changes.js';
import { HISTORY } from './history.js';
import { LEDGER } from './ledgers.js';
import { edit, type Judged, type Operation, operation, somewhere } from './operation.js';
import { PROMOTION } from './promotions.js';
import { RESERVATION } from './reservations.js';
import { ROW_OPERATIONS } from './rows.js';
import { TEAM } from './teams.js';
import { TROUBLES } from './troubles.js';
import { WORLD } from './world.js';

/** Changes the manifests of a clone. */
const editing = (name: string, weight: number, change: (world: World, manifests: Manifest[]) => boolean): Operation =>
  edit(name, weight, async (world, site) => {
    if (!change(world, site.model.manifests)) return 'skipped';
    world.write(site);
    return undefined;
  });

const onOne = (
  name: string,
  weight: number,
  change: (world: World, one: Manifest, all: Manifest[]) => boolean,
): Operation => editing(name, weight, (world, all) => all.length > 0 && change(world, world.random.pick(all), all));

function editFields(world: World, one: Manifest, all: readonly Manifest[]): true {
  const { random } = world;
  const fields = Array.from({ length: 1 + random.below(3) }, () =>
    random.pick(Object.keys(kindModel(one.kind).fields)),
  );
  for (const field of fields) one.spec = { ...one.spec, [field]: drawValue(world, all, one.kind, field) };
  return true;
}

const ENGINEER: readonly Operation[] = [
  editing('create', 14, addManifest),
  onOne('edit', 10, editFields),
  onOne('write in another order', 3, (_, one) => {
    const lists = Object.entries(one.spec).filter(([, value]) => Array.isArray(value) && value.length > 1);
    for (const [field, value] of lists) one.spec = { ...one.spec, [field]: (value as Json[]).toReversed() };
    return lists.length > 0;
  }),
  onOne('release a field', 3, (world, one) => {
    const free = Object.keys(one.spec).filter((field) => kindModel(one.kind).fields[field]?.required !== true);
    if (free.length === 0) return false;
    const { [world.random.pick(free)]: _, ...spec } = one.spec;
    one.spec = spec;
    return true;
  }),
  onOne('rename with renamedFrom', 4, (world, one, all) => {
    const former = renameTo(world, one, all);
    if (former === undefined) return false;
    one.renamedFrom = former;
    return true;
  }),
  onOne('rename', 2, (world, one, all) => {
    if (renameTo(world, one, all) === undefined) return false;
    delete one.renamedFrom;
    return true;
  }),
  onOne('remove', 4, (_, one, all) => {
    all.splice(all.indexOf(one), 1);
    return true;
  }),
  onOne('move', 2, (world, one) => {
    one.file = world.random.pick(FILES);
    return true;
  }),
  onOne('protect', 3, (world, one) => {
    one.protect = world.random.chance(60);
    return true;
  }),
  edit('merge', 3, merge, { needs: { clones: 2, second: 'team' } }),
];

/** Protection ends together with changes that it was in the way of. */
async function protectionThereAndBack(world: World, site: Site): Judged {
  const { manifests } = site.model;
  if (manifests.length === 0) return 'skipped';
  const one = world.random.pick(manifests);
  one.protect = true;
  world.write(site);
  await judgeApply(world, site, {});
  one.protect = false;
  editFields(world, one, manifests);
  world.write(site);
  return judgeApply(world, site, {});
}

/** A value of a closed list without one of its letters is refused before a request is spent. */
async function judgeTypo(world: World, site: Site): Judged {
  const typed = site.model.manifests.flatMap((one) =>
    Object.entries(one.spec).flatMap(([field, value]) =>
      typeof value === 'string' && /^[A-Z_]{4,}$/.test(value) ? [{ one, field, value }] : [],
    ),
  );
  if (typed.length === 0) return 'skipped';
  const { one, field, value } = world.random.pick(typed);
  const at = 1 + world.random.below(value.length - 2);
  const { spec } = one;
  one.spec = { ...spec, [field]: value.slice(0, at) + value.slice(at + 1) };
  world.write(site);
  await world.service.newRequests();
  judgeCode(await world.run(site, 'apply', '--yes', '--json'), 3, `apply with a typo in ${field}`);
  judgeWrites(await world.service.newRequests(), 0, 'an apply with a typo');
  one.spec = spec;
  world.write(site);
  return judgeWorkspace(world);
}

/** Takes the manifests of a colleague, as a merge does. */
async function merge(world: World, site: Site): Judged {
  const [other] = world.sites.filter((one) => one !== site);
  if (other === undefined || other.model.stack !== site.model.stack) return 'skipped';
  Object.assign(site.model, structuredClone({ manifests: other.model.manifests, lists: other.model.lists }));
  world.write(site);
  return undefined;
}

const COMMANDS: readonly Operation[] = [
  operation('protection there and back', 4, protectionThereAndBack),
  operation('typo', 2, judgeTypo),
  operation('plan', 6, (world, site) => judgePlan(world, site, {})),
  operation('drift', 8, (world, site) => judgeDrift(world, site)),
  operation('plan --prune', 2, (world, site) => judgePlan(world, site, { prune: true })),
  operation('plan --adopt', 1, (world, site) => judgePlan(world, site, { adopt: true })),
  operation('plan --prune --adopt', 1, (world, site) => judgePlan(world, site, { prune: true, adopt: true })),
  operation('apply', 18, (world, site) => judgeApply(world, site, {})),
  operation('apply --adopt', 5, (world, site) => judgeApply(world, site, { adopt: true })),
  operation('apply --prune', 5, (world, site) => judgeApply(world, site, { prune: true })),
  operation('apply --prune --adopt', 1, (world, site) => judgeApply(world, site, { prune: true, adopt: true })),
  operation('plan --out', 6, (world, site) =>
    savePlan(world, site, {
      prune: world.random.chance(40),
      adopt: true,
      allowChangedDeletes: world.random.chance(50),
    }),
  ),
  operation('adopt', 2, (world, site) => judgeOwnership(world, site, 'adopt')),
  operation('forget', 2, (world, site) => judgeOwnership(world, site, 'forget')),
  operation('destroy', 1, (world, site) => judgeDestroy(world, site)),
  somewhere('apply PLAN', 6, (world, site) => judgeSaved(world, site)),
  operation('disturbed apply', 60, (world, site) => {
    // What has nothing to send meets few faults.
    if (world.random.chance(60) && addManifest(world, site.model.manifests)) world.write(site);
    const asked = { prune: world.random.chance(40), adopt: world.random.chance(20), allowChangedDeletes: true };
    return judgeDisturbed(world, site, asked);
  }),
  operation('apply --prune --allow changed-deletes', 3, (world, site) =>
    judgeApply(world, site, { prune: true, allowChangedDeletes: true }),
  ),
];

/** Does something to a live object, as people do in the service's own pages. */
const byHand = (name: string, weight: number, act: (world: World, object: LiveObject) => Promise<boolean>): Operation =>
  edit(name, weight, async (world) => {
    const { live } = world.workspace;
    if (live.length === 0) return 'skipped';
    const done = await act(world, world.random.pick(ofManifests(world, live)));
    if (!done) return 'skipped';
    await judgeWorkspace(world);
    return undefined;
  });

/** More often than not, people change what manifests are about. */
function ofManifests({ random, sites }: World, live: readonly LiveObject[]): readonly LiveObject[] {
  const { manifests } = random.pick(sites).model;
  const names = new Set(
    manifests.flatMap(({ kind, name, renamedFrom }) => [`${kind}/${name}`, `${kind}/${renamedFrom}`]),
  );
  const described = live.filter(({ kind, name }) => names.has(`${kind}/${name}`));
  return described.length > 0 && random.chance(70) ? described : live;
}

const PEOPLE: readonly Operation[] = [
  edit('by hand: create', 3, async (world) => {
    const { random, workspace } = world;
    const kind = random.pick(KIND_NAMES);
    const name = random.pick(NAMES);
    if (canDo(kind, workspace.dialect).create === 'no') return 'skipped';
    if (workspace.live.some((one) => one.kind === kind && one.name === name)) return 'skipped';
    await createLive(world, kind, name, drawFields(world, kind));
    await judgeWorkspace(world);
    return undefined;
  }),
  byHand('by hand: edit', 10, async (world, object) => {
    const fields = editableFields(object, world);
    return fields.length > 0 && editLive(world, object, world.random.pick(fields));
  }),
  byHand('by hand: rename', 3, renameLive),
  byHand('by hand: delete', 3, deleteLive),
  byHand('by hand: delete and create anew', 2, recreateLive),
];

/** Everything that happens in histories. A new feature joins by adding its operations here. */
export const OPERATIONS: readonly Operation[] = [
  ...ENGINEER,
  ...COMMANDS,
  ...TEAM,
  ...PEOPLE,
  ...BOTH_SIDES,
  ...WORLD,
  ...LEDGER,
  ...ROW_OPERATIONS,
  ...BOM_OPERATIONS,
  ...HISTORY,
  ...PROMOTION,
  ...TROUBLES,
  ...RESERVATION,
  ...ATTRIBUTE,
];
