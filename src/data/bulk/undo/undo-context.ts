import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { type ImportResource, type RecordType, resourceNamed } from '#core/model/import-resources.js';
import type { RowChange } from '#core/model/rows-preview.js';
import type { RowIdentity } from '../compare/find-records.js';
import type { KeptRow, KeyedRows } from '../compare/keyed-rows.js';
import type { CellChange } from '../compare/row-difference.js';
import type { SharedCells } from '../compare/shared-cells.js';
import type { Column } from '../preflight/columns.js';
import { guidFor } from '../preflight/row-fields.js';
import type { PreparedImport } from '../prepare.js';
import type { LostColumn } from '../read-back/lost-columns.js';
import { RELATED_KINDS, type RelatedKind } from '../read-back/related-records.js';

/** Changes that an undo makes to the records of an import. */
export const ROW_KINDS = ['delete', 'edit', 'create', 'replace'] as const;

/** What an undo sends: each kind is a separate import, in this order. Restored items get their related records last. */
export const UNDO_KINDS = [...ROW_KINDS, ...RELATED_KINDS] as const;

/** One of `ROW_KINDS`. */
export type RowKind = (typeof ROW_KINDS)[number];

/** One of `UNDO_KINDS`. */
export type UndoKind = RowKind | RelatedKind;

/** Three sides of a committed import: the rows that it sent, the records before it, and the records now. */
export interface UndoContext {
  /** The rows that were sent. */
  readonly sent: Pick<PreparedImport, 'path' | 'rows' | 'columns' | 'sourceRowOf' | 'worksheets'>;
  readonly definition: ImportDefinitionSpec;
  /** Data rows that had no effect. */
  readonly failed: ReadonlySet<number>;
  /** Rows that had an effect, by their keys; values are cells in the order of the columns. */
  readonly sentByKey: KeyedRows;
  /** Columns of `before` beyond those of the import. */
  readonly lost: readonly LostColumn[];
  /** Cells in the order of the columns and the lost ones. */
  readonly before: KeyedRows;
  /** Rows whose record did not exist before. */
  readonly absent: KeyedRows;
  /** Values in the order of the targets of `columnsNow`. */
  readonly present: KeyedRows;
  /** All rows, for the objects that their records share. */
  readonly sentTogether: SharedCells;
  /** Whether the content of files was sent with the rows. */
  readonly content: 'sent' | 'none';
  readonly signal: AbortSignal;
}

/** Reason why something stays as it is, with its cells: `before` is the current value, `after` the earlier one. */
export interface KeptAsIs {
  readonly why: string;
  readonly cells?: readonly CellChange[];
}

/** A row that an undo sends, with its cells in the order of the columns of the before image. */
export interface UndoRow {
  readonly kind: RowKind;
  readonly cells: readonly string[];
}

/** Result of undoing the rows of one record, or of one parent. */
export interface UndoResult {
  readonly rows: readonly UndoRow[];
  readonly left: readonly KeptAsIs[];
}

/** A record that an undo leaves as it is, wholly or in part. */
export type LeftRow = RowChange & { readonly change: 'kept'; readonly why: string };

/** Nothing to do. */
export const NOTHING: UndoResult = { rows: [], left: [] };

/** Result for something that stays as it is. */
export const keepAsIs = (why: string, cells?: readonly CellChange[]): UndoResult => ({
  rows: [],
  left: [{ why, ...omitUndefined({ cells }) }],
});

/** Fields that no import fills; they decide whether a new record may be deleted (interface 2.4; wire-facts 8.3). */
const DECIDING: Partial<Record<RecordType, readonly string[]>> = {
  items: ['inAssembly'],
  files: ['creationDateTime', 'lastModifiedDateTime'],
};

/** Columns to read of records that may be deleted: those of the before image, and last the fields that decide it. */
export function columnsNow(columns: readonly Column[], { resource }: ImportDefinitionSpec): readonly Column[] {
  const { compared = 'items' } = resourceNamed(resource);
  const more = (DECIDING[compared] ?? []).map(
    (header): Column => ({ header, fields: [header.toLowerCase()], from: { type: 'constant', value: '' } }),
  );
  return [...columns, ...more];
}

/** Whether an item is in a BOM, by the last value of its record. */
export const isInAssembly = ({ values }: KeptRow): boolean => values.at(-1)?.[1] === 'true';

/** Whether a file was edited after its creation, by the last values of its record. */
export function isEdited({ values }: KeptRow): boolean {
  const [created, edited] = values.slice(-2).map((value) => value?.[1] ?? '');
  return edited !== '' && edited !== created;
}

/** A row that only identifies the record; undefined if no column does. */
export function namingCells(
  { key, guid }: RowIdentity,
  columns: readonly Column[],
  { keys }: ImportResource,
): string[] | undefined {
  const guidField = guidFor(keys[0] ?? '');
  const cells = columns.map(({ fields }) => {
    if (guid !== '' && fields.includes(guidField)) return guid;
    const place = keys.findIndex((name) => fields.includes(name.toLowerCase()));
    return place < 0 || (place === 0 && guid !== '') ? '' : (key[place] ?? '');
  });
  return cells.some((cell) => cell !== '') ? cells : undefined;
}
