import { isUtf8 } from 'node:buffer';
import { unreadable } from './sniff.js';

const LINE_FEED = 10;

/**
 * Passes bytes on as they are, in whole lines. Bytes that are not UTF-8 end the stream with an error that names the
 * line; none is ever replaced.
 */
export async function* utf8Lines(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer> {
  let rest = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end === 0) {
      rest = Buffer.concat([rest, chunk]);
      continue;
    }
    const block = Buffer.concat([rest, chunk.subarray(0, end)]);
    rest = Buffer.from(chunk.subarray(end));
    line = checked(block, line, file);
    yield block;
  }
  if (rest.length === 0) return;
  checked(rest, line, file);
  yield rest;
}

/** The number of the line after the block. */
function checked(block: Buffer, firstLine: number, file: string): number {
  let line = firstLine;
  const valid = isUtf8(block);
  for (let start = 0; start < block.length; line += 1) {
    const feed = block.indexOf(LINE_FEED, start);
    if (feed === -1 && valid) break;
    const end = feed === -1 ? block.length : feed + 1;
    if (!valid && !isUtf8(block.subarray(start, end))) {
      throw unreadable(
        `${file}:${line}: this line is not UTF-8.`,
        'Save the file as UTF-8 ("CSV UTF-8") and try again.',
      );
    }
    start = end;
  }
  return line;
}
