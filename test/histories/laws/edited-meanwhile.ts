import { drawDisturbance, FOR, READING } from '../disturbances.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { carryOut } from '../model/effects.js';
import { canDo, type Json, kindModel, sameValue } from '../model/kinds.js';
import { expectedPlan, type Planning } from '../model/plan.js';
import { situationOf } from '../model/situation.js';
import { addressOfManifest, differing, type LiveObject, type Manifest } from '../model/world.js';
import { isCertain, judgeApply, planningOf } from './applies.js';
import { applyOf, writesOf } from './disturbed.js';
import { judgeDrift } from './drift.js';

/** So many values are drawn to find two that differ. */
const DRAWN = 12;

/**
 * Law 3: what an apply wrote is nobody's drift, also where it was killed at its only write and the manifest asks for something else
 * before the next one. `draw` gives a value that a manifest may ask for.
 */
export async function judgeEditedMeanwhile(
  world: World,
  site: Site,
  draw: (manifest: Manifest, field: string) => Json,
): Promise<'skipped' | undefined> {
  const { random, faults: only } = world;
  const place = world.placeOf(site);
  const own = site.model.manifests.filter((one) => situationOf(one, place).is === 'own');
  if (own.length === 0 || !isCertain(expectedPlan(planningOf(world, site, {}, 'never')))) return 'skipped';
  await judgeApply(world, site, {});
  const manifest = random.pick(own);
  const { children } = kindModel(manifest.kind);
  const { update } = canDo(manifest.kind, world.workspace.dialect);
  const fields = update.filter((one) => one !== 'name' && !children.includes(one));
  const { object } = situationOf(manifest, place) as { object: LiveObject };
  if (fields.length === 0) return undefined;
  const field = random.pick(fields);
  const [sent, later] = others(
    Array.from({ length: DRAWN }, () => draw(manifest, field)),
    object.fields[field],
  );
  if (sent === undefined || later === undefined) return undefined;
  const ask = (value: Json): Planning => {
    manifest.spec = { ...manifest.spec, [field]: value };
    world.write(site);
    return planningOf(world, site, {}, 'never');
  };
  const planning = ask(sent);
  const expected = expectedPlan(planning);
  if (!isCertain(expected)) return undefined;
  const writes = writesOf(expected);
  if (writes.length !== 1) return undefined;
  const disturbance = drawDisturbance({ ...READING, random, writes, only }, FOR.kills);
  if (disturbance === undefined) return undefined;
  await world.runDisturbed(site, disturbance, ...applyOf({}));
  world.letTimePass();
  const live = (await world.service.objects()).find(({ guid }) => guid === object.guid);
  if (live !== undefined && differing(manifest.spec, live.fields).length === 0)
    carryOut(planning, [{ address: addressOfManifest(manifest), action: 'update' }]);
  ask(later);
  await judgeDrift(world, site);
  return judgeApply(world, site, {});
}

/** Distinct values that are not this one. */
const others = (values: readonly Json[], than: Json | undefined): Json[] =>
  values.filter((one, index) => !sameValue(one, than) && values.findIndex((other) => sameValue(one, other)) === index);
