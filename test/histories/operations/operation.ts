import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import type { Operation } from './operations.js';

export type Judged = Promise<'skipped' | undefined>;

/** What a law judges in one of the clones. */
export const operation = (name: string, weight: number, judge: (world: World, site: Site) => Judged): Operation => ({
  name,
  weight,
  run: (world) => judge(world, world.random.pick(world.sites)),
});
