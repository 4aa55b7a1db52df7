import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { SourceTable } from '../source/source-table.js';
import type { Draft, ProposedDraft } from './draft.js';

/** Parents of BOM lines that have no row in the list of items. */
export interface MissingParents {
  /** Their names by number; the number where the list has none. */
  readonly parents: ReadonlyMap<string, string>;
  /** `row numbers`: all parents are values of the column that numbers the rows, so they are not item numbers. */
  readonly are: 'item numbers' | 'row numbers';
}

/** Where the parents are, and the columns that number the rows and name the parents. */
export interface ParentColumns {
  readonly bom: Draft;
  readonly items: Draft;
  readonly lineNumber?: string;
  readonly names?: string;
}

/** No list of assemblies is this long; a column with more values is not a column of parents. */
const MOST_PARENTS = 10_000;

/**
 * Finds the parents in a BOM's column that have no row in its list; undefined if all have one, or if there are too
 * many. Memory follows the number of different parents.
 */
export async function findMissingParents(
  path: string,
  { bom, items, lineNumber, names }: ParentColumns,
): Promise<MissingParents | undefined> {
  const parents = new Map<string, string>();
  for await (const [parent, name] of pairsOf(await openSource(path, bom.source), bom.mapping.get('number'), names)) {
    if (name !== '' || !parents.has(parent)) parents.set(parent, name);
    if (parents.size > MOST_PARENTS) return undefined;
  }
  const outside = await without(parents, await openSource(path, items.source), items.mapping.get('number'));
  if (outside.size === 0) return undefined;
  const areRows =
    lineNumber !== undefined && (await without(parents, await openSource(path, items.source), lineNumber)).size === 0;
  return {
    parents: new Map([...outside].map(([number, name]) => [number, name || number])),
    are: areRows ? 'row numbers' : 'item numbers',
  };
}

/** Finds the numbers of the items of a list, as many as can be compared. */
export async function findItemNumbers(path: string, drafts: readonly ProposedDraft[]): Promise<ReadonlySet<string>> {
  const items = drafts.find((draft): draft is Draft => draft.kind === 'items');
  const found = new Set<string>();
  if (items === undefined) return found;
  for await (const [number] of pairsOf(await openSource(path, items.source), items.mapping.get('number'))) {
    found.add(number);
    if (found.size > MOST_PARENTS) break;
  }
  return found;
}

async function without(values: ReadonlyMap<string, string>, table: SourceTable, column: string | undefined) {
  const left = new Map(values);
  for await (const [cell] of pairsOf(table, column)) left.delete(cell);
  return left;
}

/** The cells of a column with those of another one beside them; rows without the first are left out. */
async function* pairsOf(table: SourceTable, column = '', beside = ''): AsyncGenerator<readonly [string, string]> {
  const [place, other] = [findColumn(table.headers, column), findColumn(table.headers, beside)];
  if (place?.is !== 'at') return;
  for await (const { cells } of table.rows) {
    const cell = (cells[place.index] ?? '').trim();
    if (cell !== '') yield [cell, (other?.is === 'at' ? (cells[other.index] ?? '') : '').trim()];
  }
}
