import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { type Asked, judgeApply, judgePlan } from '../laws/applies.js';
import { judgePull, listedKinds } from '../laws/pulls.js';
import { judgeAgain, judgeReleased, judgeTogether } from '../laws/teams.js';
import { addressOfManifest } from '../model/world.js';
import type { Operation } from './operations.js';

const siteOf = ({ sites, random }: World) => random.pick(sites);

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
): Operation => ({
  name,
  weight,
  run(world) {
    const site = siteOf(world);
    const prune = name.endsWith('--prune');
    const only = drawOnly(world, site, prune);
    return only.length === 0 ? Promise.resolve('skipped') : judge(world, site, { only, prune });
  },
});

/** What people do with live objects, and together. */
export const TEAM: readonly Operation[] = [
  {
    name: 'pull',
    weight: 4,
    run: (world) => judgePull(world, siteOf(world), { layout: world.random.pick(['kind', 'object']) }),
  },
  {
    name: 'pull --adopt',
    weight: 3,
    run: (world) => judgePull(world, siteOf(world), { adopt: true, drifted: world.random.chance(30) }),
  },
  {
    name: 'pull --drifted',
    weight: 2,
    run: (world) => judgePull(world, siteOf(world), { drifted: true }),
  },
  {
    name: 'pull --kind',
    weight: 2,
    run(world) {
      const { random, workspace } = world;
      const kinds = listedKinds(workspace.dialect).filter(() => random.chance(40));
      if (kinds.length === 0) return Promise.resolve('skipped');
      return judgePull(world, siteOf(world), { kinds, adopt: random.chance(30) });
    },
  },
  selecting('plan --only', 2, judgePlan),
  selecting('apply --only', 5, judgeApply),
  selecting('apply --only --prune', 6, judgeApply),
  {
    name: 'two applies at once',
    weight: 3,
    needs: { clones: 2, second: 'team', ledger: 'postgres' },
    run: judgeTogether,
  },
  {
    name: 'lock released by force',
    weight: 3,
    needs: { clones: 2, ledger: 'postgres' },
    run: (world) => judgeReleased(world, siteOf(world)),
  },
  { name: 'apply PLAN twice', weight: 3, run: (world) => judgeAgain(world, siteOf(world)) },
];
