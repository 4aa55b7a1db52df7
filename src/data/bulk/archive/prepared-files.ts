import type { ImportSource } from '#core/jobs/source.js';
import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import type { Finding } from '#core/model/findings.js';
import { resourceNamed } from '#core/model/import-resources.js';
import type { UploadedFiles } from '#service/import-runs.js';
import type { Column } from '../preflight/columns.js';
import type { ReportFinding } from '../preflight/row-check.js';
import { createRowFields } from '../preflight/row-fields.js';
import { placeOfRow } from '../source/row-place.js';
import type { SourceTable } from '../source/source-table.js';
import { RowFiles } from './row-files.js';
import { archiveDigest, packArchive } from './stored-archive.js';

/** The physical files of a prepared import. */
export interface PreparedFiles {
  readonly count: number;
  /** Total size of the files to send, without the archive's own directory. */
  readonly bytes: number;
  /** Part of the key of the import: see `archiveDigest`. */
  readonly digest: string;
  /** Archive of the files that data rows `first` to `last` refer to; undefined if they refer to none. */
  archiveOf(first: number, last: number): Promise<UploadedFiles | undefined>;
}

interface FilesInput {
  readonly source: ImportSource;
  readonly definition: ImportDefinitionSpec;
  readonly filesPath?: string;
}

/** Opens the files of an import; undefined if the source names none, or if its resource takes none (a warning). */
export async function openRowFiles(
  table: SourceTable,
  columns: readonly Column[],
  { source, definition, filesPath }: FilesInput,
  add: (finding: Finding) => void,
): Promise<RowFiles | undefined> {
  if (source.files === undefined || filesPath === undefined) return undefined;
  const say: ReportFinding = (finding) => add({ ...finding, ...placeOfRow(table, finding.row) });
  const rules = resourceNamed(definition.resource).files;
  if (rules === undefined) {
    const message = `${definition.resource} rows cannot have physical files, so the files in "${source.files}" are not sent.`;
    const hint = 'Remove `files`, or import the files as FILE_SUMMARY or ITEM_FILES.';
    say({ severity: 'warning', code: 'files-not-taken', message, hint });
    return undefined;
  }
  const fields = createRowFields(columns, definition);
  return RowFiles.open({ pattern: filesPath, called: source.files, fields, definition, rules, say });
}

/** Call it after all rows went through `check`. Reads every file once, for the digest. */
export async function prepareFiles(rowFiles: RowFiles, rows: number): Promise<PreparedFiles> {
  const all = rowFiles.entriesOf(1, rows);
  return {
    count: all.length,
    bytes: all.reduce((sum, { size }) => sum + size, 0),
    digest: await archiveDigest(all),
    async archiveOf(first, last) {
      const entries = rowFiles.entriesOf(first, last);
      return entries.length === 0 ? undefined : packArchive(entries);
    },
  };
}
