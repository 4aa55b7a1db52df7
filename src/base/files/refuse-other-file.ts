import { readFile, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DexsyncError } from '../errors.js';
import { throwAsDisk } from './disk-error.js';

/** A file that a command would write. */
export interface OutFile {
  readonly path: string;
  /** As the user wrote it. */
  readonly file: string;
  /** What it may replace, for the middle of a sentence: `plan`. */
  readonly what: string;
  readonly isMeant: (text: string) => boolean;
}

/** Throws USAGE for a file that has other content: a typing error must not cost a manifest. Throws DISK, too. */
export async function refuseOtherFile({ path, file, what, isMeant }: OutFile): Promise<void> {
  await stat(dirname(path)).catch((error: unknown) => throwAsDisk(error, `The folder of the ${what} file ${file}`));
  const found = await stat(path).catch(() => undefined);
  if (found === undefined || found.size === 0) return;
  if (found.isFile() && isMeant(await readFile(path, 'utf8').catch(() => ''))) return;
  throw new DexsyncError('USAGE', `${file} already exists and is not a ${what}, so it is not replaced.`, {
    hint: 'Give another file with `--out`.',
  });
}
