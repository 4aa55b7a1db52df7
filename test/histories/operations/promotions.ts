import { CONDITIONS, judgePromote } from '../laws/promotions.js';
import type { Operation } from './operations.js';

const promoting = (name: string, weight: number, isDisturbed: boolean): Operation => ({
  name,
  weight,
  needs: { dialect: 'reference' },
  run(world) {
    // What the service of the other dialect keeps to itself is not promoted.
    if (world.workspace.dialect !== 'reference') return Promise.resolve('skipped');
    return judgePromote(world, world.random.pick(world.sites), world.random.pick(CONDITIONS), isDisturbed);
  },
});

/** What is brought from one workspace to another. */
export const PROMOTION: readonly Operation[] = [
  promoting('promote', 3, false),
  promoting('disturbed promotion', 3, true),
];
