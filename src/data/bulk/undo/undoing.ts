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

/** What an undo does with records: each is an import of its own, sent in this order. */
export const UNDO_KINDS = ['delete', 'edit', 'create', 'replace'] as const;

/** One of `UNDO_KINDS`. */
export type UndoKind = (typeof UNDO_KINDS)[number];

/** Three sides of a committed import: what it sent, what there was before, and what there is now. */
export interface Undoing {
  /** The rows that were sent. */
  readonly sent: Pick<PreparedImport, 'path' | 'rows' | 'columns' | 'sourceRowOf'>;
  readonly definition: ImportDefinitionSpec;
  /** Data rows that took no effect. */
  readonly failed: ReadonlySet<number>;
  /** The rows that took effect by their keys; values are cells in the order of the columns. */
  readonly sentByKey: KeyedRows;
  /** Cells in the order of `columnsBefore`. */
  readonly before: KeyedRows;
  /** Rows whose record was not there before. */
  readonly absent: KeyedRows;
  /** Values in the order of the targets of `columnsNow`. */
  readonly present: KeyedRows;
  /** All rows as far as their records have an object in common. */
  readonly sentTogether: SharedCells;
  /** Whether the content of files went with the rows. */
  readonly content: 'sent' | 'none';
  readonly signal: AbortSignal;
}

/** Why something stays as it is, and the cells that it is about: `before` is what is there, `after` what there was. */
export interface Left {
  readonly why: string;
  readonly cells?: readonly CellChange[];
}

/** A row that an undo sends; its cells stand in the order of `columnsBefore`. */
export interface UndoRow {
  readonly kind: UndoKind;
  readonly cells: readonly string[];
}

/** What undoing the rows of one record, or of one parent, comes to. */
export interface Undone {
  readonly rows: readonly UndoRow[];
  readonly left: readonly Left[];
}

/** A record that an undo leaves as it is, wholly or in part. */
export type LeftRow = RowChange & { readonly change: 'kept'; readonly why: string };

/** Nothing to do. */
export const NOTHING: Undone = { rows: [], left: [] };

/** Something that stays as it is. */
export const left = (why: string, cells?: readonly CellChange[]): Undone => ({
  rows: [],
  left: [{ why, ...(cells === undefined ? {} : { cells }) }],
});

/** What no import fills, and what decides whether a record can be deleted that the import created (interface 2.4; wire-facts 8.3). */
const DECIDING: Partial<Record<RecordType, readonly string[]>> = {
  items: ['inAssembly'],
  files: ['creationDateTime', 'lastModifiedDateTime'],
};

/** The columns that records are read for where some may be deleted: those of the before image, and last what decides that. */
export function columnsNow(columns: readonly Column[], { resource }: ImportDefinitionSpec): readonly Column[] {
  const { compared = 'items' } = resourceNamed(resource);
  const more = (DECIDING[compared] ?? []).map(
    (header): Column => ({ header, fields: [header.toLowerCase()], from: { type: 'constant', value: '' } }),
  );
  return [...columns, ...more];
}

/** Whether an item is in a BOM, by the last value of its record. */
export const isInAssembly = ({ values }: KeptRow): boolean => values.at(-1)?.[1] === 'true';

/** Whether a file was edited after it was made, by the last values of its record. */
export function isEdited({ values }: KeptRow): boolean {
  const [created, edited] = values.slice(-2).map((value) => value?.[1] ?? '');
  return edited !== '' && edited !== created;
}

/** A row that names the record and nothing else; undefined where no column does. */
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
