import { isAscii, isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Encoding } from '#core/jobs/source.js';
import { decodedText, ENCODING_NAMES, wholeCharacters } from './decode.js';
import { type GuessedEncoding, guessEncoding } from './guess-encoding.js';
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
  const { first, lines } = await foreignLines(path, file);
  const guess = guessEncoding(lines);
  if (guess === undefined) throw noEncoding(file, first);
  return { encoding: guess.encoding, notes: [guessNote(file, first, guess)] };
}

function guessNote(file: string, line: number, { encoding, word, other }: GuessedEncoding): SourceNote {
  const name = ENCODING_NAMES[encoding];
  const sample = word === undefined ? '' : ` ("${word}")`;
  const rival = other === undefined ? '' : ` It fits ${ENCODING_NAMES[other.encoding]} ("${other.word}") as well.`;
  const message = `${file} is not UTF-8 (line ${line}), so it is read as ${name}${sample}.${rival}`;
  const hint = `Check its special characters. Set \`encoding: ${encoding}\` if they are right${other === undefined ? '' : `, or \`encoding: ${other.encoding}\``}.`;
  return { severity: 'warning', code: 'encoding-guessed', message, hint };
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

/** So many lines with letters beyond ASCII show which encoding a file has. */
const MOST_LINES = 5000;

/**
 * Finds the lines that are not UTF-8. Refuses a file that also has UTF-8 beyond ASCII: it is damaged or joined from two,
 * and nobody would notice that either part is read wrong.
 */
async function foreignLines(path: string, file: string): Promise<{ first: number; lines: readonly Buffer[] }> {
  let line = 0;
  let first: number | undefined;
  let others = false;
  const lines: Buffer[] = [];
  for await (const bytes of rawLines(path, 'windows-1252')) {
    line += 1;
    if (isAscii(bytes)) continue;
    if (isUtf8(bytes)) others = true;
    else first ??= line;
    if (first !== undefined && others) throw twoEncodings(file, first);
    if (lines.length < MOST_LINES) lines.push(Buffer.from(bytes));
  }
  return { first: first ?? line, lines };
}

const twoEncodings = (file: string, line: number) =>
  unreadableFile(
    `${file}:${line}: this line is not UTF-8, but other lines are.`,
    'Save the file as UTF-8 ("CSV UTF-8"), or set `encoding` to the encoding of the whole file.',
  );

const noEncoding = (file: string, line: number) =>
  unreadableFile(
    `${file}:${line}: this line is neither UTF-8 nor in another encoding that dexsync knows.`,
    'Save the file as UTF-8 ("CSV UTF-8") and try again.',
  );
