import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import type { RowChange } from '../../model/rows-preview.js';
import type { KeptRow, KeyedRows } from '../compare/keyed-rows.js';
import type { CellChange } from '../compare/row-difference.js';
import type { Column } from '../preflight/columns.js';
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
  /** The same rows by their keys; values are cells in the order of the columns. */
  readonly sentByKey: KeyedRows;
  /** Cells in the order of `columnsBefore`. */
  readonly before: KeyedRows;
  /** Rows whose record was not there before. */
  readonly absent: KeyedRows;
  /** Values in the order of the targets of `columnsNow`. */
  readonly present: KeyedRows;
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

/** Says of an item whether it is in a BOM (interface 2.4); no import fills it. */
const IN_ASSEMBLY: Column = { header: 'inAssembly', fields: ['inassembly'], from: { type: 'constant', value: '' } };

/** The columns that records are read for: those of the before image, and last what decides whether an item can be deleted. */
export const columnsNow = (columns: readonly Column[]): readonly Column[] => [...columns, IN_ASSEMBLY];

/** Whether an item is in a BOM, by the last value of its record. */
export const isInAssembly = ({ values }: KeptRow): boolean => values.at(-1)?.[1] === 'true';

/** The cells of a row that was kept by its key. */
export const cellsIn = ({ values }: KeptRow): readonly string[] => values.map((value) => value?.[1] ?? '');
