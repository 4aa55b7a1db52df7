/** `queued`: the service has not begun. `rows`: from the speed of the rows. `quota`: few requests are left. */
export type WaitReason = 'queued' | 'rows' | 'quota';

/** An event while a source is prepared and run. Views fold these. */
export type ImportEvent =
  | { readonly type: 'reading'; readonly rows: number }
  /** Records are read to be compared with the rows. */
  | {
      readonly type: 'comparing';
      readonly what: 'items' | 'BOMs' | 'BOM lines' | 'files' | 'items with files' | 'items with sourcing';
      readonly count: number;
    }
  | { readonly type: 'uploading'; readonly bytes: number; readonly total: number }
  | {
      readonly type: 'validating' | 'committing';
      readonly run: string;
      readonly number?: number;
      readonly polls: number;
      /** Rows that the service has processed, of `total`. */
      readonly processed: number;
      readonly total: number;
      /** Rows per second, from the waits between polls; absent until a poll showed progress. */
      readonly speed?: number;
      /** Milliseconds until the next poll, and their reason; absent once the run is complete. */
      readonly wait?: number;
      readonly because?: WaitReason;
    }
  /** Records are read before the commit, or rows after it. */
  | {
      readonly type: 'reading-back';
      readonly what: 'before image' | 'verify';
      readonly done: number;
      readonly of: number;
    }
  | { readonly type: 'errors-found'; readonly phase: 'validating' | 'committing'; readonly errors: number }
  | {
      readonly type: 'decided';
      readonly decision: 'commit' | 'reject' | 'leave';
      readonly errors: number;
      readonly rows: number;
    }
  | { readonly type: 'done'; readonly outcome: 'committed' | 'rejected' | 'validated' };

/** Receives the events of one import. */
export type EmitImportEvent = (event: ImportEvent) => void;
