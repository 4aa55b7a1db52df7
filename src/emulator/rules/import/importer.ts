import type { ImportRow } from './read-row.js';

/** Imports the rows of one resource. A row that throws leaves no trace: drafts and remembered state are restored. */
export interface Importer {
  apply(row: ImportRow): void;
  /** Undoes the state that the failed row left outside the drafts. */
  undoRow?(): void;
  /** Finds the record that the report identifies, by GUID; items are found without it. */
  readonly find?: (guid: string) => { readonly number: string } | undefined;
  /** Stores its own drafts. Call it in the write transaction of a commit. */
  merge?(): void;
}
