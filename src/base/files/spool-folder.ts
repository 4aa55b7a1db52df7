import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { rethrowWithPath, throwAsDisk } from './disk-error.js';
import { makeFolder } from './make-folder.js';
import { isLeftover, processPrefix } from './process-prefix.js';

/** A folder of this process for spooled rows. */
export interface SpoolFolder {
  /** Its path; the first call creates the folder. */
  path(): Promise<string>;
}

/**
 * Lends a folder under `.dexsync/tmp` of a project to `use`, and always removes it afterwards. It is next to the
 * ledger, since rows may be confidential and large. Removes folders of killed processes first.
 */
export async function withSpool<T>(data: string, use: (spool: SpoolFolder) => Promise<T>): Promise<T> {
  let opened: Promise<string> | undefined;
  const path = (): Promise<string> => {
    opened ??= openSpool(join(data, 'tmp'));
    return opened;
  };
  try {
    return await use({ path });
  } catch (error) {
    // Errors of writing to open files of rows name no path.
    if ((error as NodeJS.ErrnoException).path === undefined) rethrowWithPath(error, join(data, 'tmp'));
    throw error;
  } finally {
    const made = await opened?.catch(() => undefined);
    if (made !== undefined) await rm(made, { recursive: true, force: true });
  }
}

async function openSpool(root: string): Promise<string> {
  try {
    await makeFolder(root, 0o700);
    return await newOwnFolder(root);
  } catch (error) {
    return throwAsDisk(error, `The folder ${root}`);
  }
}

/** Creates a folder of this process, and removes those beside it that killed processes left. */
export async function newOwnFolder(root: string, prefix = ''): Promise<string> {
  const left = (await readdir(root)).filter((name) => name.startsWith(prefix) && isLeftover(name.slice(prefix.length)));
  await Promise.all(left.map((name) => rm(join(root, name), { recursive: true, force: true }).catch(() => undefined)));
  return mkdtemp(join(root, `${prefix}${processPrefix()}`));
}
