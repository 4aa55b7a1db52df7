import { findColumn } from '../source/headers.js';
import { openSource } from '../source/open-source.js';
import type { SourceTable } from '../source/source-table.js';
import type { Draft } from './draft.js';

/** Parents of BOM lines that have no row in the list of items. */
export interface MissingParents {
  readonly parents: readonly string[];
  /** `row numbers`: all parents are values of the column that numbers the rows, so they are not item numbers. */
  readonly are: 'item numbers' | 'row numbers';
}

/** No list of assemblies is this long; a column with more values is not a column of parents. */
const MOST_PARENTS = 10_000;

/**
 * Finds the parents in a BOM's column that have no row in its list; undefined if all have one, or if there are too
 * many. Memory follows the number of different parents.
 */
export async function findMissingParents(
  path: string,
  { bom, items, lineNumber }: { readonly bom: Draft; readonly items: Draft; readonly lineNumber?: string },
): Promise<MissingParents | undefined> {
  const parents = new Set<string>();
  for await (const parent of cellsOf(await openSource(path, bom.source), bom.mapping.get('number'))) {
    parents.add(parent);
    if (parents.size > MOST_PARENTS) return undefined;
  }
  const outside = await without(parents, await openSource(path, items.source), items.mapping.get('number'));
  if (outside.size === 0) return undefined;
  const areRows =
    lineNumber !== undefined && (await without(parents, await openSource(path, items.source), lineNumber)).size === 0;
  return { parents: [...outside], are: areRows ? 'row numbers' : 'item numbers' };
}

async function without(values: ReadonlySet<string>, table: SourceTable, column: string | undefined) {
  const left = new Set(values);
  for await (const cell of cellsOf(table, column)) left.delete(cell);
  return left;
}

async function* cellsOf(table: SourceTable, column = ''): AsyncGenerator<string> {
  const place = findColumn(table.headers, column);
  if (place?.is !== 'at') return;
  for await (const { cells } of table.rows) {
    const cell = (cells[place.index] ?? '').trim();
    if (cell !== '') yield cell;
  }
}
