import { throwIfInterrupted } from '#base/errors.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { identityText, isNameless, type RowIdentity, recordFinder } from '../compare/find-records.js';
import { keylessRows, omittableKeys } from '../compare/judge-row.js';
import type { KeptRow, KeyedRows } from '../compare/keyed-rows.js';
import type { PreparedImport } from '../prepare.js';
import { KeyIndex } from '../rows/key-index.js';
import { readAllRows, type SpooledRow } from '../rows/spooled-rows.js';
import { isWhole } from './lost-columns.js';

/** The first row of a record, or under REPLACE of a parent. */
export interface TouchedRow extends SpooledRow {
  readonly identity: RowIdentity;
}

/** Yields everything that the rows of an import touch once, in their order. Rows that identify no record touch none. */
export async function* touchedRows(
  { path, rows, columns }: Pick<PreparedImport, 'path' | 'rows' | 'columns'>,
  definition: ImportDefinitionSpec,
  signal: AbortSignal,
): AsyncGenerator<TouchedRow> {
  const finder = recordFinder(columns, definition);
  const whole = isWhole(definition);
  const textOf = whole ? parentText : identityText;
  const namesNone = (identity: RowIdentity): boolean => (whole ? parentText(identity) === '' : isNameless(identity));
  const seen = new KeyIndex();
  for await (const { n, cells } of readAllRows({ path, rows })) {
    throwIfInterrupted(signal, 'comparing rows');
    const identity = finder.identity(cells);
    if (!namesNone(identity) && seen.firstRow(textOf(identity), n) === undefined) yield { n, cells, identity };
  }
}

/** Yields the rows that lack a key and create a record each. */
export async function* creatingRows(
  { path, rows, columns }: Pick<PreparedImport, 'path' | 'rows' | 'columns'>,
  definition: ImportDefinitionSpec,
  signal: AbortSignal,
): AsyncGenerator<TouchedRow> {
  if (omittableKeys(definition).length === 0) return;
  const { identity: identityOf } = recordFinder(columns, definition);
  const isKeyless = keylessRows(definition);
  for await (const { n, cells } of readAllRows({ path, rows })) {
    throwIfInterrupted(signal, 'comparing rows');
    const identity = identityOf(cells);
    if (isKeyless(identity)) yield { n, cells, identity };
  }
}

const parentText = ({ key, guid }: RowIdentity): string => guid || (key[0] ?? '');

/** Every line of a row's parent. */
export const parentLines = ({ key, guid }: RowIdentity, records: KeyedRows): readonly KeptRow[] =>
  guid === '' ? records.withParent(key[0] ?? '') : records.withName(guid.toUpperCase());
