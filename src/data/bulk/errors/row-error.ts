import { omitUndefined } from '#base/omit-undefined.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { RowError } from '#core/stream/row-error.js';
import type { PreparedImport } from '../prepare.js';
import { placeOfRow } from '../source/row-place.js';
import { type ColumnNames, columnOfError } from './error-column.js';
import type { ReportedError } from './error-report.js';
import { explainDoubt, type Placement } from './placement.js';
import { messagePattern } from './quotes.js';
import type { RowIdentity } from './row-identity.js';

/** Converts a line of the report to a failed row; `cells` are those of the row where it was placed, if any. */
export function buildRowError(
  error: ReportedError,
  placed: Placement,
  cells: readonly string[] | undefined,
  identity: RowIdentity,
  names: ColumnNames,
  prepared: PreparedImport,
): RowError {
  const { n, orN, certainty } = placed;
  const { sourceRowOf, columns, repeats } = prepared;
  const at = columnOfError(error, columns, names, identity, cells);
  const column = columns[at]?.header;
  const doubt = explainDoubt(error, placed, prepared);
  const part = resourceNamed(prepared.resource).isTree === undefined ? undefined : partIn(columns, cells);
  const also = n === undefined ? [] : (repeats?.rowsOf(n) ?? []).map((row) => placeOfRow(prepared, row));
  const place = placeOfRow(prepared, n === undefined ? undefined : sourceRowOf(n));
  const elsewhere = also.some(({ worksheet }) => worksheet !== place.worksheet);
  return {
    row: place.row,
    ...(also.length === 0 ? {} : { alsoRows: also.map((one) => one.row ?? 0) }),
    ...(elsewhere ? { alsoIn: also.map((one) => one.worksheet ?? '') } : {}),
    ...omitUndefined({ dataRow: n, orDataRow: orN, worksheet: place.worksheet }),
    key: error.key,
    ...omitUndefined({ part, column }),
    ...(column === undefined || cells === undefined ? {} : { value: cells[at] ?? '' }),
    code: error.code,
    message: error.message,
    cause: messagePattern(error.message, (text) => names.at(text) !== -1, cells),
    certainty,
    ...omitUndefined({ doubt }),
  };
}

function partIn(columns: PreparedImport['columns'], cells: readonly string[] | undefined): string | undefined {
  const text = cells?.[columns.findIndex(({ fields }) => fields.includes('item.number'))]?.trim();
  return text === '' ? undefined : text;
}
