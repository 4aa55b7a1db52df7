import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { resourceNamed, sharedIn } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { Column } from '../preflight/columns.js';
import type { PreparedImport } from '../prepare.js';
import { isWhole } from '../read-back/lost-columns.js';
import { joinKey, KeyIndex } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { isNameless, recordFinder, sharedKey } from './find-records.js';
import { RowReader } from './row-difference.js';
import { listTargets } from './targets.js';

/** Rows that an import committed. */
export interface WrittenRows {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  /** Data rows that did not take effect. */
  readonly failed: ReadonlySet<number>;
}

/** Tracks the cells that imports wrote, so that they do not count as changes by others. About 18 bytes a cell. */
export class LaterWrites {
  readonly #index = new KeyIndex();

  /** Adds all writes of an import. */
  async add({ prepared, definition, failed }: WrittenRows): Promise<void> {
    const { name: resource } = resourceNamed(definition.resource);
    const finder = recordFinder(prepared.columns, definition);
    const targets = listTargets(prepared.columns, resource);
    const reader = new RowReader(targets, definition);
    const removes = hasMode(definition, 'DELETE');
    for await (const { n, cells } of readAllRows(prepared)) {
      const identity = finder.identity(cells);
      if (failed.has(n)) continue;
      const { key } = identity;
      if (isWhole(definition)) this.#note([resource, 'parent', key[0] ?? '']);
      if (isNameless(identity)) continue;
      this.#note([resource, 'record', ...key]);
      if (removes) this.#note([resource, 'whole', ...key]);
      for (const target of targets) {
        if (reader.after(target, cells) !== undefined) this.#note(cellKey(resource, target.field, key));
      }
    }
  }

  /** Removes from a change what imports wrote; undefined if nothing is left. */
  without<T extends Pick<RowChange, 'change' | 'key' | 'cells'>>(change: T, by: CellFields): T | undefined {
    const { resource } = by;
    const { key } = change;
    if (this.#has([resource, 'whole', ...key]) || this.#has([resource, 'parent', key[0] ?? ''])) return undefined;
    if (change.change !== 'changed') return this.#has([resource, 'record', ...key]) ? undefined : change;
    const cells = (change.cells ?? []).filter(
      ({ column }) => !by.fieldsOf(column).some((field) => this.#has(cellKey(resource, field, key))),
    );
    return cells.length === 0 ? undefined : { ...change, cells };
  }

  #note(key: readonly string[]): void {
    this.#index.firstRow(joinKey(key), 1);
  }

  #has(key: readonly string[]): boolean {
    return this.#index.has(joinKey(key));
  }
}

/** Index key of a cell; a cell of an object that records share has one key for all of them. */
function cellKey(resource: string, field: string, key: readonly string[]): readonly string[] {
  const known = resourceNamed(resource);
  const shared = sharedIn(known, field) !== undefined;
  return [resource, shared ? 'shared' : 'cell', field, ...(shared ? sharedKey(known, key) : key)];
}

/** Maps columns of an import to the fields that they fill. */
export interface CellFields {
  readonly resource: string;
  fieldsOf(column: string): readonly string[];
}

/** The fields of the columns of an import. */
export function cellFields(columns: readonly Column[], definition: ImportDefinitionSpec): CellFields {
  const { name: resource } = resourceNamed(definition.resource);
  const byColumn = new Map<string, string[]>();
  for (const { header, field } of listTargets(columns, resource))
    byColumn.set(header, [...(byColumn.get(header) ?? []), field]);
  return { resource, fieldsOf: (column) => byColumn.get(column) ?? [] };
}
