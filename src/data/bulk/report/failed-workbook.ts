import { createReadStream, createWriteStream } from 'node:fs';
import type { WorkbookWriter } from '@cj-tech-master/excelts';
import { replaceFile } from '#base/files/replace-file.js';
import { excerpt, printableText } from '#base/printable.js';
import type { ReportFiles } from '#core/stream/import-event-schema.js';
import type { RowError } from '#core/stream/row-error.js';
import { knownCause } from '../errors/causes.js';
import { EXTRA_COLUMNS } from './extra-columns.js';

/** The failed rows as a workbook. */
export const FAILED_WORKBOOK = 'failed.xlsx';

/** A workbook of failed rows, with the columns of `failed.csv` and a comment at each failed cell. */
export interface FailedWorkbook {
  /** Adds a row, unless the workbook is full. */
  add(cells: readonly string[], errors: readonly RowError[]): Promise<void>;
  /** Moves the workbook to its place; undefined if it has no row. */
  finish(path: string): Promise<ReportFiles['workbook']>;
}

/** Programs that show workbooks take long for more comments. */
const MOST_ROWS = 10_000;
/** Limits of the format, in characters; comments are meant to be read. */
const MOST_IN_CELL = 32_767;
const MOST_IN_COMMENT = 2000;

const FAILED = { type: 'pattern', pattern: 'solid', fgColor: { argb: 'FFFFD9D9' } } as const;
const AS_TEXT = { numFmt: '@' } as const;

/** `temporary`: where it is written until it is complete. The library is loaded once a row failed. */
export function openFailedWorkbook(temporary: string, headers: readonly string[]): FailedWorkbook {
  let book: OpenBook | undefined;
  let rows = 0;
  return {
    async add(cells, errors) {
      if (rows >= MOST_ROWS) return;
      book ??= await openBook(temporary, headers);
      rows += 1;
      book.add(cells, commentsOf(cells, errors, headers));
    },
    async finish(path) {
      if (book === undefined) return undefined;
      await book.close();
      await replaceFile(path, createReadStream(temporary), { newMode: 0o600, temporary: `${temporary}.new` });
      return { path, rows };
    },
  };
}

interface OpenBook {
  add(cells: readonly string[], comments: ReadonlyMap<number, string>): void;
  close(): Promise<void>;
}

async function openBook(path: string, headers: readonly string[]): Promise<OpenBook> {
  const excelts = await import('@cj-tech-master/excelts');
  const stream = createWriteStream(path, { mode: 0o600 });
  const book: WorkbookWriter = new excelts.WorkbookWriter({ stream, useStyles: true, useSharedStrings: true });
  const sheet = book.addWorksheet('Failed rows', { views: [{ state: 'frozen', ySplit: 1 }] });
  const head = [...headers, ...EXTRA_COLUMNS].map(cellText);
  // Cells that are edited stay texts too: part numbers do not become numbers, nor texts formulas.
  sheet.columns = head.map(() => ({ width: 18, style: AS_TEXT }));
  const first = sheet.addRow(head);
  first.font = { bold: true };
  first.commit();
  return {
    add(cells, comments) {
      const row = sheet.addRow(cells.map(cellText));
      for (const [index, text] of comments) {
        const cell = row.getCell(index + 1);
        cell.fill = FAILED;
        cell.note = text;
      }
      row.commit();
    },
    async close() {
      sheet.commit();
      await book.commit();
    },
  };
}

/** What is said at the cells of a row, by their positions; what is about no cell of its own is said at the reason. */
function commentsOf(
  cells: readonly string[],
  errors: readonly RowError[],
  headers: readonly string[],
): ReadonlyMap<number, string> {
  const comments = new Map<number, string>();
  const add = (index: number, text: string): void => {
    const known = comments.get(index);
    comments.set(index, excerpt(known === undefined ? text : `${known}\n\n${text}`, MOST_IN_COMMENT));
  };
  for (const error of errors) {
    const index = headers.indexOf(error.column ?? '');
    add(index === -1 ? headers.length + 1 : index, commentText(error));
  }
  for (const [index, cell] of cells.entries())
    if (cell.length > MOST_IN_CELL)
      add(index, 'This text is cut, since it is too long for a workbook. failed.csv has all of it.');
  return comments;
}

function commentText({ code, message, doubt }: RowError): string {
  const { explanation, advice } = knownCause(code) ?? {};
  const said = code === undefined ? message : `${message} (${code})`;
  return printableText([explanation, said, advice, doubt].filter((part) => part !== undefined).join('\n'));
}

/**
 * The text of a cell. XML cannot contain some characters: the format has `_x001B_` for them, and for an underscore that
 * would begin such a text (ECMA-376 part 1, 22.9.2.19).
 */
function cellText(text: string): string {
  const fitting = text.length > MOST_IN_CELL ? `${text.slice(0, MOST_IN_CELL - 3)}...` : text;
  return fitting
    .replaceAll(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replaceAll(UNWRITABLE, (one) => `_x${one.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(/\p{Surrogate}/gu, '\ufffd');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
const UNWRITABLE = /[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g;
