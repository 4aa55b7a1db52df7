import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { judgeApply } from '../laws/applies.js';
import { judgeImport, judgeRecords, judgeRetry, judgeRowDrift, judgeUndo } from '../laws/rows.js';
import { type Commit, contentOf, REMOVE, type Row, type RowList, writeRow } from '../model/rows.js';
import { edit, type Judged, type Operation, operation, somewhere } from './operation.js';

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

/** Gives a list other rows; false where others that are still to be sent have all its numbers. */
function editList(world: World, site: Site, name: ListName): boolean {
  const { random } = world;
  const { lists } = site.model;
  const { numbers, missing } = LISTS[name];
  const found = lists.find((one) => one.name === name);
  const list: RowList = found ?? { name, rows: [], commit: 'clean', missing };
  const taken = dueNumbers(
    lists.filter((one) => one !== list),
    world,
  );
  const free = numbers.filter((number) => !taken.has(number));
  if (free.length === 0) return false;
  const rows = missing === 'delete' && random.chance(40) ? respelled(world, list) : drawRows(world, free);
  // The same rows are not asked for twice.
  if (lists.some((one) => one !== list && contentOf(one.rows) === contentOf(rows))) return false;
  list.rows = rows;
  list.commit = random.pick(['clean', 'always']);
  if (found === undefined) lists.push(list);
  world.write(site);
  return true;
}

/** A list is sent twice, so that the second time it meets records, somebody changes one of them, and the import is undone. */
async function rowsThereAndBack(world: World, site: Site): Judged {
  const { random, workspace } = world;
  const name = random.pick(Object.keys(LISTS) as ListName[]);
  for (let count = 0; count < 2; count += 1) {
    if (!editList(world, site, name)) return 'skipped';
    await judgeApply(world, site, {});
  }
  const commit = workspace.rows.commits.findLast(({ address }) => address === `Import/${name}`);
  if (commit === undefined || commit.undone === true) return undefined;
  if (random.chance(60)) await changeWritten(world, commit);
  return judgeUndo(world, site, commit);
}

/** Numbers of new records; each has a file of its own. */
const NEW_NUMBERS = ['P-6', 'P-7', 'P-8', 'P-9', 'P-10', 'P-11', 'P-12', 'P-13'] as const;

/** A row that lacks the name of a new record is refused, and the other one is sent. */
async function importRefusedInPart(world: World, site: Site): Judged {
  const { random, workspace } = world;
  const { records, commits } = workspace.rows;
  const isOpen = (number: string): boolean =>
    commits.some(({ refused }) => refused.some(({ Part }) => Part === number));
  const Part = NEW_NUMBERS.find((number) => !records.has(number) && !isOpen(number));
  if (Part === undefined) return 'skipped';
  const rows = [drawRow(world, 'P-1'), { Part, Name: '', Text: random.pick(TEXTS) }];
  return judgeImport(world, site, { name: `${Part}.csv`, rows, commit: 'always', missing: 'report' });
}

/** The rows that were refused are sent once more, corrected. */
async function refusedAndRetried(world: World, site: Site): Judged {
  const judged = await importRefusedInPart(world, site);
  return judged ?? judgeRetry(world, site, world.workspace.rows.commits.at(-1));
}

/** A commit of this clone some of whose rows were refused, where there is one. */
function drawRefused({ random, workspace: { rows } }: World, { model }: Site): Commit | undefined {
  const last = new Map(rows.commits.map((one) => [one.address, one]));
  const open = [...last.values()].filter(({ refused, clone }) => refused.length > 0 && clone === model.name);
  return open.length === 0 ? undefined : random.pick(open);
}

/** Somebody changes a record that an import wrote, in one column or in both. */
async function changeWritten(world: World, { written }: Commit): Promise<void> {
  const { random, workspace } = world;
  const left = written.filter(({ number }) => workspace.rows.records.has(number));
  if (left.length === 0) return;
  const [Name, Text] = random.pick([
    ['by hand', ''],
    ['', 'by hand'],
    ['also', 'by hand'],
  ] as const);
  await changeByHand(world, { Part: random.pick(left).number, Name, Text });
}

async function changeByHand(world: World, row: Row): Promise<undefined> {
  await world.records.change(row);
  writeRow(world.workspace.rows, row);
  world.note(`# somebody writes ${JSON.stringify(row)}`);
  await judgeRecords(world);
}

/** What engineers and people do to rows. */
export const ROW_OPERATIONS: readonly Operation[] = [
  edit('edit a list of rows', 10, async (world, site) => {
    const name = world.random.pick(Object.keys(LISTS) as ListName[]);
    return editList(world, site, name) ? undefined : 'skipped';
  }),
  operation('import', 5, (world, site) => {
    const { random } = world;
    const { numbers } = LISTS[random.pick(Object.keys(LISTS) as ListName[])];
    const commit = random.pick(['clean', 'always'] as const);
    return judgeImport(world, site, { name: 'loose.csv', rows: drawRows(world, numbers), commit, missing: 'report' });
  }),
  operation('rows there and back', 8, rowsThereAndBack),
  operation('drift --data', 4, judgeRowDrift),
  operation('import undo', 4, (world, site) => judgeUndo(world, site)),
  operation('import refused in part', 2, importRefusedInPart),
  somewhere('import retry', 4, (world, site) => judgeRetry(world, site, drawRefused(world, site))),
  operation('refused and retried', 4, refusedAndRetried),
  edit('by hand: edit a record', 5, async (world) => {
    const { rows } = world.workspace;
    const row = drawRow(world, numberIn(world));
    if (!rows.records.has(row.Part) && row.Name === '') return 'skipped';
    return changeByHand(world, row);
  }),
  edit('by hand: delete a record', 2, async (world) => {
    const { rows } = world.workspace;
    const number = numberIn(world);
    if (!rows.records.has(number) || [...rows.lines.keys()].some((key) => key.includes(number))) return 'skipped';
    await world.records.remove(number);
    rows.records.delete(number);
    world.note(`# somebody deletes the record ${number}`);
    await judgeRecords(world);
    return undefined;
  }),
];
