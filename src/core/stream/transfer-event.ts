/** An event between the start of an export or extract and its files, for progress displays and `--json`. */
export type TransferEvent =
  /** Another export is in progress; the service runs one at a time. */
  | { readonly is: 'waiting'; readonly seconds: number; readonly most: number }
  | { readonly is: 'started' | 'latest'; readonly number?: number }
  /** A run of an earlier command is resumed; `found`: the answer to its start was lost. */
  | { readonly is: 'resumed' | 'found'; readonly number?: number }
  /** The run of an earlier command no longer exists; another one is started. */
  | { readonly is: 'gone'; readonly number?: number }
  | { readonly is: 'polled'; readonly status: string; readonly seconds: number; readonly number?: number }
  /** The archive does not exist yet. */
  | { readonly is: 'not ready'; readonly seconds: number }
  | { readonly is: 'downloading'; readonly archive: string; readonly bytes: number; readonly total?: number }
  | { readonly is: 'unpacking'; readonly archive: string };

/** The result of a transfer in its folder. */
export interface TransferOutcome {
  readonly folder: string;
  readonly number?: number;
  readonly status: string;
  /** Includes archives that were kept. */
  readonly files: readonly UnpackedFile[];
}

/** A file that a transfer left in its folder. */
export interface UnpackedFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly size: number;
  /** The number of rows of a CSV file, without its header. */
  readonly rows?: number;
}
