import { open } from 'node:fs/promises';
import { readCsv } from './read-csv.js';
import type { Source } from './source.js';

/** The first bytes of a workbook, which is a ZIP archive. */
const ZIP = Buffer.from('PK\x03\x04');

/** Detects the type of a file from its first bytes, for a run that does not give it (wire-facts 4, submitFileType). */
export async function detectFileType(path: string): Promise<'CSV' | 'EXCEL_WORKSHEET'> {
  const file = await open(path);
  try {
    const { buffer } = await file.read(Buffer.alloc(ZIP.length), 0, ZIP.length, 0);
    return buffer.equals(ZIP) ? 'EXCEL_WORKSHEET' : 'CSV';
  } finally {
    await file.close();
  }
}

/** Reads a source; loads the workbook reader on first use, since that takes longer than the rest of a start. */
export async function readSource(
  path: string,
  type: 'CSV' | 'EXCEL_WORKSHEET',
  worksheet: string | null,
): Promise<Source> {
  if (type === 'CSV') return readCsv(path);
  const { readWorkbook } = await import('./read-workbook.js');
  return readWorkbook(path, worksheet);
}
