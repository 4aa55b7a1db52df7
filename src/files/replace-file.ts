import { randomUUID } from 'node:crypto';
import { chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Readable } from 'node:stream';

/**
 * Writes a file so that it is seen either as it was or whole. A link is followed; an existing file's permissions are
 * kept, a new one gets `newMode`. `mayReplace` is asked just before the file takes its place.
 */
export async function replaceFile(
  path: string,
  content: string | Readable,
  mayReplace: () => Promise<void> = async () => undefined,
  newMode = 0o666,
): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}.part`);
  try {
    await writeNew(temporary, content, newMode);
    const mode = await stat(target).then(
      (found) => found.mode & 0o7777,
      () => undefined,
    );
    if (mode !== undefined) await chmod(temporary, mode);
    await mayReplace();
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeNew(path: string, content: string | Readable, mode: number): Promise<void> {
  const file = await open(path, 'wx', mode);
  try {
    for await (const chunk of typeof content === 'string' ? [content] : content) await file.appendFile(chunk as Buffer);
    await file.sync();
  } finally {
    await file.close();
  }
}
