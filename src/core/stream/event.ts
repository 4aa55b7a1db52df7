import type { Diagnostic } from '#base/diagnostics.js';
import type { ExitCode } from '#base/errors.js';
import type { Address } from '../model/address.js';
import type { PlannedFacts } from '../model/apply-facts.js';
import type { FindingSummary } from '../model/findings.js';
import type { LeaseFacts } from '../model/lease-facts.js';
import type { Plan } from '../model/plan.js';
import type { Provenance } from '../model/provenance.js';
import type { Action } from '../model/step-schema.js';
import type { FleetEvent } from './fleet-event.js';
import type { ImportEvent } from './import-event.js';
import type { ReportFiles } from './import-event-schema.js';
import type { ImportOutcome } from './import-outcome.js';
import type { PageEvent } from './page-event.js';
import type { TransferEvent, TransferOutcome } from './transfer-event.js';
import type { WatchEvent } from './watch-event.js';

/** An event while dexsync works, the same for every view. `--json` prints one per line. */
export type Event =
  | { readonly type: 'diagnostic'; readonly diagnostic: Diagnostic }
  /** A list was read while the workspace was observed. */
  | { readonly type: 'read'; readonly what: string; readonly count: number }
  /**
   * The price of further reading, before it begins: a request for each list of members and the like, or
   * for each object about which the ledger and a list disagree.
   */
  | { readonly type: 'price'; readonly requests: number; readonly of: 'children' | 'disagreements' }
  /** `reset`: of the quota. `pages`: of compared rows, on request. `applier`: if the plan was saved or reviewed. */
  | {
      readonly type: 'plan';
      readonly plan: Plan;
      readonly reset: string | null;
      readonly pages?: readonly PreviewPage[];
      readonly applier?: Applier;
    }
  /**
   * Requests pause for `seconds`: the service asked for it, the quota must be reset first, or `passwordCommand` has not
   * answered yet, which may take at most that long.
   */
  | { readonly type: 'waiting'; readonly seconds: number; readonly because: 'service' | 'quota' | 'password' }
  /**
   * Waits for another dexsync that uses the environment: `by` describes it, and `most` is the limit in seconds, if any.
   * `silent`: it seems to be gone, and is watched until that is certain. Emitted once.
   */
  | {
      readonly type: 'locked';
      readonly environment: string;
      readonly by: string;
      readonly holder: LeaseFacts;
      readonly most: number | null;
      readonly silent?: boolean;
    }
  /** Content that was settled before and is not sent again. */
  | {
      readonly type: 'settled';
      readonly address: Address;
      readonly state: 'committed' | 'validated';
      readonly at: string;
      readonly rows: number;
      readonly failed: number;
      readonly runs?: string;
    }
  /** Rows that were posted and left to the service. */
  | { readonly type: 'sent'; readonly address: Address; readonly runs?: string }
  | { readonly type: 'step'; readonly address: Address; readonly action: Action; readonly status: StepStatus }
  | { readonly type: 'import'; readonly address: Address; readonly event: ImportEvent }
  /** Findings in a source file, before any request was spent on its rows. */
  | { readonly type: 'findings'; readonly address: Address; readonly findings: FoundInSource }
  /** The end of an import, with its failed rows. `files`: the reports that account for all of its rows. */
  | {
      readonly type: 'rows';
      readonly address: Address;
      readonly file: string;
      readonly outcome: ImportOutcome;
      readonly files?: ReportFiles;
      /** Set if failed rows cannot be sent alone: they would replace the others. */
      readonly retry?: 'whole file';
    }
  /** An export or extract on its way into a folder. */
  | { readonly type: 'transfer'; readonly address: Address; readonly event: TransferEvent }
  | { readonly type: 'transferred'; readonly address: Address; readonly outcome: TransferOutcome }
  /** A reviewed plan: either an apply completed it at that time, or it is applied before the plan that was named. */
  | {
      readonly type: 'reviewed';
      readonly plan: string;
      readonly is: 'applied before' | 'applied first';
      readonly at?: string;
      readonly by?: string;
    }
  | { readonly type: 'watch'; readonly event: WatchEvent }
  | { readonly type: 'fleet'; readonly event: FleetEvent }
  | { readonly type: 'page'; readonly event: PageEvent }
  /** An event of one of the environments of a rollout. */
  | { readonly type: 'target'; readonly environment: string; readonly event: Event }
  | Summary;

/** Who applies a plan that was saved or reviewed before, and that plan. */
export interface Applier extends Provenance {
  readonly planned: PlannedFacts;
}

/** A page with the changes that the rows of an import make. */
export interface PreviewPage {
  readonly address: Address;
  /** Its path below the requested folder, which is written as it was given. */
  readonly file: string;
}

/** The findings in a source: `kept` has the first ones, the counts are of all. */
export interface FoundInSource extends Pick<FindingSummary, 'kept' | 'groups' | 'errors' | 'warnings'> {
  /** The number of findings by code. */
  readonly byCode: Readonly<Record<string, number>>;
}

/** The progress of a step. */
export type StepStatus =
  | { readonly is: 'started' }
  | { readonly is: 'done' }
  /** `unknown`: the write got no answer. `manual`: the service turned out to have no endpoint for it. */
  | {
      readonly is: 'failed' | 'unknown' | 'manual';
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
    }
  | { readonly is: 'skipped'; readonly because: Address }
  /** The apply stopped before this step: it was interrupted, or failed with that code. */
  | { readonly is: 'skipped'; readonly because: 'stopped'; readonly code?: string };

/** The last event of a command, and of each round of a watch that applies. */
export interface Summary {
  readonly type: 'summary';
  readonly exitCode: ExitCode;
  readonly done: number;
  readonly failed: number;
  /** Steps with a write that got no answer: it may or may not have been done. */
  readonly unknown: number;
  readonly skipped: number;
  readonly blocked: number;
  readonly manual: number;
  readonly unchanged: number;
  readonly rows: { readonly committed: number; readonly failed: number };
  readonly requests: { readonly used: number; readonly remaining: number | null };
}

/** The summary of a command that applied nothing, without its exit code. */
export const NOTHING_DONE: Omit<Summary, 'exitCode'> = {
  type: 'summary',
  done: 0,
  failed: 0,
  unknown: 0,
  skipped: 0,
  blocked: 0,
  manual: 0,
  unchanged: 0,
  rows: { committed: 0, failed: 0 },
  requests: { used: 0, remaining: null },
};
