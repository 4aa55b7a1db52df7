import type { PreparedImport } from '../../bulk/prepare.js';
import type { SourceTable } from '../../bulk/source/source-table.js';
import type { CommitRule } from '../../jobs/import.js';
import type { JobFacts } from '../../model/job-facts.js';

/** What accounting for the rows of an import needs beside them. */
export interface Accounting {
  /** Where the folders of all imports of this workspace are. */
  readonly folder: string;
  readonly workspace: string;
  /** Opens the source as it was read. */
  readonly openTable: () => Promise<SourceTable>;
}

/** An import that was read, checked and spooled, ready to be sent. */
export interface Job {
  readonly facts: JobFacts;
  readonly prepared: PreparedImport;
  readonly rule: CommitRule;
  readonly accounting: Accounting;
}

export interface PreparedJobs {
  readonly jobs: readonly Job[];
  /** Removes the spooled rows. */
  release(): Promise<void>;
}
