import { amend, commitAll, squash } from '../harness/git.js';
import type { World } from '../harness/world.js';
import { judgeHistory } from '../laws/history.js';
import type { Operation } from './operations.js';

const siteOf = ({ sites, random }: World) => random.pick(sites);

/** What engineers do to the repository of their clone. */
const versioning = (what: string, weight: number, how: (folder: string, message: string) => void): Operation => ({
  name: `git ${what}`,
  weight,
  needs: { isVersioned: true },
  run(world) {
    const site = siteOf(world);
    if (!site.isVersioned) return Promise.resolve('skipped');
    world.version(site, what, how);
    return Promise.resolve(undefined);
  },
});

/** What is told of applies, and the repositories whose commits it names. */
export const HISTORY: readonly Operation[] = [
  { name: 'history', weight: 3, run: (world) => judgeHistory(world, siteOf(world)) },
  versioning('commit', 2, commitAll),
  versioning('amend', 2, amend),
  versioning('squash', 2, squash),
];
