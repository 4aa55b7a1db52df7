import type { Rule } from './rule.js';

/** A condition that a release must meet before it is promoted to a stage. */
export interface Gate extends Pick<Rule, 'name' | 'message' | 'decide'> {}

/** An environment of the chain that releases are promoted along. */
export interface Stage {
  readonly environment: string;
  /** How many people other than its author must approve a plan for it. */
  readonly approvals?: number;
  readonly gates: readonly Gate[];
}
