import { resourceNamed } from '../../../core/model/import-resources.js';
import type { PreparedImport } from '../prepare.js';
import { type ColumnNames, columnOfError } from './error-column.js';
import type { ReportedError } from './error-report.js';
import { type Certainty, doubtOf, type Placement } from './placement.js';
import { patternOf } from './quotes.js';
import type { RowIdentity } from './row-identity.js';

/** A failed row, at its place in the source. */
export interface RowError {
  /** Undefined where neither row number nor key lead to a row. */
  readonly row: number | undefined;
  /** The other rows of the source that were added to it, where it repeats a line of a BOM. */
  readonly alsoRows?: readonly number[];
  /** Which data row of the import that is, from 1. */
  readonly dataRow?: number;
  /** The other data row that the line may mean, where row number and key lead to two. */
  readonly orDataRow?: number;
  readonly worksheet?: string;
  readonly key: string;
  /** Of a line of a BOM: the number of the part, where `key` is that of its parent. */
  readonly part?: string;
  /** The column that the error is about, else the one that tells the row from others, with the cell's value. */
  readonly column?: string;
  readonly value?: string;
  readonly code: number | undefined;
  readonly message: string;
  /** The message without what differs from row to row: that of its group. */
  readonly cause: string;
  readonly certainty: Certainty;
  /** Where row number and key disagree: what each of them says. */
  readonly doubt?: string;
}

/** A line of the report as a failed row: `cells` are those of the row that it was placed at, where it was. */
export function rowErrorOf(
  error: ReportedError,
  placed: Placement,
  cells: readonly string[] | undefined,
  identity: RowIdentity,
  names: ColumnNames,
  prepared: PreparedImport,
): RowError {
  const { n, orN, certainty } = placed;
  const { sourceRowOf, worksheet, columns, repeats } = prepared;
  const at = columnOfError(error, columns, names, identity, cells);
  const column = columns[at]?.header;
  const doubt = doubtOf(error, placed, prepared);
  const part = resourceNamed(prepared.resource).isTree === undefined ? undefined : partIn(columns, cells);
  const alsoRows = n === undefined ? [] : (repeats?.rowsOf(n) ?? []);
  return {
    row: n === undefined ? undefined : sourceRowOf(n),
    ...(alsoRows.length === 0 ? {} : { alsoRows }),
    ...(n === undefined ? {} : { dataRow: n }),
    ...(orN === undefined ? {} : { orDataRow: orN }),
    ...(worksheet === undefined ? {} : { worksheet }),
    key: error.key,
    ...(part === undefined ? {} : { part }),
    ...(column === undefined ? {} : { column }),
    ...(column === undefined || cells === undefined ? {} : { value: cells[at] ?? '' }),
    code: error.code,
    message: error.message,
    cause: patternOf(error.message, (text) => names.at(text) !== -1, cells),
    certainty,
    ...(doubt === undefined ? {} : { doubt }),
  };
}

function partIn(columns: PreparedImport['columns'], cells: readonly string[] | undefined): string | undefined {
  const text = cells?.[columns.findIndex(({ fields }) => fields.includes('item.number'))]?.trim();
  return text === '' ? undefined : text;
}
