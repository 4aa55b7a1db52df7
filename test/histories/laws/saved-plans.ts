import type { SavedPlan, Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { kindModel } from '../model/kinds.js';
import { expectedPlan } from '../model/plan.js';
import { groundsOfRows } from '../model/rows.js';
import { type Place, situationOf } from '../model/situation.js';
import { addressOfManifest, type Manifest } from '../model/world.js';
import { Violation } from '../violation.js';
import { answerOf, judgeCode, judgeSteps, judgeWrites, type PlannedStep, type PlanSeen } from './answers.js';
import { type Asked, addressesOfImports, flagsOf, isIdle, judgeDone, planningOf } from './applies.js';
import { checkedOutBy } from './history.js';
import { judgeWorkspace } from './workspace.js';

/** What a saved plan rests on: objects as they were. */
export interface Grounds {
  /** Those that it writes to. */
  readonly touched: string;
  /** Others that it may depend on. */
  readonly near: string;
}

/** Saves a plan, and notes what it rests on. */
export async function savePlan(world: World, site: Site, asked: Asked): Promise<'skipped' | undefined> {
  const planning = planningOf(world, site, asked, 'ask');
  const expected = expectedPlan(planning);
  if ('error' in expected || isIdle(expected)) return 'skipped';
  const file = `plan-${world.commands.length}.json`;
  const ended = await world.run(site, 'plan', '--json', '--out', file, ...flagsOf(asked));
  const plan = answerOf(ended) as PlanSeen;
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
  const shown = (address: string, isWhole: boolean): string => {
    const manifest = manifests.find((one) => addressOfManifest(one) === address);
    const { object, is } =
      manifest === undefined
        ? { object: place.ledger.get(address)?.object, is: 'own' }
        : situationOf(manifest, { ...place, clone });
    const lives = object !== undefined && place.workspace.live.includes(object);
    if (!lives) return `${address} absent`;
    // Lists beside the object that the manifest does not name are neither read nor written.
    const { children } = kindModel(object.kind);
    const isSeen = (field: string): boolean =>
      isWhole || !children.includes(field) || manifest?.spec[field] !== undefined;
    const fields = Object.entries(object.fields).filter(([field]) => isSeen(field));
    return `${address} ${JSON.stringify([object.id, object.name, Object.fromEntries(fields), ...(isWhole ? [is] : [])])}`;
  };
  const written = steps
    .filter(({ writes }) => writes.some(({ verb }) => verb !== 'record'))
    .map(({ address }) => address);
  const all = [
    ...new Set([...steps.map(({ address }) => address), ...manifests.map(addressOfManifest), ...place.ledger.keys()]),
  ];
  return {
    touched: [...written.map((address) => shown(address, false)), groundsOfRows(place, addressesOfImports(steps))].join(
      '\n',
    ),
    near: [
      ...all.map((address) => shown(address, true)),
      JSON.stringify([...place.workspace.rows.records, ...place.clone.lists]),
    ].join('\n'),
  };
}

/** Law 4: a saved plan is applied if and only if nothing that it touches has changed. */
export async function judgeSaved(
  world: World,
  site: Site,
  saved: SavedPlan | undefined = site.saved[world.random.below(Math.max(1, site.saved.length))],
): Promise<'skipped' | undefined> {
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
    if (now.near === near && now.touched === touched)
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
