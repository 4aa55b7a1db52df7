import { isUtf8 } from 'node:buffer';
import { createReadStream } from 'node:fs';
import type { Encoding } from '#core/jobs/source.js';
import { CODE_PAGES } from './code-pages.js';
import { rawLines } from './raw-lines.js';
import { unreadableFile } from './unreadable-file.js';

/** Small enough that its rows are garbage at the next collection: those of twice as much are copied by it, at half the speed. */
const CHUNK = 64 * 1024;

/** Windows-1252 from 0x80 to 0x9f; U+FFFD marks an unassigned byte. Some releases of Node read it as Latin-1. */
const WINDOWS = '€\ufffd‚ƒ„…†‡ˆ‰Š‹Œ\ufffdŽ\ufffd\ufffd‘’“”•–—˜™š›œ\ufffdžŸ';

/** The byte of a character in Windows-1252, or in Latin-1 where it has none; undefined if it has none in either. */
export function windowsByte(character: string): number | undefined {
  const index = WINDOWS.indexOf(character);
  const code = character.charCodeAt(0);
  if (index !== -1 && character !== '\ufffd') return 0x80 + index;
  return code < 0x100 ? code : undefined;
}

/** Names of encodings as people write them. */
export const ENCODING_NAMES: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1250': 'Windows-1250',
  'windows-1251': 'Windows-1251',
  'windows-1252': 'Windows-1252',
  'windows-1253': 'Windows-1253',
  'windows-1254': 'Windows-1254',
  'windows-1257': 'Windows-1257',
  'iso-8859-2': 'ISO-8859-2',
  'iso-8859-15': 'ISO-8859-15',
  cp850: 'CP850',
  cp852: 'CP852',
  cp866: 'CP866',
  shift_jis: 'Shift_JIS',
  gb18030: 'GB 18030',
};

/**
 * Converts the text of a file to UTF-8, in blocks of whole characters. Bytes that do not fit the encoding end it with
 * an error that names the line; none is ever replaced.
 */
export async function* utf8Bytes(path: string, encoding: Encoding, file: string): AsyncGenerator<Buffer> {
  const input = createReadStream(path, { highWaterMark: CHUNK });
  try {
    yield* encoding === 'utf-8' ? validUtf8(wholeCharacters(input)) : otherText(input, encoding);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw unreadableFile(
      `${file}:${await badLine(path, encoding)}: this line is not ${ENCODING_NAMES[encoding]}.`,
      'Save the file as UTF-8 ("CSV UTF-8"), or set `encoding` to the encoding of the file.',
      error,
    );
  } finally {
    input.destroy();
  }
}

/** Decodes a piece of a text; undefined if its bytes do not fit the encoding. */
export function decodedText(bytes: Uint8Array, encoding: Encoding): string | undefined {
  try {
    return decoderOf(encoding)(bytes, 'more');
  } catch {
    return undefined;
  }
}

/** Splits bytes into pieces that do not end within a character. */
export async function* wholeCharacters(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const end = block.length - openBytes(block);
    rest = Buffer.from(block.subarray(end));
    if (end > 0) yield block.subarray(0, end);
  }
  if (rest.length > 0) yield rest;
}

/** Number of bytes at the end that begin an incomplete character of UTF-8. */
function openBytes(block: Buffer): number {
  const last = block.subarray(-3);
  const lead = last.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  const length = last.length - lead;
  return lead !== -1 && length < lengthOf(last[lead] ?? 0) ? length : 0;
}

/** Number of bytes in a character, by its first byte. */
function lengthOf(lead: number): number {
  if (lead < 0xc0) return 1;
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

async function* validUtf8(blocks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const block of blocks) {
    if (!isUtf8(block)) throw new TypeError('not UTF-8');
    yield block;
  }
}

async function* otherText(chunks: AsyncIterable<Buffer>, encoding: Encoding): AsyncGenerator<Buffer> {
  const decode = decoderOf(encoding);
  for await (const chunk of chunks) yield Buffer.from(decode(chunk, 'more'));
  yield Buffer.from(decode(new Uint8Array(), 'last'));
}

type Decode = (bytes: Uint8Array, then: 'more' | 'last') => string;

/** Creates a decoder, which throws a TypeError for bytes that do not fit. */
function decoderOf(encoding: Encoding): Decode {
  if (encoding === 'windows-1252') return windowsText;
  if (encoding === 'cp850' || encoding === 'cp852') return (bytes) => codePageText(bytes, CODE_PAGES[encoding]);
  const decoder = new TextDecoder(encoding === 'cp866' ? 'ibm866' : encoding, { fatal: true });
  const isNarrow = /^(?:windows|iso)-/.test(encoding);
  return (bytes, then) => {
    const text = decoder.decode(bytes, { stream: then === 'more' });
    // Bytes without a character become control characters.
    if (isNarrow && CONTROLS.test(text)) throw new TypeError(`not ${encoding}`);
    return text;
  };
}

const CONTROLS = /[\u0080-\u009f]/;

const latinText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

const codePageText = (bytes: Uint8Array, page: string): string =>
  latinText(bytes).replace(/[\u0080-\u00ff]/g, (character) => page[character.charCodeAt(0) - 0x80] ?? character);

function windowsText(bytes: Uint8Array): string {
  return latinText(bytes).replace(/[\u0080-\u009f]/g, (character) => {
    const meant = WINDOWS[character.charCodeAt(0) - 0x80];
    if (meant === undefined || meant === '\ufffd') throw new TypeError('not Windows-1252');
    return meant;
  });
}

async function badLine(path: string, encoding: Encoding): Promise<number> {
  let line = 0;
  for await (const bytes of rawLines(path, encoding)) {
    line += 1;
    if (!isTextIn(bytes, encoding)) break;
  }
  return line;
}

/** Whether a whole line is text of that encoding. */
function isTextIn(bytes: Buffer, encoding: Encoding): boolean {
  if (encoding === 'utf-8') return isUtf8(bytes);
  try {
    decoderOf(encoding)(bytes, 'last');
    return true;
  } catch {
    return false;
  }
}
