/** What happens while a source is prepared and its run goes on. Views fold these. */
export type ImportEvent =
  | { readonly type: 'reading'; readonly rows: number }
  | { readonly type: 'uploading'; readonly bytes: number; readonly total: number }
  | {
      readonly type: 'validating' | 'committing';
      readonly run: string;
      readonly number?: number;
      readonly polls: number;
      /** Rows that the service has been through, of `total`. */
      readonly processed: number;
      readonly total: number;
    }
  | { readonly type: 'errors-found'; readonly phase: 'validating' | 'committing'; readonly errors: number }
  | {
      readonly type: 'decided';
      readonly decision: 'commit' | 'reject' | 'leave';
      readonly errors: number;
      readonly rows: number;
    }
  | { readonly type: 'done'; readonly outcome: 'committed' | 'rejected' | 'validated' };

export type Emit = (event: ImportEvent) => void;
