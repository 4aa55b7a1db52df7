import { createWriteStream } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { rethrowWithPath } from './disk-error.js';

/** Writes a stream through another one into a new file, which is on the disk when this returns. */
export async function writeStream(
  content: Readable,
  through: Duplex,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  await passStream(content, through, path, signal);
  await syncFile(path);
}

/** Writes a stream through another one into a new file, without syncing it to the disk. */
export const passStream = (content: Readable, through: Duplex, path: string, signal: AbortSignal): Promise<void> =>
  pipeline(content, through, createWriteStream(path, { flags: 'wx' }), { signal }).catch((error) =>
    rethrowWithPath(error, path),
  );

/** Syncs a file: its content is on the disk when this returns. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}
