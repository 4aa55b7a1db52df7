import type { ImportRun } from '../../service/import-runs.js';
import type { ErrorGroup } from '../errors/cause-groups.js';
import type { RowError } from '../errors/row-error.js';
import type { Finding } from '../preflight/findings.js';

/** Failed rows of a run: the first ones joined to the source, all counted, grouped by cause. */
export interface RunErrors {
  readonly count: number;
  readonly kept: readonly RowError[];
  readonly groups: readonly ErrorGroup[];
}

interface Settled {
  readonly run: string;
  readonly number?: number;
  /** Rows sent. */
  readonly rows: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly errors: RunErrors;
  /** Where the service's counts do not add up, and the run's own warnings. */
  readonly findings: readonly Finding[];
}

/** What became of an import. Under `rejected` and `validated` nothing was committed. */
export type ImportOutcome =
  | (Settled & { readonly outcome: 'committed' })
  | (Settled & { readonly outcome: 'rejected'; readonly limit: number; readonly reason: string })
  | (Settled & { readonly outcome: 'validated' });

/** Where an import records its progress. Each call is awaited: before a write is sent, and after its answer came. */
export interface Recorder {
  posting(): Promise<void>;
  posted(run: ImportRun): Promise<void>;
  committing(run: ImportRun): Promise<void>;
  settled(outcome: ImportOutcome): Promise<void>;
}
