import { createReadStream } from 'node:fs';
import type { Encoding } from '#core/jobs/source.js';

const LINE_FEED = 10;
const RETURN = 13;

/** Reads the lines of a text file as bytes, with their ends. For finding faults: slow, and buffers the longest line. */
export async function* rawLines(path: string, encoding: Encoding): AsyncGenerator<Buffer> {
  const unit = unitReader(encoding);
  let rest = Buffer.alloc(0);
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    const block = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let at = 0; at + unit.width <= block.length; at += unit.width) {
      const code = unit.at(block, at);
      const next = at + unit.width;
      const whole = next + unit.width <= block.length;
      const ends = code === LINE_FEED || (code === RETURN && whole && unit.at(block, next) !== LINE_FEED);
      if (!ends) continue;
      yield block.subarray(start, next);
      start = next;
    }
    rest = Buffer.from(block.subarray(start));
  }
  if (rest.length > 0) yield rest;
}

function unitReader(encoding: Encoding): { width: number; at(bytes: Buffer, index: number): number } {
  switch (encoding) {
    case 'utf-16le':
      return { width: 2, at: (bytes, index) => bytes.readUInt16LE(index) };
    case 'utf-16be':
      return { width: 2, at: (bytes, index) => bytes.readUInt16BE(index) };
    default:
      return { width: 1, at: (bytes, index) => bytes[index] ?? 0 };
  }
}
