import type { Readable } from 'node:stream';

/** States of an import run (wire-facts, section 0). Others are passed through as text and treated as unknown. */
export type RunStatus = 'CREATED' | 'RUNNING' | 'COMPLETE' | 'ERROR' | 'PURGED' | (string & {});

/** An import run as the service answers it (interface 2.2; `number` and `warnings` from wire-facts 4). */
export interface ImportRun {
  readonly guid: string;
  readonly number?: number;
  readonly status: RunStatus;
  readonly commit: boolean;
  readonly totalCount: number;
  readonly successCount: number;
  /** Absent until the run is complete. */
  readonly errorCount?: number;
  /** ISO 8601, where the service tells. */
  readonly completedAt?: string;
  readonly warnings: readonly { readonly code: number; readonly message: string }[];
}

/** What is posted to start a run (interface 4.2). `open` gives the bytes afresh, so that a renewed session can send them again. */
export interface RunUpload {
  readonly fileName: string;
  readonly fileType: 'CSV' | 'EXCEL_WORKSHEET';
  readonly worksheetName?: string;
  /** Size in bytes of what `open` yields. */
  readonly size: number;
  open(): AsyncIterable<Buffer>;
  /** The archive of physical files, the part `fileContent` (wire-facts 4). */
  readonly files?: UploadedFiles;
}

export interface UploadedFiles {
  readonly size: number;
  open(): AsyncIterable<Buffer>;
}

/** What reading the runs of one definition takes. Every method is one request. */
export interface RunReads {
  read(run: string): Promise<ImportRun>;
  /** The error report as bytes of CSV (interface 2.3). */
  errorContent(run: string): Promise<Readable>;
  /** The file as it was sent (wire-facts 4). */
  submitContent(run: string): Promise<Readable>;
}

/** The import-run endpoints of one definition (interface 4.2 to 4.5). */
export interface ImportRuns extends RunReads {
  /** Posts with `commit=false`: a lost answer leaves at worst an orphan validation. */
  post(upload: RunUpload): Promise<ImportRun>;
  commit(run: string): Promise<ImportRun>;
}
