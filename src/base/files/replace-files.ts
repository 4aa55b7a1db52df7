import { dirname } from 'node:path';
import { makeFolder } from './make-folder.js';
import { type FileReplacement, openReplacement } from './replace-file.js';

/**
 * Replaces several files: all are written to temporary files before the first replacement, so that a full disk or an
 * unwritable folder changes none of them. Just before that, `mayBegin` runs. A crash in between leaves each file either
 * old or complete.
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
