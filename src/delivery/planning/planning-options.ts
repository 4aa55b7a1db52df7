import type { Deciding } from '#core/engine/decision.js';
import type { GuardFinding, GuardName, Override } from '#core/model/guards.js';
import type { Step } from '#core/model/plan.js';
import type { PreviewMode } from '#data/imports/preview/preview-jobs.js';
import type { RowChanges } from '#data/imports/preview/row-changes.js';
import type { Config } from '#project/config/load-config.js';

/** Options that decide how a plan is created, besides its input. */
export interface PlanningOptions {
  /** `yes`: delete objects that this stack created or adopted and no manifest describes; `all`: all that it owns. */
  readonly prune?: 'yes' | 'no' | 'all';
  /** What to do with objects that manifests describe and that this stack neither created nor adopted. */
  readonly adopt?: Adoption;
  /** `given`: remove copies that creations left behind without a further question. */
  readonly copies?: 'given';
  /** False if nobody reviews the plan before it is applied: every question then counts as refused. */
  readonly attended?: boolean;
  /** `all`: read all lists of the stack's objects, such as members, a request for each list. */
  readonly children?: 'all';
  /** Objects to recreate although nothing requires it. */
  readonly replace?: readonly string[];
  /** Objects that were deleted outside, although nothing proves it: `Kind/name`, also with `*` and `?`. */
  readonly gone?: readonly string[];
  /**
   * `drift`: the plan is not applied, so one read proves that an object is gone, however recently it was written; all
   * objects that this stack owns are read.
   */
  readonly reading?: 'drift';
  /** Imports to send again although their content was settled before: `Import/Name`. */
  readonly reimport?: readonly string[];
  /** Whether to compare the rows of imports with the workspace; overrides the manifests. */
  readonly preview?: PreviewMode;
  /** A folder to create for one HTML page of each compared import: its sheet with the changes marked. */
  readonly previewPages?: string;
  /** Receives all changes of the compared rows; without it they are lost when the operation ends. */
  readonly changes?: RowChanges;
  /** Guards to override. */
  readonly allow?: readonly Override[];
  /** Guards that the operation overrides by its nature. */
  readonly implied?: readonly GuardName[];
  /** Finds the steps that are left to a person, regardless of the guards. */
  readonly hold?: (steps: readonly Step[]) => GuardFinding[];
  /** The name or id of the workspace, given to agree that something in it is deleted or replaced. */
  readonly confirmed?: string;
  /** Blocks the whole apply if it may take more requests; overrides the configuration. */
  readonly maxRequests?: number;
  /** What to plan, with its references: `Kind`, `Kind/name`, `label:key=value`, `file:path`; all by default. */
  readonly only?: readonly string[];
  /** Patterns of manifests to leave out; they win over `only` and over references of others. */
  readonly exclude?: readonly string[];
}

/** Whether objects that no manifest describes are removed. */
export const isPruning = ({ prune = 'no' }: Pick<PlanningOptions, 'prune'>): boolean => prune !== 'no';

/** Returns the option, else the configuration, else `ask`; if nobody can be asked, nothing is adopted. */
export function chooseAdoption({ adopt, attended }: PlanningOptions, config: Pick<Config, 'adopt'>): Adoption {
  const adoption = adopt ?? config.adopt ?? 'ask';
  return adoption === 'ask' && attended === false ? 'never' : adoption;
}

/** Returns whether copies may be removed: as agreed before, or once somebody is asked. */
export const chooseCopyRemoval = ({ copies, attended }: PlanningOptions): Pick<Deciding, 'copies'> =>
  copies === undefined && attended === false ? {} : { copies: copies ?? 'asked' };

/** `ask`: adopt once the plan is confirmed; `matching`: only if nothing differs; `given`: the reader agreed. */
export type Adoption = Deciding['adopt'];
