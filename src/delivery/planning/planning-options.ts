import type { Deciding } from '#core/engine/decision.js';
import type { GuardFinding, GuardName, Override } from '#core/model/guards.js';
import type { Step } from '#core/model/plan.js';
import type { PreviewMode } from '#data/imports/preview/preview-jobs.js';
import type { RowChanges } from '#data/imports/preview/row-changes.js';
import type { Config } from '#project/config/load-config.js';

/** How a plan is made, beside what it is made of. */
export interface PlanningOptions {
  /** `yes`: deletes are planned for what this stack created or adopted and no manifest describes; `all`: for all that it owns. */
  readonly prune?: 'yes' | 'no' | 'all';
  /** What happens to objects of the workspace that manifests describe and that this stack neither created nor adopted. */
  readonly adopt?: Adoption;
  /** Copies that creations left behind are removed without a further question. */
  readonly copies?: 'given';
  /** `no`: nobody looks at the plan before it is carried out, so what has to be asked counts as refused. */
  readonly attended?: 'yes' | 'no';
  /** `all`: members, administrators and triggers of all objects of the stack are read, a request for each list. */
  readonly children?: 'all';
  /** Objects to make anew though nothing asks for it. */
  readonly replace?: readonly string[];
  /** Objects that were deleted outside, though nothing proves it: `Kind/name`, also with `*` and `?`. */
  readonly gone?: readonly string[];
  /**
   * `drift`: nothing is done because of the plan, so that one read proves that an object is gone, however lately it was written;
   * and all that this stack owns is looked at.
   */
  readonly reading?: 'drift';
  /** Imports to send once more though their content was settled before: `Import/Name`. */
  readonly reimport?: readonly string[];
  /** Whether the rows of imports are compared with the workspace; goes before what the manifests say. */
  readonly preview?: PreviewMode;
  /** A folder for one HTML page of each import whose rows were compared: its sheet with the changes marked. It is made. */
  readonly previewPages?: string;
  /** Takes all changes of the rows that were compared; without it they are gone when the operation ends. */
  readonly changes?: RowChanges;
  /** Guards that let their steps through. */
  readonly allow?: readonly Override[];
  /** Guards that the operation lets through by what it is. */
  readonly implied?: readonly GuardName[];
  /** Finds the steps that are left to a person, whatever the guards say. */
  readonly hold?: (steps: readonly Step[]) => GuardFinding[];
  /** The name or id of the workspace, given by whoever agrees that something is deleted or replaced in it. */
  readonly confirmed?: string;
  /** Where an apply may take more requests, all of it is blocked; goes before the configuration. */
  readonly maxRequests?: number;
  /** Patterns of the manifests to plan, with what they refer to: `Kind`, `Kind/name`, `label:key=value`, `file:path`; all by default. */
  readonly only?: readonly string[];
  /** Patterns of manifests to leave out; they win over `only`, and over what others refer to. */
  readonly exclude?: readonly string[];
}

/** Whether objects are removed that manifests do not describe. */
export const isPruning = ({ prune = 'no' }: Pick<PlanningOptions, 'prune'>): boolean => prune !== 'no';

/** What holds for a plan: the option, the configuration, or to ask; where nobody can be asked, nothing is taken over. */
export function adoptionOf({ adopt, attended }: PlanningOptions, config: Pick<Config, 'adopt'>): Adoption {
  const adoption = adopt ?? config.adopt ?? 'ask';
  return adoption === 'ask' && attended === 'no' ? 'never' : adoption;
}

/** Whether copies may be removed: as was said before, or by whoever is asked. */
export const copiesOf = ({ copies, attended }: PlanningOptions): Pick<Deciding, 'copies'> =>
  copies === undefined && attended === 'no' ? {} : { copies: copies ?? 'asked' };

/** `ask`: taken over once the plan is confirmed; `matching`: only where nothing differs; `given`: the plan's reader agreed. */
export type Adoption = Deciding['adopt'];
