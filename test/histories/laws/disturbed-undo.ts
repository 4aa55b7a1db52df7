import { type Disturbance, drawDisturbance } from '../disturbances.js';
import type { Ended } from '../harness/program.js';
import type { Site } from '../harness/site.js';
import { PLAIN_RUNS, type World } from '../harness/world.js';
import { type Commit, carryOutUndo, type Rows } from '../model/rows.js';
import { judgeCode } from './answers.js';
import { OF_IMPORT } from './disturbed.js';
import { judgeCutOff } from './history.js';
import { judgeRecords, judgeUndo, undoCommand } from './rows.js';

/** What may happen to an undo: whatever happens to its writes and to the machine. */
const FAULTS = [
  ...['killed before a write', 'killed after a write', 'power lost before a write', 'power lost after a write'],
  ...['disk full', 'disk error', 'write lost', 'answer of a write lost', '500 before a write', '500 after a write'],
  ...['session ended', 'read of a run lost', '500 at a read of a run', 'answer of a run cut'],
  ...['every commit lost', 'the answer of every commit lost', '500 before every commit'],
];

/** Law 7: an undo that was disturbed, and plain ones after it, end where it would have ended. */
export async function judgeDisturbedUndo(world: World, site: Site, commit: Commit): Promise<unknown> {
  const { rows } = world.workspace;
  const disturbance = drawOf(world, outlookOf(rows, commit), commit);
  if (disturbance === undefined) return judgeUndo(world, site, commit);
  const left = carryOutUndo(rows, commit, site.model.name);
  const struck = world.disturbances.length;
  await world.runDisturbed(site, disturbance, ...undoCommand(commit));
  if (world.disturbances.length > struck) await judgeCutOff(world, site, disturbance);
  const code = left.length > 0 ? 4 : 0;
  let ended: Ended | undefined;
  for (let count = 0; count < PLAIN_RUNS && ended?.code !== code; count += 1) {
    world.letTimePass();
    ended = await world.run(site, ...undoCommand(commit));
  }
  if (ended !== undefined) judgeCode(ended, code, `import undo after "${disturbance.name}"`);
  return judgeRecords(world);
}

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
function drawOf(
  { random, workspace, faults = FAULTS }: World,
  { imports, isWhole }: Outlook,
  { address }: Commit,
): Disturbance | undefined {
  const only = FAULTS.filter((one) => faults.includes(one));
  // Where an undo goes on, what it has not sent yet counts as sent if an earlier one sent the same rows.
  const isFirst = workspace.rows.commits.every((one) => !one.address.startsWith(`${address} (undo`));
  if (!isWhole || imports === 0 || (imports > 1 && !isFirst) || only.length === 0) return undefined;
  return drawDisturbance({ random, writes: OF_IMPORT, imports, lists: [], crowd: undefined, only });
}
