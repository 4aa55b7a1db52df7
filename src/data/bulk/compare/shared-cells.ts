import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ImportResource, resourceNamed, sharedIn } from '#core/model/import-resources.js';
import type { Column } from '../preflight/columns.js';
import type { PreparedImport } from '../prepare.js';
import { joinKey } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { isEmpty } from '../source/source-table.js';
import { recordFinder, sharedKey } from './find-records.js';
import { type KeptRow, KeyedRows } from './keyed-rows.js';
import { listTargets } from './targets.js';

/** Cells of a stored row. */
export const cellsIn = ({ values }: KeptRow): readonly string[] => values.map((value) => value?.[1] ?? '');

/** Merges rows of one record: the last row that fills a cell counts. */
export const mergedCells = (rows: readonly KeptRow[]): readonly string[] =>
  rows.map(cellsIn).reduce((all, cells) => cells.map((cell, column) => (isEmpty(cell) ? (all[column] ?? '') : cell)));

/** Positions of the columns that fill an object that several records share. */
export const sharedPlaces = (columns: readonly Column[], resource: ImportResource): number[] =>
  listTargets(columns, resource.name).flatMap(({ field, column }) =>
    sharedIn(resource, field) === undefined ? [] : [column],
  );

/** Selects the positions that a row fills. */
export const filledPlaces = (cells: readonly string[], places: readonly number[]): number[] =>
  places.filter((column) => !isEmpty(cells[column] ?? ''));

/** Cells of objects that several records share. */
export interface SharedCells {
  /** Returns the cells of a row; those that it fills of the shared object are as all rows together left it. */
  of(cells: readonly string[]): readonly string[];
  close(): void;
}

/** Rows that were sent, and an existing folder. */
export interface SharedRows {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  readonly folder: string;
}

/** Keeps memory flat. */
const MOST_REMEMBERED = 5000;

const AS_THEY_ARE: SharedCells = { of: (cells) => cells, close: () => undefined };

/** Opens the cells of shared objects such as supplier items: the last row that fills one counts. The caller closes. */
export async function openSharedCells({ prepared, definition, folder }: SharedRows): Promise<SharedCells> {
  const resource = resourceNamed(definition.resource);
  const { columns } = prepared;
  const places = sharedPlaces(columns, resource);
  if (places.length === 0) return AS_THEY_ARE;
  const rows = await rowsByShared({ prepared, definition, folder });
  const { identity } = recordFinder(columns, definition);
  const merged = new Map<string, readonly string[]>();
  const lastOf = (key: readonly string[]): readonly string[] => {
    const text = joinKey(key);
    const last = merged.get(text) ?? mergedCells(rows.withKey(key));
    if (merged.size >= MOST_REMEMBERED) merged.clear();
    merged.set(text, last);
    return last;
  };
  return {
    of(cells) {
      const filled = new Set(filledPlaces(cells, places));
      if (filled.size === 0) return cells;
      const last = lastOf(sharedKey(resource, identity(cells).key));
      return cells.map((cell, column) => (filled.has(column) ? (last[column] ?? cell) : cell));
    },
    close: () => rows.close(),
  };
}

async function rowsByShared({ prepared, definition, folder }: SharedRows): Promise<KeyedRows> {
  const resource = resourceNamed(definition.resource);
  const { identity } = recordFinder(prepared.columns, definition);
  const kept = await KeyedRows.open(folder, 'shared');
  for await (const { cells } of readAllRows(prepared)) {
    kept.add(
      sharedKey(resource, identity(cells).key),
      cells.map((cell) => ['text', cell]),
    );
  }
  kept.seal();
  return kept;
}
