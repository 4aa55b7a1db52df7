import { open } from 'node:fs/promises';

/** Bytes from `start` up to, and without, `end`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** Large enough that a socket takes one chunk and asks for the next when it has sent it. */
const CHUNK = 1024 * 1024;

/**
 * Reads ranges of a file, one chunk ahead, into two buffers that take turns. **A chunk is valid only until the next one
 * is requested**: copy it to keep it. New memory for each chunk would take longer than sending it.
 */
export async function* fileChunks(path: string, ranges: readonly ByteRange[]): AsyncGenerator<Buffer> {
  const file = await open(path);
  try {
    const reads = readsOf(ranges);
    const buffers = [Buffer.allocUnsafeSlow(CHUNK), Buffer.allocUnsafeSlow(CHUNK)];
    const begin = (turn: number) => {
      const { value: next } = reads.next();
      const buffer = buffers[turn] ?? Buffer.allocUnsafeSlow(CHUNK);
      return (
        next &&
        file.read(buffer, 0, next.end - next.start, next.start).then(({ bytesRead }) => ({ bytesRead, next, buffer }))
      );
    };
    let turn = 0;
    for (let read = begin(turn); read !== undefined; ) {
      const { bytesRead, next, buffer } = await read;
      if (bytesRead < next.end - next.start) throw new Error(`${path} became shorter while it was read.`);
      // A short chunk may wait in a socket's queue while the next one is read.
      if (bytesRead < CHUNK) buffers[turn] = Buffer.allocUnsafeSlow(CHUNK);
      turn = 1 - turn;
      read = begin(turn);
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

function* readsOf(ranges: readonly ByteRange[]): Generator<ByteRange, undefined> {
  for (const { start, end } of ranges) {
    for (let at = start; at < end; at += CHUNK) yield { start: at, end: Math.min(end, at + CHUNK) };
  }
}
