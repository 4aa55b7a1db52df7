/** How a plan is made, beside what it is made of. */
export interface PlanningOptions {
  /** `yes`: deletes are planned for what this stack created or adopted and no manifest describes. */
  readonly prune?: 'yes' | 'no';
  /** What happens to objects of the workspace that manifests describe and that this stack neither created nor adopted. */
  readonly adopt?: Adoption;
  /** Objects to make anew though nothing asks for it. */
  readonly replace?: readonly string[];
  /** Patterns of the manifests to plan, with what they refer to: `Kind`, `Kind/name`, `label:key=value`, `file:path`; all by default. */
  readonly only?: readonly string[];
  /** Patterns of manifests to leave out; they win over `only`, and over what others refer to. */
  readonly exclude?: readonly string[];
}

/** `ask`: taken over once the plan is confirmed; `matching`: only where nothing differs; `given`: the plan's reader agreed. */
export type Adoption = 'ask' | 'matching' | 'never' | 'given';
