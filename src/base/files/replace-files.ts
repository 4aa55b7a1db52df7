import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';
import { type FileReplacement, openReplacement } from './replace-file.js';

/**
 * Writes several files: each is written whole beside its place before the first one takes its place, so that a full disk or
 * a folder that cannot be written to changes none of them. `mayBegin` is asked just before that. A crash in between leaves
 * each file as it was or whole.
 */
export async function replaceFiles(
  files: readonly { readonly path: string; readonly content: string }[],
  mayBegin: () => Promise<void>,
): Promise<void> {
  const open: FileReplacement[] = [];
  try {
    for (const { path, content } of files) {
      await makeFolder(dirname(path));
      const file = await openReplacement(path);
      open.push(file);
      await file.write(content);
    }
    await mayBegin();
    while (open.length > 0) {
      await open[0]?.finish();
      open.shift();
    }
  } finally {
    for (const file of open) await file.abandon();
  }
}
