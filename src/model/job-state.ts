import type { Json } from './json.js';

/** What became of an import, by its key. Recorded in the ledger; `committed` and `lost` settle it, `rejected` under its rule. */
export type JobState =
  | OpenRun
  /** The run came to nothing before anything was committed; the content may be sent again. */
  | { readonly state: 'failed'; readonly run: string; readonly at: string }
  /** The run was being committed when it was last seen, and cannot be read any more: only a person can find out. */
  | { readonly state: 'lost'; readonly run: string; readonly number?: number; readonly at: string }
  | {
      readonly state: 'committed' | 'rejected' | 'validated';
      readonly run: string;
      readonly number?: number;
      readonly at: string;
      readonly rows: number;
      readonly failed: number;
      /** Rows that took effect; the service may pass over some of the others in silence. Old journals do not tell. */
      readonly committed?: number;
      /** The commit rule that decided. */
      readonly rule?: Json;
    };

/** A run that nobody has settled yet. */
export interface OpenRun {
  readonly state: 'posted' | 'committing';
  readonly run: string;
  readonly number?: number;
  /** The GUID of the definition that the run belongs to: one of that name may have taken its place. In the ledger alone. */
  readonly definition?: string;
}
