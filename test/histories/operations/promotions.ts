import { CONDITIONS, judgePromote } from '../laws/promotions.js';
import { type Operation, operation } from './operation.js';

const promoting = (name: string, weight: number, isDisturbed: boolean): Operation =>
  operation(
    name,
    weight,
    async (world, site) => {
      // What the service of the other dialect keeps to itself is not promoted.
      if (world.workspace.dialect !== 'reference') return 'skipped';
      return judgePromote(world, site, world.random.pick(CONDITIONS), isDisturbed);
    },
    { needs: { dialect: 'reference' } },
  );

/** What is brought from one workspace to another. */
export const PROMOTION: readonly Operation[] = [
  promoting('promote', 3, false),
  promoting('disturbed promotion', 3, true),
];
