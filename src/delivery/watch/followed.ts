import type { Diagnostic } from '#base/diagnostics.js';
import type { ProjectOptions } from '#project/host.js';

/** What a watch keeps its environment in line with. */
export interface Followed {
  /** As people call it: a folder, or a git ref. */
  readonly name: string;
  /** The project as it is to be read now. It stays as it is until this is called again. */
  checkOut(): Promise<CheckedOut>;
  /** Ends, and removes what was checked out. */
  close(): Promise<void>;
}

/** Where the project of one round is. */
export interface CheckedOut {
  readonly options: Pick<ProjectOptions, 'config' | 'dataFolder'>;
  /** What files of findings are relative to. */
  readonly cwd: string;
  readonly commit?: string;
}

/** Whom to call when something may have changed, and when it is unknown whether something has. */
export interface Following {
  readonly onChange: () => void;
  readonly onProblem: (problem: Diagnostic) => void;
}
