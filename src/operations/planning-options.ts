/** How a plan is made, beside what it is made of. */
export interface PlanningOptions {
  /** `yes`: deletes are planned for what this stack created or adopted and no manifest describes. */
  readonly prune?: 'yes' | 'no';
  /** What happens to objects of the workspace that manifests describe and that this stack neither created nor adopted. */
  readonly adopt?: Adoption;
  /** Objects to make anew though nothing asks for it. */
  readonly replace?: readonly string[];
}

/** `ask`: taken over once the plan is confirmed; `matching`: only where nothing differs; `given`: the plan's reader agreed. */
export type Adoption = 'ask' | 'matching' | 'never' | 'given';
