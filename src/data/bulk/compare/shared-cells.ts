import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ImportResource, resourceNamed, sharedIn } from '#core/model/import-resources.js';
import type { Column } from '../preflight/columns.js';
import type { PreparedImport } from '../prepare.js';
import { keyOf } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { isEmpty } from '../source/source-table.js';
import { recordFinder, sharedKey } from './find-records.js';
import { type KeptRow, KeyedRows } from './keyed-rows.js';
import { targetsOf } from './targets.js';

/** The cells of a row that was kept by its key. */
export const cellsIn = ({ values }: KeptRow): readonly string[] => values.map((value) => value?.[1] ?? '');

/** Of several rows of one record, the last one that fills a cell counts. */
export const mergedCells = (rows: readonly KeptRow[]): readonly string[] =>
  rows.map(cellsIn).reduce((all, cells) => cells.map((cell, column) => (isEmpty(cell) ? (all[column] ?? '') : cell)));

/** The columns of rows that fill an object that their records have in common. */
export const sharedPlaces = (columns: readonly Column[], resource: ImportResource): number[] =>
  targetsOf(columns, resource.name).flatMap(({ field, column }) =>
    sharedIn(resource, field) === undefined ? [] : [column],
  );

/** Those of some places that a row fills. */
export const filledPlaces = (cells: readonly string[], places: readonly number[]): number[] =>
  places.filter((column) => !isEmpty(cells[column] ?? ''));

/** What rows say of an object that their records have in common. */
export interface SharedCells {
  /** The cells of a row, where it fills the object as all rows together left it. */
  of(cells: readonly string[]): readonly string[];
  close(): void;
}

/** Rows that were sent, and a folder that is there. */
export interface SharedRows {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  readonly folder: string;
}

/** So that memory stays flat. */
const MOST_REMEMBERED = 5000;

const AS_THEY_ARE: SharedCells = { of: (cells) => cells, close: () => undefined };

/** Of rows that fill an object that their records have in common, such as a supplier item, the last one counts. The caller closes it. */
export async function openSharedCells({ prepared, definition, folder }: SharedRows): Promise<SharedCells> {
  const resource = resourceNamed(definition.resource);
  const { columns } = prepared;
  const places = sharedPlaces(columns, resource);
  if (places.length === 0) return AS_THEY_ARE;
  const rows = await rowsByShared({ prepared, definition, folder });
  const { identity } = recordFinder(columns, definition);
  const merged = new Map<string, readonly string[]>();
  const lastOf = (key: readonly string[]): readonly string[] => {
    const text = keyOf(key);
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
