import type { World } from '../harness/world.js';
import { drawCommit, judgeImport, judgeRecords, judgeRetry, judgeRowDrift, judgeUndo } from '../laws/rows.js';
import { contentOf, REMOVE, type Row, type RowList, writeRow } from '../model/rows.js';
import type { Operation } from './operations.js';

/** Lists that clones have, and the numbers in them. What one deletes the others do not have. */
const LISTS = {
  Parts: { missing: 'report', numbers: ['P-1', 'P-2', 'P-3', 'P-4'] },
  Spares: { missing: 'report', numbers: ['P-3', 'P-4', 'P-5'] },
  Whole: { missing: 'delete', numbers: ['W-1', 'W-2', 'W-3', 'w-3'] },
} as const;

const NAMES = ['', 'one', 'two', 'Größe, "three"'] as const;
const TEXTS = ['', 'first', 'second', REMOVE] as const;

const drawRow = ({ random }: World, number: string): Row => ({
  Part: number,
  Name: random.chance(75) ? random.pick(NAMES.slice(1)) : '',
  Text: random.pick(TEXTS),
});

/** Rows of a file: one for each number, and one spelling of each. */
function drawRows(world: World, numbers: readonly string[]): Row[] {
  const drawn = numbers.filter(() => world.random.chance(60));
  const apart = drawn.filter((one, at) => !drawn.slice(at + 1).some((two) => two.toLowerCase() === one.toLowerCase()));
  const [first = ''] = numbers;
  return (apart.length > 0 ? apart : [first]).map((number) => drawRow(world, number));
}

/** The rows of a list with one number in other letter case, which is another record. */
function respelled(world: World, { rows }: RowList): readonly Row[] {
  if (rows.length === 0) return drawRows(world, LISTS.Whole.numbers);
  const { Part } = world.random.pick(rows);
  const other = Part === Part.toLowerCase() ? Part.toUpperCase() : Part.toLowerCase();
  return rows.map((row) => (row.Part === Part ? { Part: other, Name: 'one', Text: row.Text } : row));
}

/** Numbers in lists that are still to be sent: which of two that are sent together comes last is left to chance. */
function dueNumbers(lists: readonly RowList[], { workspace: { rows } }: World): ReadonlySet<string> {
  const due = lists.filter((list) => rows.settled.get(contentOf(list.rows))?.is !== 'committed');
  return new Set(due.flatMap((list) => list.rows.map(({ Part }) => Part)));
}

type ListName = keyof typeof LISTS;

/** More often than not, people change what imports wrote. */
function numberIn({ random, workspace: { rows } }: World): string {
  const written = rows.commits.slice(-3).flatMap((commit) => commit.written);
  if (written.length > 0 && random.chance(70)) return random.pick(written).number;
  return random.pick(LISTS[random.pick(Object.keys(LISTS) as ListName[])].numbers);
}

const on = (name: string, weight: number, run: (world: World) => Promise<'skipped' | undefined>): Operation => ({
  name,
  weight,
  run,
});

const siteOf = ({ sites, random }: World) => random.pick(sites);

async function changeByHand(world: World, row: Row): Promise<undefined> {
  await world.records.change(row);
  writeRow(world.workspace.rows, row);
  world.note(`# somebody writes ${JSON.stringify(row)}`);
  await judgeRecords(world);
}

/** What engineers and people do to rows. */
export const ROW_OPERATIONS: readonly Operation[] = [
  on('edit a list of rows', 14, async (world) => {
    const site = siteOf(world);
    const { random } = world;
    const { lists } = site.model;
    const name = random.pick(Object.keys(LISTS) as ListName[]);
    const { numbers, missing } = LISTS[name];
    const found = lists.find((one) => one.name === name);
    const list: RowList = found ?? { name, rows: [], commit: 'clean', missing };
    const taken = dueNumbers(
      lists.filter((one) => one !== list),
      world,
    );
    const free = numbers.filter((number) => !taken.has(number));
    if (free.length === 0) return 'skipped';
    list.rows = missing === 'delete' && random.chance(40) ? respelled(world, list) : drawRows(world, free);
    list.commit = random.pick(['clean', 'always']);
    if (found === undefined) lists.push(list);
    world.write(site);
    return undefined;
  }),
  on('import', 5, (world) => {
    const site = siteOf(world);
    const { random } = world;
    const { numbers } = LISTS[random.pick(Object.keys(LISTS) as ListName[])];
    const commit = random.pick(['clean', 'always'] as const);
    return judgeImport(world, site, { name: 'loose.csv', rows: drawRows(world, numbers), commit, missing: 'report' });
  }),
  on('drift --data', 4, (world) => judgeRowDrift(world, siteOf(world))),
  on('import undo', 4, (world) => judgeUndo(world, siteOf(world))),
  on('import retry', 4, (world) => judgeRetry(world, siteOf(world))),
  on('by hand: edit a record', 5, async (world) => {
    const { rows } = world.workspace;
    const row = drawRow(world, numberIn(world));
    if (!rows.records.has(row.Part) && row.Name === '') return 'skipped';
    return changeByHand(world, row);
  }),
  on('import undo after an edit by hand', 4, async (world) => {
    const { random, workspace, sites } = world;
    const commit = drawCommit(world);
    const site = sites.find(({ model }) => model.name === commit?.clone);
    const edited = commit?.written.filter(({ number, before }) => before && workspace.rows.records.has(number)) ?? [];
    if (site === undefined || edited.length === 0) return 'skipped';
    const row = { Part: random.pick(edited).number, Name: random.pick(['by hand', 'also']), Text: 'by hand' };
    await changeByHand(world, row);
    return judgeUndo(world, site, commit);
  }),
  on('by hand: delete a record', 2, async (world) => {
    const { rows } = world.workspace;
    const number = numberIn(world);
    if (!rows.records.has(number)) return 'skipped';
    await world.records.remove(number);
    rows.records.delete(number);
    world.note(`# somebody deletes the record ${number}`);
    await judgeRecords(world);
    return undefined;
  }),
];
