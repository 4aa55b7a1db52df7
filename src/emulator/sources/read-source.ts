import { open } from 'node:fs/promises';
import { readCsv } from './read-csv.js';
import type { Source } from './source.js';

/** What a workbook starts with: it is a ZIP archive. */
const ZIP = Buffer.from('PK\x03\x04');

/** What a file is by its first bytes, for a run that does not say it (wire-facts 4, submitFileType). */
export async function fileTypeOf(path: string): Promise<'CSV' | 'EXCEL_WORKSHEET'> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
    return buffer.equals(ZIP) ? 'EXCEL_WORKSHEET' : 'CSV';
  } finally {
    await file.close();
  }
}

/** The reader of workbooks is loaded with the first one: that takes longer than the rest of a start. */
export async function readSource(
  path: string,
  type: 'CSV' | 'EXCEL_WORKSHEET',
  worksheet: string | null,
): Promise<Source> {
  if (type === 'CSV') return readCsv(path);
  const { readWorkbook } = await import('./read-workbook.js');
  return readWorkbook(path, worksheet);
}
