import type { ImportSource } from '#core/jobs/source.js';
import type { Column } from './column.js';
import { assignRoles } from './column-roles.js';
import type { GivenMeanings } from './meanings.js';
import { eachRowCells, MOST_ALIKE } from './row-cells.js';
import { rowsText } from './rows-text.js';

interface ReadColumns {
  readonly path: string;
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly rows: number;
}

const partsOf = (cell: string): readonly string[] => cell.split(/[,;/+&]/).map((part) => part.trim());

/**
 * Takes a column of parents for remarks, if some of its cells list several parents of other rows: how many pieces each
 * of them needs is not known, and the list itself is not an item.
 */
export async function listedParents(
  { path, source, columns, rows }: ReadColumns,
  known: GivenMeanings,
  given: GivenMeanings,
): Promise<{ readonly meanings: GivenMeanings; readonly remark: string } | undefined> {
  const roles = assignRoles(columns, rows, known);
  const parent = roles.get('parent');
  if (parent === undefined || rows > MOST_ALIKE) return undefined;
  const { cells, numbers } = await parentCells(path, source, [parent.name, roles.get('number')?.name ?? '']);
  const found = [...cells].filter(([cell]) => {
    const parts = partsOf(cell);
    return parts.length > 1 && !numbers.has(cell) && parts.every((part) => cells.has(part));
  });
  const [first] = found;
  if (first === undefined) return undefined;
  const where = rowsText(found.flatMap(([, at]) => at).sort((one, other) => one - other));
  const says = `Open: cells of "${parent.name}" list several parents of other rows, such as ${JSON.stringify(first[0])}: ${where}.`;
  if (given[parent.name] === 'parent')
    return { meanings: known, remark: `${says} Each list becomes an item: give each parent a row of its own instead.` };
  const meaning = roles.has('notes') ? 'none' : 'notes';
  const taken = meaning === 'none' ? 'is not imported' : 'is imported as a remark';
  return {
    meanings: { ...known, [parent.name]: meaning },
    remark: `${says} How many pieces each parent needs is not known, so the column ${taken} and all lines have one parent. Give each parent a row of its own in the file, and inspect it again.`,
  };
}

/** The rows of each parent, and the numbers of the items. */
async function parentCells(path: string, source: ImportSource, names: readonly string[]) {
  const cells = new Map<string, number[]>();
  const numbers = new Set<string>();
  await eachRowCells(path, source, names, ([cell = '', number = ''], row) => {
    numbers.add(number);
    const at = cells.get(cell) ?? [];
    at.push(row);
    if (cell !== '') cells.set(cell, at);
  });
  return { cells, numbers };
}
