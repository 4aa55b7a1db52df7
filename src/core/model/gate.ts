import type { Rule } from './rule.js';

/** A condition that a release must meet before it is promoted to a stage. */
export interface Gate extends Pick<Rule, 'name' | 'message' | 'decide'> {}

/** A stage of the chain that releases are promoted along: an environment, or a fleet at its end. */
export interface Stage {
  readonly environment?: string;
  readonly fleet?: string;
  /** How many people other than its author must approve a plan for it. */
  readonly approvals?: number;
  readonly gates: readonly Gate[];
}
