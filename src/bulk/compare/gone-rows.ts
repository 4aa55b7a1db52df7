import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { resourceNamed } from '../../model/import-resources.js';
import type { RowChange } from '../../model/rows-preview.js';
import { rowFieldsOf } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import { KeyIndex } from '../rows/key-index.js';
import { readSpooledRows } from '../rows/spooled-rows.js';
import type { KeyedRows } from './keyed-rows.js';
import { rowReader } from './row-difference.js';
import { targetsOf } from './targets.js';

/** The rows of an import, and those of the same import that were committed last. */
export interface GoneInput {
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  /** Sealed, without marks, its values in the order of the targets of the columns. */
  readonly last: KeyedRows;
  /** What the workspace has of them, sealed; without it all of them count. */
  readonly records?: KeyedRows;
}

/**
 * The rows that were committed last, that the import no longer has and whose records are still there. Under REPLACE the lines of a parent that is still there
 * are removed by the import itself; those of a parent that is in no row any more are gone.
 */
export async function* goneRows({ prepared, definition, last, records }: GoneInput): AsyncGenerator<RowChange> {
  const { keys } = resourceNamed(definition.resource);
  const fields = rowFieldsOf(prepared.columns, definition);
  const reader = rowReader(targetsOf(prepared.columns, definition.resource), definition);
  const parents = new KeyIndex();
  for await (const { n, cells } of readSpooledRows(prepared.path, { first: 1, last: prepared.rows })) {
    const key = keys.map((name) => fields.text(cells, name));
    parents.firstRow(key[0] ?? '', n);
    for (const row of last.withKey(key)) last.mark(row);
  }
  const whole = definition.mode.toUpperCase() === 'REPLACE';
  for (const row of last.unmarked()) {
    if (whole && parents.has(row.key[0] ?? '')) continue;
    if (records?.withKey(row.key).length === 0) continue;
    yield { change: 'gone', key: row.key, cells: reader.had(row) };
  }
}
