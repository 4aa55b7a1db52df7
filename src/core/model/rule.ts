/** A condition of the user's own over each step of a plan, or over the plan. */
export interface Rule {
  readonly name: string;
  readonly scope: 'step' | 'plan';
  readonly effect: 'deny' | 'warn';
  /** What people read where the condition holds. */
  readonly message: string;
  /** Asks the condition; never throws. */
  decide(variables: RuleVariables): RuleVerdict;
}

/** What a condition can name. */
export type RuleVariables = Readonly<Record<string, unknown>>;

/** `undecided`: the condition could not be worked out, such as where it reads a label that a manifest does not have. */
export type RuleVerdict =
  | { readonly is: 'met' }
  | { readonly is: 'not met' }
  | { readonly is: 'undecided'; readonly reason: string };
