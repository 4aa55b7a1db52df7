import type { ImportSource } from '../../jobs/source.js';
import { readCsv } from './read-csv.js';
import { readXlsx } from './read-xlsx.js';
import { sniff } from './sniff.js';
import type { SourceTable } from './source-table.js';

/**
 * Opens the table that `source` describes, in the file at `path`. The content decides how it is read, not the name.
 * The header row is the first row that is not blank from `headerRow` on.
 */
export async function openSource(path: string, source: ImportSource): Promise<SourceTable> {
  const kind = await sniff(path, source.file);
  return kind === 'workbook' ? readXlsx(path, source) : readCsv(path, source);
}
