/** A user-defined condition on each step of a plan, or on the whole plan. */
export interface Rule {
  readonly name: string;
  readonly scope: 'step' | 'plan';
  readonly effect: 'deny' | 'warn';
  /** The message to show if the condition holds. */
  readonly message: string;
  /** Evaluates the condition; never throws. */
  decide(variables: RuleVariables): RuleVerdict;
}

/** The variables that a condition can use. */
export type RuleVariables = Readonly<Record<string, unknown>>;

/** `undecided`: the condition could not be evaluated, for example because it reads a label that a manifest lacks. */
export type RuleVerdict =
  | { readonly is: 'met' }
  | { readonly is: 'not met' }
  | { readonly is: 'undecided'; readonly reason: string };
