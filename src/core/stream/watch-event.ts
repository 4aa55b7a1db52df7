import type { Address } from '../model/address.js';

/** The policies for changes that a watch applies without a person. */
export const WATCH_POLICIES = ['none', 'safe', 'all'] as const;

/** One of `WATCH_POLICIES`. */
export type WatchPolicy = (typeof WATCH_POLICIES)[number];

/** An event of a watch. Times are ISO 8601 in UTC. */
export type WatchEvent =
  | {
      readonly is: 'started';
      readonly environment: string;
      readonly policy: WatchPolicy;
      /** The folder or git ref that it follows. */
      readonly follows: string;
      /** Seconds between rounds, unless derived from the quota. */
      readonly interval?: number;
      /** The URL of metrics and health. */
      readonly url?: string;
    }
  /** `commit`: the commit that is checked out from the ref. */
  | { readonly is: 'round'; readonly round: number; readonly because: RoundCause; readonly commit?: string }
  | ({ readonly is: 'round-ended' } & RoundEnd)
  | { readonly is: 'stopped'; readonly rounds: number };

/** The cause of a round. `retry`: the previous round failed. */
export type RoundCause = 'start' | 'interval' | 'change' | 'retry';

/**
 * The results of a round. `held`: the policy leaves all applicable steps to a person. `blocked`: dexsync can do nothing
 * more. `partial`: some steps were applied, and some were not.
 */
export const ROUND_RESULTS = ['unchanged', 'applied', 'held', 'blocked', 'partial', 'failed'] as const;

/** One of `ROUND_RESULTS`. */
export type RoundResult = (typeof ROUND_RESULTS)[number];

/** The end of a round, with its result. */
export interface RoundEnd {
  readonly round: number;
  readonly result: RoundResult;
  readonly seconds: number;
  /** The number of objects that differ between workspace and manifests, before anything is applied. */
  readonly pending: number;
  /** Objects that were changed outside dexsync. */
  readonly drifted: readonly DriftedBriefly[];
  /** Steps that the policy leaves to a person, and the steps that need them; the rest is applied. */
  readonly held: readonly HeldStep[];
  readonly requests: { readonly used: number; readonly remaining: number | null };
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  /** The time of the next round, unless a change comes first; absent if the watch stops. */
  readonly next?: string;
}

/** An object that was changed outside dexsync, without the values. */
export interface DriftedBriefly {
  readonly address: Address;
  readonly what: 'changed' | 'renamed' | 'deleted' | 'replaced' | 'absent';
  readonly fields: readonly string[];
  /** The ones of `fields` that the manifest does not name. */
  readonly unnamed?: readonly string[];
  readonly changedAt?: string;
  readonly changedBy?: string;
}

/** A step that a person has to decide about. */
export interface HeldStep {
  readonly address: Address;
  readonly because: HeldReason;
}

/** The reason for leaving a step to a person. */
export type HeldReason = 'policy' | 'deletes' | 'replaces' | 'adopts' | 'overwrites' | 'removes-rows' | 'unapproved';
