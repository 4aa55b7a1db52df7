import { LISTS_DEFINITION } from '../harness/records.js';
import type { Site } from '../harness/site.js';
import type { World } from '../harness/world.js';
import { renameClash } from '../model/plan.js';
import {
  COLUMNS,
  type Commit,
  carryOutUndo,
  commitRows,
  contentOf,
  type Row,
  type RowDrift,
  type RowList,
  rowDrift,
  sendImports,
} from '../model/rows.js';
import { Violation } from '../violation.js';
import { judgeCode, judgeRefusal, judgeWrites } from './answers.js';
import { canBePutBack, judgeLines, LINES } from './bom.js';

/** Laws 1 and 2: the workspace has the records that the model says, cell by cell, and nothing was committed twice. */
export async function judgeRecords(world: World): Promise<void> {
  const {
    workspace: { rows },
    records,
    sites,
  } = world;
  if (rows.records.size === 0 && sites.every(({ model }) => model.lists.length === 0)) return;
  const seen = await records.read();
  for (const number of seen.keys())
    if (!rows.records.has(number)) throw new Violation(1, `Record ${number} is in the workspace, and nobody made it.`);
  for (const [number, cells] of rows.records) {
    const found = seen.get(number);
    if (found === undefined) throw new Violation(1, `Record ${number} is missing in the workspace.`);
    for (const column of COLUMNS)
      if (found[column] !== cells[column])
        throw new Violation(
          2,
          `${column} of ${number} is ${JSON.stringify(found[column])}, where ${JSON.stringify(cells[column])} is right.`,
        );
  }
  await judgeLines(world);
  const committed = await records.commits();
  if (committed !== rows.commits.length)
    throw new Violation(1, `${committed} runs were committed, where ${rows.commits.length} are right.`);
}

interface DriftSeen {
  readonly imports: readonly {
    readonly address: string;
    readonly why?: string;
    readonly changes: readonly {
      readonly what: string;
      readonly key: readonly string[];
      readonly cells: readonly { readonly column: string }[];
    }[];
  }[];
}

const shown = ({ what, number, columns }: Omit<RowDrift, 'address'>): string =>
  [number, what, ...(what === 'changed' ? columns : [])].join(' ');

/** Law 3: `drift --data` names exactly the records that people changed since each import was committed last. */
export async function judgeRowDrift(world: World, site: Site): Promise<'skipped' | undefined> {
  const { rows } = world.workspace;
  if (rows.commits.length === 0) return 'skipped';
  const struck = world.disturbances.length;
  const ended = await world.run(site, 'drift', '--data', '--json');
  if (ended.code === 3) return undefined;
  const { imports } = JSON.parse(ended.out) as DriftSeen;
  // What could not be read because of a fault is named, and nothing is said about it.
  if (world.disturbances.length > struck && imports.some(({ why }) => why !== undefined)) return undefined;
  const expected = rowDrift(rows).map((one) => `${one.address} ${shown(one)}`);
  const ofRecords = imports.filter(({ address }) => !address.startsWith(`Import/${LINES}`));
  const found = ofRecords.flatMap(({ address, why, changes }) => {
    if (why !== undefined) throw new Violation(3, `drift does not compare ${address}: ${why}`);
    return changes.map(({ what, key: [number = ''], cells }) => {
      const columns = cells.map(({ column }) => column) as RowDrift['columns'];
      return `${address} ${shown({ what: what as RowDrift['what'], number, columns })}`;
    });
  });
  for (const one of found) if (!expected.includes(one)) throw new Violation(3, `drift invents: ${one}`);
  for (const one of expected) if (!found.includes(one)) throw new Violation(3, `drift does not show: ${one}`);
  return undefined;
}

/** The last commit of one of the lists that a clone has or had. */
export function drawCommit({ random, workspace: { rows } }: World): Commit | undefined {
  const addresses = [...new Set(rows.commits.map(({ address }) => address))].filter((one) => !one.includes(' ('));
  if (addresses.length === 0) return undefined;
  const address = random.pick(addresses);
  return rows.commits.findLast((one) => one.address === address);
}

/** Law 9: an undo restores what it says, and leaves what somebody changed later. */
export async function judgeUndo(
  world: World,
  site: Site,
  commit: Commit | undefined = drawCommit(world),
): Promise<'skipped' | undefined> {
  if (commit === undefined) return 'skipped';
  const { rows } = world.workspace;
  const { address } = commit;
  if (!canBePutBack(rows, commit.lines)) return 'skipped';
  await world.service.newRequests();
  const ended = await world.run(site, ...undoCommand(commit));
  const clash = renameClash(site.model);
  if (clash !== undefined) return judgeRefusal(ended, clash);
  if (rows.rejected.has(address) || commit.clone !== site.model.name) {
    judgeCode(ended, 3, 'an undo of nothing, or without its before image');
    return undefined;
  }
  const left = carryOutUndo(rows, commit, site.model.name);
  judgeCode(ended, left.length > 0 ? 4 : 0, `import undo, which leaves ${left.join(', ') || 'nothing'}`);
  await judgeRecords(world);
  return undefined;
}

export const undoCommand = ({ address }: Commit): string[] => [
  ...['import', 'undo', address.replace('Import/', ''), '--yes', '--json'],
];

/** A file that no manifest names is sent once, no matter who has its rows. */
export async function judgeImport(world: World, site: Site, list: RowList): Promise<undefined> {
  const { workspace } = world;
  world.writeRows(site, list.name, list.rows);
  await world.service.newRequests();
  const options = ['--definition', LISTS_DEFINITION, '--commit', list.commit, '--before-image', '--json'];
  const ended = await world.run(site, 'import', list.name, ...options);
  const clash = renameClash(site.model);
  if (clash !== undefined) return judgeRefusal(ended, clash);
  const clone = { name: site.model.name, lists: [list] };
  const isSent = workspace.rows.settled.get(contentOf(list.rows))?.is !== 'committed';
  const { refused, writes } = sendImports({ workspace, clone }, isSent ? [`Import/${list.name}`] : []);
  judgeWrites(await world.service.newRequests(), writes, 'import');
  judgeCode(ended, refused > 0 ? 8 : 0, 'import');
  await judgeRecords(world);
  return undefined;
}

/** Rows that were refused are sent once more, corrected. */
export async function judgeRetry(
  world: World,
  site: Site,
  commit: Commit | undefined = drawCommit(world),
): Promise<'skipped' | undefined> {
  const { rows } = world.workspace;
  if (commit === undefined || commit.refused.length === 0 || commit.clone !== site.model.name) return 'skipped';
  if (rows.rejected.has(commit.address)) return 'skipped';
  const { address } = commit;
  const corrected = commit.refused.map((row): Row => ({ ...row, Name: world.random.pick(['corrected', 'mended']) }));
  if (rows.settled.has(contentOf(corrected))) return 'skipped';
  world.writeRows(site, 'corrected.csv', corrected);
  const ended = await world.run(site, 'import', 'retry', address.replace('Import/', ''), 'corrected.csv', '--json');
  const clash = renameClash(site.model);
  if (clash !== undefined) return judgeRefusal(ended, clash);
  commitRows(rows, { address: `${address} (retry)`, clone: site.model.name }, corrected);
  judgeCode(ended, 0, 'import retry');
  await judgeRecords(world);
  return undefined;
}
