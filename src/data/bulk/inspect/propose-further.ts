import { omitUndefined } from '#base/omit-undefined.js';
import { nameAssembly } from './assembly-name.js';
import type { FurtherTable, OtherTable } from './choose-table.js';
import type { Column } from './column.js';
import { assignRoles } from './column-roles.js';
import { withRemark } from './draft.js';
import { tableTitle } from './join-blocks.js';
import type { GivenMeanings, Role } from './meanings.js';
import { objectListIn } from './objects/object-list.js';
import { type ProposedDrafts, proposeDrafts } from './propose.js';
import { readChosen } from './read-chosen.js';
import { sourceToPropose } from './source-to-propose.js';

/** Proposals for the other tables of a file, and those that cannot be imports. */
export interface FurtherProposals {
  readonly proposed: readonly ProposedDrafts[];
  readonly left: readonly OtherTable[];
  /** The columns of those that are proposed. */
  readonly columns: readonly (readonly Column[])[];
}

/** Proposes imports of the other tables of a file, each under a name of its own. Those without numbers of items or makers are left, unless they are of suppliers or people. What people say of columns holds for those that they have, too. */
export async function proposeFurther(
  path: string,
  further: readonly FurtherTable[],
  signal: AbortSignal,
  meanings: GivenMeanings = {},
): Promise<FurtherProposals> {
  const proposed: ProposedDrafts[] = [];
  const left: OtherTable[] = [];
  const columns: (readonly Column[])[] = [];
  for (const one of further) {
    const found = one.other.is === 'table' ? await proposeOne(path, one, signal, meanings) : undefined;
    const isKnown = proposed.some(({ name }) => name === found?.name);
    if (found === undefined || isKnown) left.push(one.other);
    else {
      proposed.push(found);
      columns.push(found.columns);
    }
  }
  return { proposed, left, columns };
}

const LONGEST_TITLE = 60;

/** What a list of items has besides their numbers. */
const CONTENT: readonly Role[] = [
  ...(['name', 'description', 'quantity', 'cost', 'parent', 'manufacturer', 'supplierPartNumber'] as const),
];

async function proposeOne(path: string, { other, chosen }: FurtherTable, signal: AbortSignal, given: GivenMeanings) {
  const { source, table, read, remarks } = await readChosen(path, chosen, signal);
  const names = read.columns.map(({ name }) => name);
  const meanings = Object.fromEntries(Object.entries(given).filter(([name]) => names.includes(name)));
  const roles = assignRoles(read.columns, read.rows, meanings, new Set(Object.values(given)));
  const columns = read.columns.filter(({ name }) => meanings[name] !== 'none');
  const isOfItems = (roles.has('number') || roles.has('mpn')) && CONTENT.some((role) => roles.has(role));
  if (read.problem !== undefined || !(isOfItems || objectListIn(read.columns) !== undefined)) return undefined;
  const place = other.worksheet === undefined ? other.range : `${other.range} of worksheet "${other.worksheet}"`;
  const label = (chosen.table && tableTitle(chosen.table)?.slice(0, LONGEST_TITLE)) ?? other.worksheet ?? other.range;
  const found = await proposeDrafts(
    {
      ...{ path, columns, roles, meanings, rows: read.rows, tables: 'one' },
      ...omitUndefined({ delimiter: table.delimiter }),
      source: sourceToPropose(source, table),
      name: `${nameAssembly(path, source.file, undefined)} ${label}`,
    },
    signal,
  );
  const [first, ...drafts] = found.drafts;
  if (first === undefined || found.drafts.some(({ problem }) => problem !== undefined)) return undefined;
  const { worksheet, range } = other;
  return {
    ...found,
    columns: read.columns,
    place: { range, ...omitUndefined({ worksheet }) },
    drafts: [[`From ${place}.`, ...remarks].reduce(withRemark, first), ...drafts],
  };
}
