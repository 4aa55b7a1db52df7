import { readFile } from 'node:fs/promises';
import type { WorkBook } from '@e965/xlsx';
import { omitUndefined } from '#base/omit-undefined.js';
import type { ImportSource } from '#core/jobs/source.js';
import type { CellRange } from './cell-range.js';
import type { RawTable } from './raw-table.js';
import { unreadableFile } from './unreadable-file.js';
import { chooseWorksheet, type Worksheet } from './workbook.js';
import { brokenWorkbook, cutWorkbook, refuseBroken, refuseTextOptions } from './workbook-errors.js';
import { isWholeContainer } from './xls-container.js';
import { type XlsSheet, xlsBatches } from './xls-rows.js';

/** The whole workbook is held in memory, some 30 times its size. 65,536 rows of ten columns, the most rows, are 9 MB. */
const MOST_BYTES = 10 * 1024 * 1024;

/** Reads a worksheet of the old binary format (BIFF5 and BIFF8), in the form in which the cells of XLSX are read. */
export async function readXls(path: string, source: ImportSource, size: number): Promise<RawTable> {
  const { file } = source;
  refuseTextOptions(source);
  if (size > MOST_BYTES) {
    throw unreadableFile(
      `${file} has ${megabytes(size)}, but at most ${megabytes(MOST_BYTES)} of an .xls file are read.`,
      'Save it as .xlsx or .csv, which may be larger.',
    );
  }
  const book = await openBook(path, file);
  const worksheets = book.SheetNames.map((name, index) => worksheetOf(book, name, index)).filter(hasRows(book));
  const { name } = await refuseBroken(file, async () => chooseWorksheet({ worksheets }, source.worksheet, file));
  const sheet = book.Sheets[name] as XlsSheet;
  const epoch = book.Workbook?.WBProps?.date1904 === true ? '1904' : '1900';
  const merged = (sheet['!merges'] ?? []).map(
    ({ s, e }): CellRange => ({ top: s.r + 1, bottom: e.r + 1, left: s.c, right: e.c }),
  );
  const hidden = new Set((sheet['!cols'] ?? []).flatMap((column, index) => (column?.hidden === true ? [index] : [])));
  return {
    form: 'sheet',
    format: 'xls',
    file,
    worksheet: name,
    worksheets,
    batches: xlsBatches(sheet, epoch),
    hiddenColumns: () => hidden,
    merged: () => merged,
    notes: [],
  };
}

async function openBook(path: string, file: string): Promise<WorkBook> {
  const bytes = await readFile(path);
  if (!isWholeContainer(bytes)) throw cutWorkbook(file);
  const { read } = await import('@e965/xlsx');
  try {
    // Styles have the hidden rows and columns.
    return read(bytes, {
      type: 'buffer',
      dense: true,
      cellText: false,
      cellHTML: false,
      cellNF: true,
      cellStyles: true,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : '';
    if (/password/i.test(reason)) {
      throw unreadableFile(`${file} is protected with a password.`, 'Save a copy without a password.', error);
    }
    if (/Cannot find Workbook stream/.test(reason)) {
      throw unreadableFile(
        `${file} is an old Office file, but not a workbook.`,
        'Save its table as .xlsx or .csv.',
        error,
      );
    }
    throw brokenWorkbook(file, new Error('its records cannot be read', { cause: error }));
  }
}

const worksheetOf = (book: WorkBook, name: string, index: number): Worksheet => ({
  name,
  part: name,
  state: (book.Workbook?.Sheets?.[index]?.Hidden ?? 0) === 0 ? 'shown' : 'hidden',
  ...omitUndefined({ dimension: book.Sheets[name]?.['!ref'] }),
});

/** Charts and macros are listed as sheets too. */
const hasRows =
  (book: WorkBook) =>
  ({ name }: Worksheet): boolean =>
    ((book.Sheets[name] as XlsSheet | undefined)?.['!type'] ?? 'sheet') === 'sheet';

const megabytes = (bytes: number): string => `${Math.round(bytes / 1024 / 1024)} MB`;
