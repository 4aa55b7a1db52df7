/** What became of an import, by its key. Recorded in the ledger; `rejected` and `committed` settle it. */
export type JobState =
  | { readonly state: 'posted' | 'committing'; readonly run: string; readonly number?: number }
  /** The run came to nothing before anything was committed; the content may be sent again. */
  | { readonly state: 'failed'; readonly run: string; readonly at: string }
  | {
      readonly state: 'committed' | 'rejected' | 'validated';
      readonly run: string;
      readonly number?: number;
      readonly at: string;
      readonly rows: number;
      readonly failed: number;
    };
