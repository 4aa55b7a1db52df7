import type { Json } from './json.js';

/** One run of an import, over its data rows `first` to `last`, counted from 1. */
export interface JobRun {
  readonly run: string;
  readonly number?: number;
  /** GUID of the definition that it belongs to: another one of that name may have taken its place. In the ledger alone. */
  readonly definition?: string;
  readonly first: number;
  readonly last: number;
  /** `begun`: the commit was asked for, and its rows may have been applied. */
  readonly commit: 'no' | 'begun' | 'done';
}

/** What became of an import, by its key. Recorded in the ledger; `committed` and `lost` settle it, `rejected` under its rule. */
export type JobState =
  | OpenRuns
  /** The runs came to nothing before anything was committed; the content may be sent again. */
  | { readonly state: 'failed'; readonly runs: readonly JobRun[]; readonly at: string }
  /** A run was being committed when it was last seen, and cannot be read any more: only a person can find out. */
  | { readonly state: 'lost'; readonly runs: readonly JobRun[]; readonly at: string }
  | {
      readonly state: 'committed' | 'rejected' | 'validated';
      readonly runs: readonly JobRun[];
      readonly at: string;
      readonly rows: number;
      readonly failed: number;
      /** Rows that took effect; the service may pass over some of the others in silence. Old journals do not tell. */
      readonly committed?: number;
      /** The commit rule that decided. */
      readonly rule?: Json;
    };

/** Runs that nobody has settled yet, in the order of their rows. The rows behind the last one were not sent. */
export interface OpenRuns {
  readonly state: 'posted' | 'committing';
  readonly runs: readonly JobRun[];
  /** Counts of a validation that was reviewed: the plan that was made from it commits these very runs. */
  readonly validated?: Validated;
}

/** What a whole validation came to. */
export interface Validated {
  readonly rows: number;
  readonly failed: number;
}

/** `run #12`, `runs #12 to #14`; undefined where the service gave them no numbers. */
export function nameOfRuns(runs: readonly Pick<JobRun, 'number'>[]): string | undefined {
  const numbers = runs.flatMap(({ number }) => (number === undefined ? [] : [number]));
  const [first, last] = [numbers.at(0), numbers.at(-1)];
  if (first === undefined) return undefined;
  return first === last ? `run #${first}` : `runs #${first} to #${last}`;
}
