import type { Override } from '../model/guards.js';

/** How a plan is made, beside what it is made of. */
export interface PlanningOptions {
  /** `yes`: deletes are planned for what this stack created or adopted and no manifest describes. */
  readonly prune?: 'yes' | 'no';
  /** What happens to objects of the workspace that manifests describe and that this stack neither created nor adopted. */
  readonly adopt?: Adoption;
  /** Objects to make anew though nothing asks for it. */
  readonly replace?: readonly string[];
  /** Guards that let their steps through. */
  readonly allow?: readonly Override[];
  /** The name or id of the workspace, given by whoever agrees that something is deleted or replaced in it. */
  readonly confirmed?: string;
  /** Where an apply may take more requests, all of it is blocked; goes before the configuration. */
  readonly maxRequests?: number;
}

/** `ask`: taken over once the plan is confirmed; `matching`: only where nothing differs; `given`: the plan's reader agreed. */
export type Adoption = 'ask' | 'matching' | 'never' | 'given';
