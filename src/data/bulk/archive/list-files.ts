import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { DexsyncError } from '#base/errors.js';

/** A physical file that rows may name. */
export interface ListedFile {
  /** Path on disk. */
  readonly path: string;
  /** Path below the named folder, with `/`. */
  readonly name: string;
  readonly size: number;
}

const WILD = /[*?]/;

/**
 * Lists the files of a folder and its subfolders, or those that match a pattern: `*` and `?` within a name, `**` for
 * any folders. Sorts them by name, leaves out names that begin with a dot, and does not follow links.
 */
export async function listFiles(pattern: string): Promise<readonly ListedFile[]> {
  const { folder, test } = splitPattern(pattern);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw unreadableFolder(pattern, error);
  });
  const names = entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll(sep, '/'))
    .filter((name) => !name.split('/').some((part) => part.startsWith('.')) && test(name))
    .sort();
  const files: ListedFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    files.push({ path, name, size: (await stat(path)).size });
  }
  return files;
}

/** The folder below which a pattern matches files. */
export const folderOfPattern = (pattern: string): string => splitPattern(pattern).folder;

function splitPattern(pattern: string): { readonly folder: string; readonly test: (name: string) => boolean } {
  const parts = pattern.replaceAll(sep, '/').split('/');
  const wild = parts.findIndex((part) => WILD.test(part));
  if (wild === -1) return { folder: pattern, test: () => true };
  const expression = new RegExp(`^${parts.slice(wild).map(expressionOf).join('')}$`);
  return { folder: parts.slice(0, wild).join('/') || '/', test: (name) => expression.test(name) };
}

function expressionOf(part: string, index: number, { length }: readonly string[]): string {
  const last = index === length - 1;
  if (part === '**') return last ? '.*' : '(?:[^/]+/)*';
  const own = part
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '[^/]*')
    .replaceAll('?', '[^/]');
  return last ? own : `${own}/`;
}

function unreadableFolder(pattern: string, cause: unknown): DexsyncError {
  const absent = (cause as NodeJS.ErrnoException).code === 'ENOENT';
  const reason = absent ? 'there is no such folder' : (cause as Error).message;
  return new DexsyncError('FILE_UNREADABLE', `The files at ${pattern} cannot be read: ${reason}.`, {
    hint: 'Give `files` a folder, or a pattern such as drawings/**/*.pdf, relative to the manifest.',
    cause,
  });
}
