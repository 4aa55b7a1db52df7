import { filesOfImport } from '../harness/folder.js';
import { LINES_DEFINITIONS } from '../harness/lines.js';
import { csvOf, LISTS_DEFINITION } from '../harness/records.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeCode, judgeWrites } from '../laws/answers.js';
import { canBePutBack, LINES } from '../laws/bom.js';
import { applyOf } from '../laws/disturbed.js';
import { judgeDisturbedUndo } from '../laws/disturbed-undo.js';
import { judgeRecords, judgeUndo } from '../laws/rows.js';
import { keyOf, type Line, type LinesMode, lineAt, withRows } from '../model/bom.js';
import { renameClash } from '../model/plan.js';
import { type Commit, commitLines, commitRows, REMOVE, type Row } from '../model/rows.js';
import { type Judged, type Operation, operation } from './operation.js';

/** The name of the list of their items. */
const ITEMS = 'Assemblies';

/** Items in BOMs, of which no other list has any. */
const NUMBERS = ['B-1', 'B-2', 'B-3', 'B-4'] as const;

const QUANTITIES = ['1', '2', '2.5'] as const;

/** A file of items, and one of lines between them and others that are there. */
interface Files {
  readonly items: readonly Row[];
  readonly mode: LinesMode;
  readonly lines: readonly Line[];
}

function drawItems({ random }: World): Row[] {
  const drawn = NUMBERS.filter(() => random.chance(60));
  return (drawn.length > 0 ? drawn : [NUMBERS[0]]).map((Part) => ({
    ...{ Part, Name: random.pick(['top', 'middle', 'bottom']), Text: random.pick(['', 'first', REMOVE]) },
  }));
}

/** Files that the service takes, line after line; undefined where none were found. */
function drawFiles(world: World): Files | undefined {
  const { random, workspace } = world;
  const { records, lines: before } = workspace.rows;
  const items = drawItems(world);
  const known = NUMBERS.filter((number) => records.has(number) || items.some(({ Part }) => Part === number));
  for (let count = 0; count < 10; count += 1) {
    const drawn = (random.chance(60) && turnLine(world, known)) || drawLines(world, known);
    const { mode, lines } = drawn;
    if (lines.length > 0 && withRows(before, mode, lines) !== undefined) return { items, ...drawn };
  }
  return undefined;
}

/** Lines that lead down some order of items. */
function drawLines({ random }: World, known: readonly string[]): Omit<Files, 'items'> {
  const order = known.map((number) => ({ number, at: random.below(1000) })).sort((one, other) => one.at - other.at);
  const lines = order.flatMap(({ number: Assembly }, at) =>
    order.slice(at + 1).flatMap(({ number: Part }): Line[] => {
      return random.chance(40) ? [{ Assembly, Part, Qty: random.pick(QUANTITIES) }] : [];
    }),
  );
  return { mode: random.pick(['REPLACE', 'OVERWRITE']), lines };
}

/** An item without a BOM and its assembly change places: the undo has to take the one line away before it puts the other back. */
function turnLine({ random, workspace }: World, known: readonly string[]): Omit<Files, 'items'> | undefined {
  const there = [...workspace.rows.lines.keys()].map(lineAt);
  const leaves = there.filter(({ Part }) => there.every(({ Assembly }) => Assembly !== Part));
  const line = leaves.length === 0 ? undefined : random.pick(leaves);
  const others = known.filter((number) => number !== line?.Assembly && number !== line?.Part);
  if (line === undefined || others.length === 0) return undefined;
  const { Assembly, Part } = line;
  const Qty = random.pick(QUANTITIES);
  const lines = [
    { Assembly, Part: random.pick(others), Qty },
    { Assembly: Part, Part: Assembly, Qty },
  ];
  return { mode: 'REPLACE', lines };
}

/** Both lists are sent by one apply. */
async function send(world: World, site: Site, { items, mode, lines }: Files): Promise<void> {
  const { rows } = world.workspace;
  const always = { when: 'always' };
  const csv = ['Assembly,Part,Qty', ...lines.map((line) => `${line.Assembly},${line.Part},${line.Qty}`), ''].join('\n');
  const files = [
    ...filesOfImport(ITEMS, { ...always, definition: LISTS_DEFINITION }, csvOf(items)),
    ...filesOfImport(LINES, { ...always, definition: LINES_DEFINITIONS[mode] }, csv),
  ];
  world.write(site, files);
  await world.service.newRequests();
  const ended = await world.run(site, ...applyOf({ only: [`Import/${ITEMS}`, `Import/${LINES}`] }));
  judgeCode(ended, 0, 'apply of items and lines');
  judgeWrites(await world.service.newRequests(), 4, 'apply of items and lines');
  const clone = site.model.name;
  commitRows(rows, { address: `Import/${ITEMS}`, clone }, items);
  commitLines(rows, { address: `Import/${LINES}`, clone }, { mode, rows: lines });
  await judgeRecords(world);
}

/** Somebody changes the quantity of a line that was sent, or removes it; not where the undo could no longer be sent. */
async function changeLine(world: World, { lines: sent }: Commit): Promise<void> {
  const { random, workspace, records } = world;
  const { rows } = workspace;
  const left = (sent?.rows ?? []).filter((line) => rows.lines.has(keyOf(line)));
  if (sent === undefined || left.length === 0) return;
  const line = random.pick(left);
  const Qty = random.chance(60) ? '9' : undefined;
  const now = new Map(rows.lines);
  if (Qty === undefined) now.delete(keyOf(line));
  else now.set(keyOf(line), Qty);
  if (!canBePutBack({ ...rows, lines: now }, sent)) return;
  await (Qty === undefined ? records.lines.remove(line) : records.lines.change({ ...line, Qty }));
  rows.lines = now;
  world.note(`# somebody ${Qty === undefined ? 'takes' : `writes ${Qty} into`} the line ${keyOf(line)}`);
}

/** Items and lines are sent, at times twice, somebody changes a line, and both are undone, the lines first as is right. */
async function bomThereAndBack(world: World, site: Site): Judged {
  const { random, workspace } = world;
  if (renameClash(site.model) !== undefined) return 'skipped';
  for (let count = random.pick([1, 2, 2]); count > 0; count -= 1) {
    const files = drawFiles(world);
    if (files !== undefined) await send(world, site, files);
  }
  world.write(site);
  const commits = [LINES, ITEMS].flatMap((name) => {
    return workspace.rows.commits.findLast(({ address }) => address === `Import/${name}`) ?? [];
  });
  const [lines] = commits;
  if (lines === undefined || lines.clone !== site.model.name) return 'skipped';
  if (random.chance(40)) await changeLine(world, lines);
  for (const commit of random.chance(75) ? commits : commits.toReversed()) {
    if (random.chance(50)) await judgeDisturbedUndo(world, site, commit);
    else await judgeUndo(world, site, commit);
  }
  return undefined;
}

/** What engineers and people do to BOMs. */
export const BOM_OPERATIONS: readonly Operation[] = [operation('a BOM there and back', 6, bomThereAndBack)];
