import { extname } from 'node:path';
import type { ImportSource } from '#core/jobs/source.js';
import { ALIGNED, type AlignedColumns, alignedColumns, alignedRecords } from './aligned-records.js';
import { csvRecords } from './csv-records.js';
import { decodedText, utf8Bytes } from './decode.js';
import { cutToWholeLines, DELIMITER_NAMES, findDelimiter } from './delimiter.js';
import { findEncoding } from './encoding.js';
import type { RawTable } from './raw-table.js';
import type { Sniffed } from './sniff.js';
import type { SourceNote } from './source-table.js';
import { unreadableFile } from './unreadable-file.js';

const SHEET_OPTIONS = ['worksheet', 'hidden'] as const;

/** Reads a text file by RFC 4180: anything uncertain is an error that names its line. */
export async function readCsv(path: string, source: ImportSource, { head, size }: Sniffed): Promise<RawTable> {
  const { file, quotes = 'strict' } = source;
  refuseSheetOptions(source);
  const { encoding, notes } =
    source.encoding === undefined ? await findEncoding(path, file, head) : { encoding: source.encoding, notes: [] };
  const usual = ['.tsv', '.tab'].includes(extname(file).toLowerCase()) ? '\t' : ',';
  const text = firstText(head, encoding);
  const lines = head.length < size ? cutToWholeLines(text) : `${text}\n`;
  const aligned = alignedIn(lines, source);
  const delimiter = source.delimiter ?? (aligned === undefined ? findDelimiter(lines, usual) : ALIGNED);
  const blocks = utf8Bytes(path, encoding, file);
  return {
    form: 'text',
    file,
    encoding,
    delimiter,
    batches: aligned === undefined ? csvRecords(blocks, { delimiter, quotes }, file) : alignedRecords(blocks, aligned),
    hiddenColumns: () => new Set(),
    merged: () => [],
    notes: [
      ...notes,
      ...(delimiter === usual || source.delimiter !== undefined ? [] : [delimiterNote(file, delimiter)]),
    ],
  };
}

/** The columns of a text that spaces align, if no delimiter is given. */
function alignedIn(text: string, { delimiter, file }: ImportSource): AlignedColumns | undefined {
  if (delimiter !== undefined && delimiter !== ALIGNED) return undefined;
  const found = alignedColumns(text);
  if (found !== undefined || delimiter === undefined) return found;
  throw unreadableFile(
    `${file} has no line of headers with columns below them that spaces align.`,
    'Remove `delimiter: aligned`, or divide its columns in a spreadsheet.',
  );
}

/** Decodes the beginning of the file for detection; reading it again reports what does not fit. */
function firstText(head: Buffer, encoding: NonNullable<RawTable['encoding']>): string {
  const even = head.subarray(0, head.length - (head.length % 2));
  return decodedText(encoding.startsWith('utf-16') ? even : head, encoding) ?? head.toString('latin1');
}

function refuseSheetOptions(source: ImportSource): void {
  const option = SHEET_OPTIONS.find((name) => source[name] !== undefined);
  const { file } = source;
  if (option === 'worksheet') {
    throw unreadableFile(
      `${file} is a text file and has no worksheet "${[source.worksheet].flat().join('", "')}".`,
      'Remove `worksheet`, or use a workbook.',
    );
  }
  if (option !== undefined || source.fillDown === 'merged') {
    const given = option === undefined ? 'fillDown: merged' : option;
    throw unreadableFile(
      `${file} is a text file, and \`${given}\` applies only to workbooks.`,
      'Remove the option, or use a workbook.',
    );
  }
}

function delimiterNote(file: string, delimiter: string): SourceNote {
  const name = DELIMITER_NAMES[delimiter] ?? delimiter;
  return {
    severity: 'info',
    code: 'delimiter-detected',
    message:
      delimiter === ALIGNED
        ? `${file} is read as columns that spaces align.`
        : `${file} is read as cells separated by ${name}.`,
  };
}
