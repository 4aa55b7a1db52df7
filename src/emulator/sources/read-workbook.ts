import { type Row, Workbook, WorkbookReader } from '@cj-tech-master/excelts';
import { openSource, type Source, SourceError, type SourceRow, UNREADABLE } from './source.js';
import { isStreamable } from './workbook-order.js';

interface Sheet {
  readonly name: string;
  /** Whether it is the first worksheet that the workbook shows; undefined if unknown. */
  readonly first: boolean | undefined;
  readonly rows: AsyncIterable<Row> | Iterable<Row>;
}

/** Reads one worksheet of a workbook: the one named, or the first (interface 4.2, submitWorksheetName). */
export function readWorkbook(path: string, worksheet: string | null): Promise<Source> {
  return openSource(rowsOf(path, worksheet));
}

async function* rowsOf(path: string, worksheet: string | null): AsyncGenerator<SourceRow> {
  const seen: string[] = [];
  try {
    for await (const sheet of (await isStreamable(path)) ? streamedSheets(path) : loadedSheets(path)) {
      seen.push(sheet.name);
      if (isWanted(sheet, worksheet)) return yield* sheetRows(sheet);
      for await (const _ of sheet.rows);
    }
  } catch (error) {
    throw new SourceError(UNREADABLE, `The file is not a workbook that can be read: ${(error as Error).message}`);
  }
  const found = seen.map((name) => `"${name}"`).join(', ');
  throw new SourceError(UNREADABLE, `There is no worksheet "${worksheet}"; the workbook has ${found || 'none'}.`);
}

function isWanted({ name, first }: Sheet, worksheet: string | null): boolean {
  return worksheet === null ? first !== false : name.toLowerCase() === worksheet.toLowerCase();
}

async function* streamedSheets(path: string): AsyncGenerator<Sheet> {
  const reader = new WorkbookReader(path, {
    worksheets: 'emit',
    sharedStrings: 'cache',
    styles: 'cache',
    hyperlinks: 'ignore',
    entries: 'ignore',
  });
  for await (const sheet of reader) {
    const firstName = reader.model?.sheets?.[0]?.name;
    yield { name: sheet.name, first: firstName === undefined ? undefined : firstName === sheet.name, rows: sheet };
  }
}

/** Loads the whole workbook at once, if the order of its parts rules out streaming. */
async function* loadedSheets(path: string): AsyncGenerator<Sheet> {
  const book = new Workbook();
  await book.xlsx.readFile(path);
  for (const [index, sheet] of book.worksheets.entries()) {
    const rows: Row[] = [];
    sheet.eachRow((row) => rows.push(row));
    yield { name: sheet.name, first: index === 0, rows };
  }
}

async function* sheetRows({ rows }: Sheet): AsyncGenerator<SourceRow> {
  for await (const row of rows) {
    const values = row.values as readonly unknown[];
    yield {
      number: row.number,
      cells: Array.from({ length: Math.max(0, values.length - 1) }, (_, i) => cellText(values[i + 1])),
    };
  }
}

/** Returns the text of a cell: the result of a formula, the words of a link or rich text, ISO-8601 for a date. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(Number(value.toPrecision(15)));
  if (value instanceof Date) return dateText(value);
  return typeof value === 'object' ? objectText(value as CellObject) : String(value);
}

interface CellObject {
  readonly richText?: readonly { readonly text?: string | null }[];
  readonly result?: unknown;
  readonly text?: unknown;
  readonly error?: unknown;
  readonly checkbox?: unknown;
}

function objectText({ richText, result, text, error, checkbox }: CellObject): string {
  if (richText) return richText.map((part) => part.text ?? '').join('');
  return cellText(result ?? text ?? error ?? checkbox);
}

/** Formats a date. Workbooks have times without a zone; the definition's timeZone applies to them (wire-facts 4). */
function dateText(date: Date): string {
  if (Number.isNaN(date.getTime())) return '';
  const iso = new Date(Math.round(date.getTime() / 1000) * 1000).toISOString().slice(0, 19);
  return iso.endsWith('T00:00:00') ? iso.slice(0, 10) : iso;
}
