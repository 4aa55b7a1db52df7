import type { ImportSource } from '../../jobs/source.js';
import type { ImportDefinitionSpec } from '../../kinds/import-definition.js';
import { importResource } from '../../model/import-resources.js';
import type { UploadedFiles } from '../../service/import-runs.js';
import type { Column } from '../preflight/columns.js';
import type { Finding } from '../preflight/findings.js';
import { fieldsOf, type Say } from '../preflight/row-check.js';
import type { SourceTable } from '../source/source-table.js';
import { archiveDigest, archiveOf } from './archive.js';
import { type Claims, claimFiles } from './claims.js';

/** The physical files of an import that was read. */
export interface PreparedFiles {
  readonly count: number;
  /** Of what will be sent, without the archive's own directory. */
  readonly bytes: number;
  /** Part of the key of the import: see `archiveDigest`. */
  readonly digest: string;
  /** The archive of what the data rows from `first` to `last` name; undefined where they name nothing. */
  archiveOf(first: number, last: number): Promise<UploadedFiles | undefined>;
}

interface FilesInput {
  readonly source: ImportSource;
  readonly definition: ImportDefinitionSpec;
  readonly filesPath?: string;
}

/** Undefined where the source names no files, or its resource takes none, which is a warning. */
export async function openClaims(
  table: SourceTable,
  columns: readonly Column[],
  { source, definition, filesPath }: FilesInput,
  add: (finding: Finding) => void,
): Promise<Claims | undefined> {
  if (source.files === undefined || filesPath === undefined) return undefined;
  const { file, worksheet } = table;
  const say: Say = (finding) => add({ ...finding, file, ...(worksheet === undefined ? {} : { worksheet }) });
  const rules = importResource(definition.resource).files;
  if (rules === undefined) {
    const message = `Rows of ${definition.resource} bring no physical files, so those in "${source.files}" are not sent.`;
    const hint = 'Remove `files`, or import them by FILE_SUMMARY or ITEM_FILES.';
    say({ severity: 'warning', code: 'files-not-taken', message, hint });
    return undefined;
  }
  const fields = fieldsOf(columns, definition);
  return claimFiles({ pattern: filesPath, called: source.files, fields, definition, rules, say });
}

/** To be called when all rows went through the claims. */
export async function preparedFiles(claims: Claims, rows: number): Promise<PreparedFiles> {
  const all = claims.entriesOf(1, rows);
  return {
    count: all.length,
    bytes: all.reduce((sum, { size }) => sum + size, 0),
    digest: await archiveDigest(all),
    async archiveOf(first, last) {
      const entries = claims.entriesOf(first, last);
      return entries.length === 0 ? undefined : archiveOf(entries);
    },
  };
}
