import type { ImportSource } from '#core/jobs/source.js';
import { splitDesignators } from '../source/designators.js';
import type { Column } from './column.js';
import { assignRoles } from './column-roles.js';
import { columnOption } from './draft.js';
import type { GivenMeanings } from './meanings.js';
import { eachRowCells } from './row-cells.js';
import { placeNames } from './title-column.js';

/** Worksheets that are the parents of their rows. */
export interface WorksheetParents {
  readonly meanings: GivenMeanings;
  /** What it rests on, and how to choose otherwise. */
  readonly remark: string;
}

interface ListedTable {
  readonly path: string;
  readonly source: ImportSource;
  readonly columns: readonly Column[];
  readonly rows: number;
}

/** So many designators show whether they begin again. */
const MOST_DESIGNATORS = 20_000;
/** One alone may be a mistake. */
const LEAST_REPEATED = 2;

/**
 * Takes each of several worksheets with one header for an assembly, if its designators are those of another one, or if
 * its positions begin with 1 again; undefined if they do not, or if something else says which assembly a row belongs to.
 */
export async function worksheetParents(
  { path, source, columns, rows }: ListedTable,
  given: GivenMeanings,
): Promise<WorksheetParents | undefined> {
  const [sheet] = placeNames(source, 'worksheet');
  if (sheet === undefined || given[sheet] !== undefined) return undefined;
  const roles = assignRoles(columns, rows, given);
  if ((['parent', 'level', 'path'] as const).some((role) => roles.has(role))) return undefined;
  const [refDes, position] = [roles.get('refDes'), roles.get('lineNumber')];
  const why =
    refDes === undefined
      ? roles.has('quantity') && position !== undefined && (await restarts(path, source, sheet, position.name))
      : await repeats(path, source, sheet, refDes.name);
  if (!why) return undefined;
  const remark = `Open: each worksheet is taken for an assembly, since ${why}. If their lines belong to one assembly, inspect the file again with \`${columnOption(sheet, 'none')}\`.`;
  return { meanings: { ...given, [sheet]: 'parent' }, remark };
}

/** Says which positions begin with 1 on each worksheet; undefined if those of one do not. */
async function restarts(
  path: string,
  source: ImportSource,
  sheet: string,
  position: string,
): Promise<string | undefined> {
  const first = new Map<string, string>();
  await eachRowCells(path, source, [sheet, position], ([name = '', cell = '']) => {
    if (cell !== '' && !first.has(name)) first.set(name, cell);
  });
  const begin = first.size > 1 && [...first.values()].every((cell) => /^0*1$/.test(cell));
  return begin ? `"${position}" begins with 1 on each` : undefined;
}

/** Says which designators are on several worksheets; undefined if hardly any is. */
async function repeats(path: string, source: ImportSource, sheet: string, refDes: string): Promise<string | undefined> {
  const first = new Map<string, string>();
  const twice = new Map<string, string>();
  await eachRowCells(path, source, [sheet, refDes], ([name = '', cell = '']) => {
    for (const designator of splitDesignators(cell)) {
      const known = first.get(designator);
      if (known === undefined && first.size < MOST_DESIGNATORS) first.set(designator, name);
      else if (known !== undefined && known !== name && !twice.has(designator)) twice.set(designator, name);
    }
  });
  const [found] = twice;
  if (found === undefined || twice.size < LEAST_REPEATED) return undefined;
  const [designator, name] = found;
  return `"${designator}" is on "${first.get(designator)}" and on "${name}"${twice.size > 1 ? ` (${twice.size - 1} more)` : ''}`;
}
