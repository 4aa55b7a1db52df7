import type { ImportRow } from './row.js';

/** What the rows of one resource do. A row that throws leaves no trace: the drafts and what is remembered are put back. */
export interface Importer {
  apply(row: ImportRow): void;
  /** Forgets what the row that has just failed left beside the drafts. */
  undoRow?(): void;
  /** The record that the report identifies, by GUID; items are found without. */
  readonly find?: (guid: string) => { readonly number: string } | undefined;
  /** Stores the drafts that it alone has. To be called in the write transaction of a commit. */
  merge?(): void;
}
