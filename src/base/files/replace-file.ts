import { randomUUID } from 'node:crypto';
import { chmod, open, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { rethrowWithPath } from './disk-error.js';
import { isLeftover, processPrefix } from './process-prefix.js';
import { syncFolder } from './sync-folder.js';

/** The options for replacing a file. */
export interface ReplaceOptions {
  /** Called just before the replacement; throws to prevent it. */
  readonly mayReplace?: () => Promise<void>;
  /** Permissions of a new file; those of an existing one are kept. */
  readonly newMode?: number;
  /** The path until the file is complete; by default a new one beside it. Only one process may use a fixed path. */
  readonly temporary?: string;
}

/** A file that is being written beside the one that it will replace. */
export interface FileReplacement {
  write(content: string | Uint8Array): Promise<void>;
  /** Replaces the target with the complete file, synced to the disk. */
  finish(): Promise<void>;
  abandon(): Promise<void>;
}

/** Replaces a file atomically: readers see either the old or the complete new one. Follows links. */
export async function replaceFile(
  path: string,
  content: string | Iterable<string> | AsyncIterable<string | Uint8Array>,
  replacing: ReplaceOptions = {},
): Promise<void> {
  const file = await openReplacement(path, replacing);
  try {
    for await (const part of typeof content === 'string' ? [content] : content) await file.write(part);
    await file.finish();
  } catch (error) {
    await file.abandon();
    throw error;
  }
}

/** Replaces a file in pieces: nothing is visible before `finish`. The caller calls `finish` or `abandon`. */
export async function openReplacement(path: string, replacing: ReplaceOptions = {}): Promise<FileReplacement> {
  const { mayReplace, newMode = 0o666 } = replacing;
  const target = await realpath(path).catch(() => path);
  const temporary = replacing.temporary ?? (await temporaryBeside(target));
  const naming = (error: unknown): never => rethrowWithPath(error, target);
  const file = await open(temporary, replacing.temporary === undefined ? 'wx' : 'w', newMode).catch(naming);
  return {
    write: (content) => file.writeFile(content).catch(naming),
    async finish() {
      await file.sync().catch(naming);
      await file.close();
      const mode = await modeOf(target);
      if (mode !== undefined) await chmod(temporary, mode);
      await mayReplace?.();
      await rename(temporary, target).catch(naming);
      await syncFolder(dirname(target));
    },
    async abandon() {
      await file.close().catch(() => undefined);
      await rm(temporary, { force: true });
    },
  };
}

/** A new temporary path in the target's folder. Removes files that killed commands left there, once. */
export async function temporaryBeside(target: string): Promise<string> {
  const folder = dirname(target);
  if (!swept.has(folder)) {
    swept.add(folder);
    for (const name of await readdir(folder).catch(() => []))
      if (isLeftover(PART.exec(name)?.[1] ?? '')) await rm(join(folder, name), { force: true }).catch(() => undefined);
  }
  return join(folder, `.${basename(target)}.${processPrefix()}${randomUUID().slice(0, 8)}.part`);
}

const PART = /^\..+\.(\d+-[A-Za-z0-9]+-[0-9a-f]{8})\.part$/;

/** Folders that were searched: they may have many files, so each is searched once. */
const swept = new Set<string>();

const modeOf = (path: string): Promise<number | undefined> =>
  stat(path).then(
    (found) => found.mode & 0o7777,
    () => undefined,
  );
