import type { Address } from './address.js';

/** What a guard or a rule of the user's own has to say about a plan. Denied steps are blocked, warnings are only shown. */
export interface GuardFinding {
  readonly guard: GuardName;
  readonly severity: 'deny' | 'warn';
  /** With numbers, and with the override where there is one. */
  readonly message: string;
  /** The option that lets the steps through, or that did. Rules have none. */
  readonly override?: string;
  /** Name of the rule. */
  readonly rule?: string;
  /** The steps that it is about. */
  readonly addresses: readonly Address[];
}

export type GuardName = Override | 'production' | 'rule';

/** Guards that `--allow` switches off for one plan. */
export const OVERRIDES = ['deletes', 'replacements', 'import-rows', 'empty-input', 'max-requests'] as const;
export type Override = (typeof OVERRIDES)[number];

/** How many objects of one kind a plan may delete or replace. */
export interface Cap {
  readonly count?: number;
  /** Of the objects of that kind; counts once `from` of them exist. */
  readonly percent: number;
  readonly from: number;
}

/** The limits of one environment, defaults filled in. */
export interface GuardSettings {
  readonly deletes: Cap;
  readonly replacements: Cap;
  /** Rows of one import that deletes or replaces records. */
  readonly importRows: number;
  readonly maxRequests?: number;
}
