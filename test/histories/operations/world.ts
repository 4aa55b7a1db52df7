import { OF_PROGRAM, unknown } from '../disturbances.js';
import { PATHS } from '../harness/service.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeCode, judgeWrites } from '../laws/answers.js';
import { isCertain, isIdle, judgeApply, judgePlan, settle } from '../laws/applies.js';
import { judgeWorkspace } from '../laws/workspace.js';
import { canDo, initialFields, kindModel } from '../model/kinds.js';
import { expectedPlan } from '../model/plan.js';
import { addressOfManifest, type Fact, type LiveObject, newObject, type Workspace } from '../model/world.js';
import { Violation } from '../violation.js';
import { type Judged, type Operation, operation } from './operation.js';

/**
 * A creation that something delivers twice makes two objects where names are free (law 1): the apply and each plan name them
 * until somebody agrees that the copy goes.
 */
async function judgeDeliveredTwice(world: World, site: Site): Judged {
  const planning = { ...world.placeOf(site), adopt: 'never' } as const;
  const expected = expectedPlan(planning);
  if (!isCertain(expected)) return 'skipped';
  // A copy that is neither deleted nor renamed away is left to people for good.
  const canGo = ({ delete: goes, update }: ReturnType<typeof canDo>): boolean =>
    goes === 'yes' || update.includes('name');
  const created = site.model.manifests.filter(
    (one) =>
      kindModel(one.kind).names === 'free' &&
      canGo(canDo(one.kind, planning.workspace.dialect)) &&
      expected.steps.get(addressOfManifest(one))?.actions[0] === 'create',
  );
  if (created.length === 0) return 'skipped';
  const { kind, name } = world.random.pick(created);
  const address = `${kind}/${name}`;
  const answer = world.random.pick(['first', 'last'] as const);
  const rule = { method: 'POST', path: PATHS[kind], body: name, do: 'twice', answer } as const;
  const applied = await world.runDisturbed(
    site,
    { name: 'creation delivered twice', rule },
    'apply',
    '--yes',
    '--json',
  );
  judgeCode(applied, 4, `apply whose creation of ${address} was delivered twice`, [8]);
  const { rounds, code } = settle(planning);
  const { workspace, ledger } = planning;
  const { object } = ledger.get(address) as Fact;
  const copy = newObject(kind, name, copiedFields(object));
  workspace.live.push(copy);
  await judgeWorkspace(world);
  const planned = await world.run(site, 'plan', '--json');
  if (!planned.out.includes('"twin"')) throw new Violation(1, `plan does not name the second ${address}.`);
  for (let count = 0; count < rounds; count += 1) {
    const ended = await world.run(site, 'apply', '--yes', '--json', '--remove-copies');
    if (count === rounds - 1) judgeCode(ended, code, `apply --remove-copies of ${address}`);
  }
  giveUp(workspace, copy);
  // Only what happens to them later distinguishes the two.
  for (const one of [object, copy]) delete one.guid;
  await judgeWorkspace(world);
  return world.check(() => judgePlan(world, site, {}));
}

/** Children are added to the object whose GUID was answered. */
function copiedFields({ kind, fields }: LiveObject): LiveObject['fields'] {
  const { children } = kindModel(kind);
  const initial = initialFields(kind);
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [
      field,
      children.includes(field) ? (initial[field] ?? null) : value,
    ]),
  );
}

/** The service deletes a copy, or it is renamed away. */
function giveUp(workspace: Workspace, copy: LiveObject): void {
  if (canDo(copy.kind, workspace.dialect).delete === 'yes') workspace.live.splice(workspace.live.indexOf(copy), 1);
  else {
    copy.retiredFrom = copy.name;
    copy.name = `${copy.name} ~retired`;
  }
}

/** The most entries that one answer has (wire-facts 3). */
const PAGE = 400;

/** What was created just now may be hidden for a while, from lists and by its GUID: an apply that misses it sends nothing (law 1). */
async function judgeLagging(world: World, site: Site): Judged {
  const planning = { ...world.placeOf(site), adopt: 'never' } as const;
  const expected = expectedPlan(planning);
  if (!isCertain(expected)) return 'skipped';
  const created = site.model.manifests.filter(
    (one) => expected.steps.get(addressOfManifest(one))?.actions[0] === 'create',
  );
  if (created.length === 0) return 'skipped';
  await judgeApply(world, site, {});
  const next = expectedPlan(planning);
  const { kind, name } = world.random.pick(created);
  const path = PATHS[kind];
  const listed = await world.service.list(path);
  const newest = listed.at(-1);
  // The fault hides the last entry of each page, and only the newest object may be hidden.
  if (!isCertain(next) || !isIdle(next) || newest?.name !== name || listed.length > PAGE) return 'skipped';
  await world.service.newRequests();
  const rule = { method: 'GET', path, times: 'always', do: 'omit-entry', entry: 'last', ...OF_PROGRAM } as const;
  const beside = [unknown(`${path}/${newest.guid}`)];
  const ended = await world.runDisturbed(site, { name: 'list lags', rule, beside }, 'apply', '--yes', '--json');
  judgeWrites(await world.service.newRequests(), 0, `apply that does not see ${kind}/${name} yet`);
  judgeCode(ended, 4, `apply that does not see ${kind}/${name} yet`, [0]);
  return world.check(() => judgePlan(world, site, {}));
}

/** What networks around a workspace do. */
export const WORLD: readonly Operation[] = [
  operation('creation delivered twice', 4, judgeDeliveredTwice),
  operation('list lags', 4, judgeLagging),
];
