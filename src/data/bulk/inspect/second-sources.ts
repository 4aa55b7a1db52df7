import type { Roles } from './column.js';
import { withoutValues } from './draft.js';
import type { KnownTable } from './known-table.js';
import type { Meaning } from './meanings.js';
import type { WithoutUnnumbered } from './not-fitted.js';
import { eachRowCells } from './row-cells.js';

/** What makes a row a line. */
const OF_LINES: readonly Meaning[] = ['quantity', 'refDes', 'lineNumber'];
/** With one of these, a row is a part even without a line. */
const OF_PARTS: readonly Meaning[] = ['level', 'path', 'parent', 'number'];
/** The greatest share of such rows: more of them are parts of which little is known. */
const MOST = 0.3;

const columnsOf = (roles: Roles, meanings: readonly Meaning[]): string[] =>
  meanings.flatMap((meaning) => roles.get(meaning)?.name ?? []);

/** Leaves out rows below others that have none of what makes a line: where else a part is sold, not a further part. */
export async function withoutSecondSources(
  path: string,
  { source, roles }: Pick<KnownTable, 'source' | 'roles'>,
): Promise<WithoutUnnumbered> {
  const names = columnsOf(roles, OF_LINES);
  if (names.length < 2 || columnsOf(roles, OF_PARTS).length > 0) return { source, rows: [] };
  const found: number[] = [];
  const empty = names.map(() => 0);
  let count = 0;
  await eachRowCells(path, source, names, (cells, row) => {
    for (const [at, cell] of cells.entries()) if (cell === '') empty[at] = (empty[at] ?? 0) + 1;
    if (count > 0 && cells.every((cell) => cell === '')) found.push(row);
    count += 1;
  });
  const column = names.find((_, at) => empty[at] === found.length);
  return column === undefined || found.length === 0 || found.length > count * MOST
    ? { source, rows: [] }
    : { source: withoutValues(source, column, ['']), rows: found };
}
