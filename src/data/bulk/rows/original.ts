import { copyFile, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { ImportSource } from '#core/jobs/source.js';
import type { SourceTable } from '../source/source-table.js';

/** A file that is sent as it is: a copy, so that the service gets the bytes that were read. */
export interface OriginalFile {
  readonly path: string;
  readonly size: number;
  readonly fileName: string;
  readonly fileType: 'CSV' | 'EXCEL_WORKSHEET';
  readonly worksheetName?: string;
}

/** Copies the file into the folder of its import. */
export async function copyOriginal(path: string, folder: string): Promise<string> {
  const copy = join(folder, `original-${basename(path)}`);
  await copyFile(path, copy);
  return copy;
}

/** Describes the copy at `path` for sending: the name of the source, and the worksheet of a workbook (wire-facts 4). */
export async function describeOriginal(path: string, { file, worksheet }: SourceTable): Promise<OriginalFile> {
  const { size } = await stat(path);
  const common = { path, size, fileName: basename(file) };
  return worksheet === undefined
    ? { ...common, fileType: 'CSV' }
    : { ...common, fileType: 'EXCEL_WORKSHEET', worksheetName: worksheet };
}

const HARMLESS = ['file', 'pick', 'worksheet', 'delimiter', 'encoding', 'headerRow'];

/** Reason why the service would read a file differently; undefined if there is none (wire-facts 4, "Source files"). */
export function originalProblem(
  source: ImportSource,
  { headerRow, format, worksheets, delimiter = ',', encoding = 'utf-8' }: SourceTable,
  runs: 'one' | 'several',
): string | undefined {
  const changing = Object.keys(source).find((option) => !HARMLESS.includes(option));
  if (changing !== undefined) return `\`${changing}\` changes its content`;
  if (worksheets !== undefined) return 'its rows are on several worksheets';
  if (headerRow !== 1) return `its headers are in row ${headerRow}`;
  if (runs === 'several') return '`rowsPerRun` splits its rows';
  if (format !== undefined) return format === 'xlsx' ? undefined : `the service takes no .${format} files`;
  if (delimiter !== ',') return `its delimiter is ${JSON.stringify(delimiter)}`;
  return encoding === 'utf-8' ? undefined : `its encoding is ${encoding}`;
}
