import type { ExitCode } from '#base/errors.js';

/** An event of a rollout. Waves count from 1, times are ISO 8601 in UTC. */
export type FleetEvent =
  /** The environments of a wave, and of those before it, that are worked on now. */
  | { readonly is: 'wave'; readonly wave: number; readonly environments: number }
  | { readonly is: 'begun'; readonly environment: string }
  | ({ readonly is: TargetResult; readonly environment: string } & TargetReason)
  | { readonly is: 'checked'; readonly wave: number; readonly passed: boolean; readonly message?: string }
  | { readonly is: 'waiting'; readonly wave: number; readonly because: 'soak' | 'deferred'; readonly until: string }
  /** The first event of a worker, which waits for work. */
  | { readonly is: 'worker'; readonly name: string; readonly stack: string }
  /** How many objects of an environment somebody changed outside dexsync, as a worker found on a schedule. */
  | { readonly is: 'drift'; readonly environment: string; readonly objects: number }
  /** The last event of a command that works on a rollout; of a worker, whenever a rollout goes no further for now. */
  | ({ readonly is: 'status' } & RolloutStatus);

/**
 * The results of an environment. `deferred`: little or nothing was done yet, and it is tried again; `gone`: it is no
 * longer in the fleet, and was not touched.
 */
export const TARGET_RESULTS = ['done', 'failed', 'unknown', 'deferred', 'gone'] as const;

/** One of `TARGET_RESULTS`. */
export type TargetResult = (typeof TARGET_RESULTS)[number];

/** Why an environment did not end as done. */
export interface TargetReason {
  readonly code?: string;
  readonly message?: string;
  readonly hint?: string;
  /** When a deferred one is worth another try, if that is known. */
  readonly until?: string;
}

/** A rollout as people and programs see it. */
export interface RolloutStatus {
  readonly stack: string;
  readonly fleet: string;
  readonly name: string;
  readonly release?: string;
  readonly plannedAt: string;
  readonly plannedBy: string;
  /** Whether workers work on it, instead of the command that began it. */
  readonly workers: boolean;
  /** The environments whose plans change the same, and what people said about them. */
  readonly groups: readonly ReviewedGroup[];
  readonly targets: readonly RolloutTargetStatus[];
  /** Environments of the fleet that had no plan when it was planned, and what they lacked. */
  readonly left: readonly { readonly environment: string; readonly message: string }[];
  readonly next: RolloutNext;
  /** 0: all are done; 1: some failed or ended unknown, a check was refused, or it was stopped; 4: something is still to come. */
  readonly exitCode: ExitCode;
}

/** The environments of a rollout in which the plans change the same, and what people said about them. */
export interface ReviewedGroup {
  /** The digest of the changes. */
  readonly group: string;
  readonly environments: readonly string[];
  readonly approvedBy: readonly string[];
  readonly rejectedBy: readonly string[];
}

/** An environment of a rollout. `begun`: nothing says how it ended. */
export interface RolloutTargetStatus extends TargetReason {
  readonly environment: string;
  readonly wave: number;
  readonly is: 'waiting' | 'begun' | TargetResult;
  readonly at?: string;
}

/** What happens next. */
export interface RolloutNext {
  /**
   * `new`: nothing has begun. `work`, `check`: the next command continues. `wait`: until then. `ask`: a person is needed.
   * `ended`: each environment is done, gone, or failed within the budget.
   */
  readonly is: 'new' | 'work' | 'check' | 'wait' | 'ask' | 'over-budget' | 'paused' | 'stopped' | 'ended';
  readonly wave?: number;
  /** `failed`: no environment of the wave is done; `refused`: by its check or by a person. */
  readonly because?: 'soak' | 'deferred' | 'approval' | 'refused' | 'failed';
  readonly until?: string;
  readonly failed?: number;
  readonly budget?: number;
  /** Who paused or stopped it, or rejected a wave; and what that person or the check said. */
  readonly by?: string;
  readonly message?: string;
}
