import type { Address } from '../model/address.js';

/** What a watch may apply without a person. */
export const WATCH_POLICIES = ['none', 'safe', 'all'] as const;

/** One of `WATCH_POLICIES`. */
export type WatchPolicy = (typeof WATCH_POLICIES)[number];

/** What a watch does, round by round. Times are ISO 8601 in UTC. */
export type WatchEvent =
  | {
      readonly is: 'started';
      readonly environment: string;
      readonly policy: WatchPolicy;
      /** The folder or git ref that it follows. */
      readonly follows: string;
      /** Seconds between rounds, where that does not derive from the quota. */
      readonly interval?: number;
      /** Where metrics and health are served. */
      readonly url?: string;
    }
  /** `commit`: what is checked out of the ref. */
  | { readonly is: 'round'; readonly round: number; readonly because: RoundCause; readonly commit?: string }
  | ({ readonly is: 'round-ended' } & RoundEnd)
  | { readonly is: 'stopped'; readonly rounds: number };

/** Why a round began. `retry`: the one before it failed. */
export type RoundCause = 'start' | 'interval' | 'change' | 'retry';

/**
 * How a round ended. `held`: all that could be applied is left to a person by the policy. `blocked`: nothing is left that
 * dexsync could do. `partial`: something was applied, and something was not.
 */
export const ROUND_RESULTS = ['unchanged', 'applied', 'held', 'blocked', 'partial', 'failed'] as const;

/** One of `ROUND_RESULTS`. */
export type RoundResult = (typeof ROUND_RESULTS)[number];

/** What a round came to. */
export interface RoundEnd {
  readonly round: number;
  readonly result: RoundResult;
  readonly seconds: number;
  /** Objects that the workspace and the manifests differ in, before anything was applied. */
  readonly pending: number;
  /** Objects that were changed outside dexsync. */
  readonly drifted: readonly DriftedBriefly[];
  /** Steps that the policy leaves to a person, with whatever needs them; the rest is applied. */
  readonly held: readonly HeldStep[];
  readonly requests: { readonly used: number; readonly remaining: number | null };
  readonly error?: { readonly code: string; readonly message: string; readonly hint?: string };
  /** When the next round begins, unless a change comes before it; absent where the watch stops. */
  readonly next?: string;
}

/** An object that was changed outside, without the values. */
export interface DriftedBriefly {
  readonly address: Address;
  readonly what: 'changed' | 'renamed' | 'deleted' | 'replaced';
  readonly fields: readonly string[];
  /** Those of `fields` that the manifest does not name. */
  readonly unnamed?: readonly string[];
  readonly changedAt?: string;
  readonly changedBy?: string;
}

/** A step that a person has to decide about. */
export interface HeldStep {
  readonly address: Address;
  readonly because: HeldReason;
}

/** Why a step is left to a person. */
export type HeldReason = 'policy' | 'deletes' | 'replaces' | 'adopts' | 'overwrites' | 'removes-rows';
