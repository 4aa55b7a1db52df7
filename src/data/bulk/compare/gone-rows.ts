import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { PreparedImport } from '../prepare.js';
import { KeyIndex, keyOf } from '../rows/key-index.js';
import { readAllRows } from '../rows/spooled-rows.js';
import { recordFinder } from './find-records.js';
import type { KeyedRows } from './keyed-rows.js';
import { type RowReader, rowReader } from './row-difference.js';
import { targetsOf } from './targets.js';

/** The rows of an import, and what they may no longer have. */
export interface GoneInput {
  /** All rows of the file, also those that are not sent. */
  readonly prepared: Pick<PreparedImport, 'path' | 'rows' | 'columns'>;
  readonly definition: ImportDefinitionSpec;
  /** Those of the same import that were committed last, sealed, without marks, their values in the order of the targets. */
  readonly last?: KeyedRows;
  /** What the workspace has of them, sealed; without it all of them count. Its marks are forgotten. */
  readonly records?: KeyedRows;
  /** Which of the records the file covers, by their ids. */
  readonly covered?: { has(id: number): boolean };
}

/**
 * The rows that were committed last, that the import no longer has and whose records are still there; then the records that the
 * file covers and does not have. Under REPLACE the lines of a parent that is still there are removed by the import itself; those
 * of a parent that is in no row any more are gone.
 */
export async function* goneRows(input: GoneInput): AsyncGenerator<RowChange> {
  const { prepared, definition, last, records } = input;
  const reader = rowReader(targetsOf(prepared.columns, definition.resource), definition);
  records?.forgetMarks();
  const named = await markNamed(input);
  if (last !== undefined && named.are === 'known') yield* goneSince(last, named.parents, reader, input);
  if (records !== undefined) yield* uncovered(records, reader, input);
}

/** Marks what the rows name on both sides. Without records nobody knows which of them a GUID names. */
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
  const whole = definition.mode.toUpperCase() === 'REPLACE';
  const keys = new KeyIndex();
  for (const row of last.unmarked()) {
    if (row.key.includes('') || (whole && parents.has(row.key[0] ?? ''))) continue;
    const still = records?.withKey(row.key);
    if (still?.length === 0 || still?.some(({ id }) => covered?.has(id))) continue;
    // Several files may have had it.
    if (keys.firstRow(keyOf(row.key), 1) !== undefined) continue;
    // What it is now, as far as that is known, is what a deletion would take away.
    yield { change: 'gone', key: row.key, cells: reader.had(still?.[0] ?? row) };
  }
}

function* uncovered(records: KeyedRows, reader: RowReader, { covered }: GoneInput): Generator<RowChange> {
  if (covered === undefined) return;
  for (const row of records.unmarked()) {
    if (covered.has(row.id)) yield { change: 'gone', key: row.key, cells: reader.had(row), why: NOT_IN_FILE };
  }
}

/** Of a record that nobody may have imported. */
const NOT_IN_FILE = 'in the workspace, and not in the file';
