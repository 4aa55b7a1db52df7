import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { type Asked, judgeApply, judgePlan } from '../laws/applies.js';
import { judgePull, listedKinds } from '../laws/pulls.js';
import { judgeAgain, judgeIdleRelease, judgeReleased, judgeTogether } from '../laws/teams.js';
import { addressOfManifest } from '../model/world.js';
import { addManifest } from './changes.js';
import { type Operation, operation } from './operation.js';

/** One or two addresses that a command is about: of manifests, and where it prunes, also of what no manifest describes. */
function drawOnly(world: World, site: Site, prune: boolean): string[] {
  const { random } = world;
  const { ledger, clone } = world.placeOf(site);
  const owned = [...ledger].filter(([, { stack }]) => prune && stack === clone.stack).map(([address]) => address);
  const all = [...new Set([...clone.manifests.map(addressOfManifest), ...owned])];
  return all.length === 0 ? [] : [...new Set([random.pick(all), random.pick(all)])];
}

const selecting = (
  name: string,
  weight: number,
  judge: (world: World, site: Site, asked: Asked) => Promise<undefined>,
): Operation =>
  operation(name, weight, async (world, site) => {
    const prune = name.endsWith('--prune');
    const only = drawOnly(world, site, prune);
    return only.length === 0 ? 'skipped' : judge(world, site, { only, prune });
  });

/** What people do with live objects, and together. */
export const TEAM: readonly Operation[] = [
  operation('pull', 4, (world, site) => judgePull(world, site, { layout: world.random.pick(['kind', 'object']) })),
  operation('pull --adopt', 3, (world, site) => judgePull(world, site, { adopt: true })),
  operation('pull --drifted', 2, (world, site) => judgePull(world, site, { drifted: true })),
  operation('pull --adopt --drifted', 1, (world, site) => judgePull(world, site, { adopt: true, drifted: true })),
  operation('pull --kind', 2, async (world, site) => {
    const { random, workspace } = world;
    const kinds = listedKinds(workspace.dialect).filter(() => random.chance(40));
    return kinds.length === 0 ? 'skipped' : judgePull(world, site, { kinds, adopt: random.chance(30) });
  }),
  selecting('plan --only', 2, judgePlan),
  selecting('apply --only', 5, judgeApply),
  selecting('apply --only --prune', 6, judgeApply),
  operation('two applies at once', 3, judgeTogether, { needs: { clones: 2, second: 'team', ledger: 'postgres' } }),
  operation('lock released by force', 4, (world, site) => {
    // Who loses the lock at the first write has others left that it must not send.
    for (let count = 0; count < 4; count += 1) addManifest(world, site.model.manifests);
    world.write(site);
    return judgeReleased(world, site);
  }),
  operation('lock release', 1, judgeIdleRelease),
  operation('apply PLAN twice', 3, judgeAgain),
];
