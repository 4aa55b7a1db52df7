import type { Diagnostic } from '#base/diagnostics.js';
import type { ProjectOptions } from '#project/host.js';

/** The source that a watch keeps its environment in line with. */
export interface Followed {
  /** The name that people know: a folder, or a git ref. */
  readonly name: string;
  /** Returns the project to read now. The checkout of a ref does not change until the next call. */
  checkOut(): Promise<CheckedOut>;
  /** Stops following, and removes the checkout. */
  close(): Promise<void>;
}

/** The location of the project in one round. */
export interface CheckedOut {
  readonly options: Pick<ProjectOptions, 'config' | 'dataFolder'>;
  /** The folder to which the files of findings are relative. */
  readonly cwd: string;
  readonly commit?: string;
}

/** Callbacks for when something may have changed, and for when that cannot be known. */
export interface FollowCallbacks {
  readonly onChange: () => void;
  readonly onProblem: (problem: Diagnostic) => void;
}
