import { drawDisturbance, FOR, READING } from '../disturbances.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgePlan } from '../laws/applies.js';
import { OF_IMPORT } from '../laws/disturbed.js';
import { judgeDisturbedUndo } from '../laws/disturbed-undo.js';
import { judgeDrift } from '../laws/drift.js';
import { judgeEditedMeanwhile } from '../laws/edited-meanwhile.js';
import { judgePull } from '../laws/pulls.js';
import { judgeRetry, judgeRowDrift } from '../laws/rows.js';
import { drawValue } from './changes.js';
import { type Judged, type Operation, operation } from './operation.js';

type Judge = (world: World, site: Site) => Judged;

const COMPARISONS: readonly Judge[] = [
  (world, site) => judgePlan(world, site, {}),
  (world, site) => judgePlan(world, site, { prune: true }),
  judgeDrift,
];

/** What a command that only reads says at last is what it says undisturbed. */
const READERS: readonly Judge[] = [
  ...COMPARISONS,
  judgeRowDrift,
  (world, site) => judgePull(world, site, {}),
  (world, site) => judgePull(world, site, { drifted: true }),
  (world, site) => judgePull(world, site, { adopt: true }),
];

/** Law 7, beside applies: a few plain runs of a command end where the undisturbed one ends. */
async function judgeThrough(world: World, kind: 'reading' | 'crowds' | 'imports', judge: () => Judged): Judged {
  const { random, faults, crowd } = world;
  const isImport = kind === 'imports';
  const drawing = { ...READING, crowd, random, only: faults, ...(isImport ? { writes: OF_IMPORT, imports: 1 } : {}) };
  const disturbance = drawDisturbance(drawing, FOR[kind]);
  return disturbance === undefined ? 'skipped' : world.disturb(disturbance, judge);
}

/** What happens to commands beside applies. */
export const TROUBLES: readonly Operation[] = [
  operation('disturbed reading', 6, (world, site) =>
    judgeThrough(world, 'reading', () => world.random.pick(READERS)(world, site)),
  ),
  operation(
    'reading of a list that moves',
    20,
    (world, site) => judgeThrough(world, 'crowds', () => world.random.pick(COMPARISONS)(world, site)),
    { needs: { isCrowded: true, dialect: 'reference' } },
  ),
  operation('edit after a killed apply', 4, (world, site) =>
    judgeEditedMeanwhile(world, site, ({ kind }, field) => drawValue(world, site.model.manifests, kind, field)),
  ),
  operation('disturbed import undo', 3, judgeDisturbedUndo),
  operation('disturbed import retry', 2, (world, site) =>
    judgeThrough(world, 'imports', () => judgeRetry(world, site)),
  ),
];
