import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Encoding } from '#core/jobs/source.js';
import { decodedText, isTextIn, wholeCharacters } from './decode.js';
import { rawLines } from './raw-lines.js';
import type { SourceNote } from './source-table.js';
import { unreadableFile } from './unreadable-file.js';

/** A detected encoding, with a note if it is a guess. */
export interface FoundEncoding {
  readonly encoding: Encoding;
  readonly notes: readonly SourceNote[];
}

/**
 * Detects how the text of a file is encoded: by its mark, by the positions of its zero bytes, and by reading all of it,
 * since one byte at its end can show that it is not UTF-8. `head`: its first bytes.
 */
export async function findEncoding(path: string, file: string, head: Buffer): Promise<FoundEncoding> {
  const certain = encodingByMark(head) ?? (head.includes(0) ? utf16Of(head, file) : undefined);
  if (certain !== undefined) return { encoding: certain, notes: [] };
  if (await isAllUtf8(path)) return { encoding: 'utf-8', notes: [] };
  const line = await firstForeignLine(path, file);
  const message = `${file} is not UTF-8 (line ${line}), so it is read as Windows-1252.`;
  const hint = 'Check its special characters. Set `encoding: windows-1252` if they are right.';
  return { encoding: 'windows-1252', notes: [{ severity: 'warning', code: 'encoding-guessed', message, hint }] };
}

function encodingByMark(head: Buffer): Encoding | undefined {
  if (head.subarray(0, 3).toString('hex') === 'efbbbf') return 'utf-8';
  const mark = head.subarray(0, 2).toString('hex');
  if (mark === 'fffe') return 'utf-16le';
  return mark === 'feff' ? 'utf-16be' : undefined;
}

/** Certain if all zero bytes are the higher ones of their pairs, there are many, and some character ends a line. */
function utf16Of(head: Buffer, file: string): Encoding {
  const zeros = [0, 0];
  for (const [index, byte] of head.entries()) if (byte === 0) zeros[index % 2] = (zeros[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const encoding = even === 0 ? 'utf-16le' : 'utf-16be';
  const whole = head.subarray(0, head.length - (head.length % 2));
  const text = Math.min(even, odd) === 0 && (even + odd) * 4 >= head.length ? decodedText(whole, encoding) : undefined;
  if (text !== undefined && /[\r\n]/.test(text)) return encoding;
  throw unreadableFile(`${file} is neither text nor a workbook.`, 'Give a CSV, TSV, XLSX, XLS or ODS file.');
}

async function isAllUtf8(path: string): Promise<boolean> {
  const input = createReadStream(path, { highWaterMark: 1024 * 1024 });
  try {
    for await (const block of wholeCharacters(input)) if (!isUtf8(block)) return false;
    return true;
  } finally {
    input.destroy();
  }
}

/**
 * Finds the first line that is not UTF-8, in a file that can be Windows-1252. Refuses a file that also has UTF-8 beyond
 * ASCII: it is damaged or joined from two, and nobody would notice that either part is read wrong.
 */
async function firstForeignLine(path: string, file: string): Promise<number> {
  let line = 0;
  let first: number | undefined;
  let others = false;
  for await (const bytes of rawLines(path, 'windows-1252')) {
    line += 1;
    if (isAscii(bytes)) continue;
    if (isUtf8(bytes)) others = true;
    else first ??= line;
    if (first !== undefined && others) throw twoEncodings(file, first);
    if (!isTextIn(bytes, 'windows-1252')) throw noEncoding(file, line);
  }
  return first ?? line;
}

const twoEncodings = (file: string, line: number) =>
  unreadableFile(
    `${file}:${line}: this line is not UTF-8, but other lines are.`,
    'Save the file as UTF-8 ("CSV UTF-8"), or set `encoding` to the encoding of the whole file.',
  );

const noEncoding = (file: string, line: number) =>
  unreadableFile(
    `${file}:${line}: this line is neither UTF-8 nor Windows-1252.`,
    'Save the file as UTF-8 ("CSV UTF-8") and try again.',
  );
