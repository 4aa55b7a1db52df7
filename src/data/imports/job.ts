import { type CommitRule, type ImportSpec, toImportSpec } from '#core/jobs/import.js';
import { type ImportDefinitionSpec, parseImportDefinition } from '#core/kinds/import-definition.js';
import type { Manifest } from '#core/model/document.js';
import type { JobFacts } from '#core/model/job-facts.js';
import type { ProjectFolders } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import type { PreparedImport } from '../bulk/prepare.js';
import type { RowRanges } from '../bulk/rows/row-ranges.js';
import type { SourceTable } from '../bulk/source/source-table.js';

/** An import that was read, checked and spooled, ready to be sent. */
export interface Job {
  /** Its spec is what the import asks for, with the name of the file that was found. */
  readonly manifest: Manifest;
  readonly facts: JobFacts;
  readonly prepared: PreparedImport;
  /** All rows of the file, if `prepared` has only those that are sent. */
  readonly whole?: PreparedImport;
  /** Prepares some of its rows, by their positions among the data rows of the file. */
  readonly prepareOnly: (rows: RowRanges) => Promise<PreparedImport>;
  /** The project and the name of the workspace that its report belongs to. */
  readonly project: ProjectFolders & Pick<Config, 'fileStore' | 'imports'>;
  readonly workspace: string;
  /** Opens the file as it was read, or as another source. */
  readonly openTable: (source?: ImportSpec['source']) => Promise<SourceTable>;
  /** The result of comparing its rows; absent if they were not compared. */
  readonly compared?: ComparedRows;
}

/** The rows of an import that were compared, and what they change. */
export interface ComparedRows {
  /** A file with all changes in the order of the rows, one JSON text per line; it lasts as long as the spooled rows. */
  readonly changes: string;
  /** The data rows of the file that were compared; all if absent. */
  readonly only?: RowRanges;
}

/** All rows of the file, also those that are not sent. */
export const allRowsOf = ({ prepared, whole = prepared }: Job): PreparedImport => whole;

/** The spec that an import asks for. */
export const jobSpec = ({ facts }: Pick<Job, 'facts'>): ImportSpec => toImportSpec(facts.request.spec);

/** The commit rule in effect, which a person may have overruled. */
export const commitRule = ({ facts }: Pick<Job, 'facts'>): CommitRule => facts.rule as CommitRule;

/** The definition of an import as it will be after the plan. */
export const jobDefinition = ({ facts }: Job): ImportDefinitionSpec =>
  parseImportDefinition(facts.request.definition.spec);
