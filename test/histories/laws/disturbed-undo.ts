import { type Disturbance, drawDisturbance, FOR, READING } from '../disturbances.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { renameClash } from '../model/plan.js';
import { type Commit, carryOutUndo, type Rows } from '../model/rows.js';
import { judgeCode } from './answers.js';
import { canBePutBack } from './bom.js';
import { OF_IMPORT, runUntil } from './disturbed.js';
import { judgeCutOff } from './history.js';
import { drawCommit, judgeRecords, judgeUndo, undoCommand } from './rows.js';

/** Law 7: an undo that was disturbed, and plain ones after it, end where it would have ended. */
export async function judgeDisturbedUndo(
  world: World,
  site: Site,
  commit: Commit | undefined = drawCommit(world),
): Promise<'skipped' | undefined> {
  const { rows } = world.workspace;
  if (commit === undefined || !canBeUndone(rows, site, commit)) return 'skipped';
  const disturbance = drawOf(world, outlookOf(rows, commit));
  if (disturbance === undefined) return judgeUndo(world, site, commit);
  const left = carryOutUndo(rows, commit, site.model.name);
  const struck = world.disturbances.length;
  await world.runDisturbed(site, disturbance, ...undoCommand(commit));
  if (world.disturbances.length > struck) await judgeCutOff(world, site, disturbance);
  const code = left.length > 0 ? 4 : 0;
  const ended = await runUntil(world, site, { command: undoCommand(commit), code });
  judgeCode(ended, code, `import undo after "${disturbance.name}"`);
  await judgeRecords(world);
  return undefined;
}

const canBeUndone = (rows: Rows, { model }: Site, { address, clone, lines }: Commit): boolean =>
  !rows.rejected.has(address) && clone === model.name && renameClash(model) === undefined && canBePutBack(rows, lines);

/** What an undo comes to: how many imports it sends, and whether another one would send nothing more. */
interface Outlook {
  readonly imports: number;
  readonly isWhole: boolean;
}

function outlookOf(rows: Rows, commit: Commit): Outlook {
  const copy = { ...rows, records: new Map(rows.records), commits: [...rows.commits] };
  carryOutUndo(copy, { ...commit }, commit.clone);
  const { length } = copy.commits;
  carryOutUndo(copy, { ...commit }, commit.clone);
  return { imports: length - rows.commits.length, isWhole: copy.commits.length === length };
}

/** Undefined where nothing is to happen. */
function drawOf({ random, faults: only }: World, { imports, isWhole }: Outlook): Disturbance | undefined {
  if (!isWhole || imports === 0) return undefined;
  return drawDisturbance({ ...READING, random, writes: OF_IMPORT, imports, only }, FOR.imports);
}
