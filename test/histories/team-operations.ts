import type { World } from './harness/world.js';
import type { Operation } from './operations.js';
import { judgePull, listedKinds } from './pull-laws.js';

const siteOf = ({ sites, random }: World) => random.pick(sites);

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
];
