import { hasMode, type ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { PreparedImport } from '../prepare.js';
import { joinKey, KeyIndex } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { recordFinder } from './find-records.js';
import type { KeyedRows } from './keyed-rows.js';
import { RowReader } from './row-difference.js';
import { listTargets } from './targets.js';

/** The rows of an import, and the records that they may no longer have. */
export interface GoneInput {
  /** All rows of the file, including those that are not sent. */
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  /** The last committed rows of the same import: sealed, without marks, values in the order of the targets. */
  readonly last?: KeyedRows;
  /** Records of these rows in the workspace, sealed; if absent, all rows count. Its marks are cleared. */
  readonly records?: KeyedRows;
  /** Ids of the records that the file covers. */
  readonly covered?: { has(id: number): boolean };
}

/**
 * Yields the last committed rows that the import no longer has and whose records still exist, then the records that the
 * file covers and does not have. Under REPLACE the import itself removes the lines of a parent that still has rows; the
 * lines of a parent without rows are gone.
 */
export async function* goneRows(input: GoneInput): AsyncGenerator<RowChange> {
  const { prepared, definition, last, records } = input;
  const reader = new RowReader(listTargets(prepared.columns, definition.resource), definition);
  records?.forgetMarks();
  const named = await markNamed(input);
  if (last !== undefined && named.are === 'known') yield* goneSince(last, named.parents, reader, input);
  if (records !== undefined) yield* uncovered(records, reader, input);
}

/** Marks the last rows and the records that the rows refer to. Without records a GUID cannot be resolved. */
async function markNamed({ prepared, definition, last, records }: GoneInput) {
  const finder = recordFinder(prepared.columns, definition);
  const parents = new KeyIndex();
  let are: 'known' | 'unknown' = 'known';
  const mark = (key: readonly string[], n: number): void => {
    parents.firstRow(key[0] ?? '', n);
    for (const row of last?.withKey(key) ?? []) last?.mark(row);
  };
  for await (const { n, cells } of readAllRows(prepared)) {
    const identity = finder.identity(cells);
    mark(identity.key, n);
    if (identity.guid !== '' && records === undefined) are = 'unknown';
    for (const record of records === undefined ? [] : finder.find(identity, records)) {
      records?.mark(record);
      if (identity.guid !== '') mark(record.key, n);
    }
  }
  return { parents, are };
}

function* goneSince(
  last: KeyedRows,
  parents: KeyIndex,
  reader: RowReader,
  { definition, records, covered }: GoneInput,
): Generator<RowChange> {
  const whole = hasMode(definition, 'REPLACE');
  const keys = new KeyIndex();
  for (const row of last.unmarked()) {
    if (row.key.includes('') || (whole && parents.has(row.key[0] ?? ''))) continue;
    const still = records?.withKey(row.key);
    if (still?.length === 0 || still?.some(({ id }) => covered?.has(id))) continue;
    // Several files may have had the same record.
    if (keys.firstRow(joinKey(row.key), 1) !== undefined) continue;
    // A deletion takes away the current values, if they are known.
    yield { change: 'gone', key: row.key, cells: reader.had(still?.[0] ?? row) };
  }
}

function* uncovered(records: KeyedRows, reader: RowReader, { covered }: GoneInput): Generator<RowChange> {
  if (covered === undefined) return;
  for (const row of records.unmarked()) {
    if (covered.has(row.id)) yield { change: 'gone', key: row.key, cells: reader.had(row), why: NOT_IN_FILE };
  }
}

/** Reason for a record that possibly nobody imported. */
const NOT_IN_FILE = 'in the workspace, and not in the file';
