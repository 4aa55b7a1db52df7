import { constants } from 'node:fs';
import { copyFile, rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsUnwritable } from '#base/files/disk-error.js';
import { makeFolder } from '#base/files/make-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { replaceFiles } from '#base/files/replace-files.js';
import type { Host } from '#project/host.js';

/** A file to write, with its text or as a copy of another. */
export type NewFile = { readonly file: string } & ({ readonly content: string } | { readonly copyOf: string });

/** A file that was written, as a path from the current folder. */
export interface WrittenFile {
  readonly file: string;
}

interface Copy {
  readonly path: string;
  readonly of: string;
}

/** Writes all files into a folder, or none. Throws USAGE if one of them exists, and FILE_UNWRITABLE. */
export async function writeNewFiles(files: readonly NewFile[], folder: string, host: Host): Promise<WrittenFile[]> {
  const shown = (path: string): string => relative(host.cwd, path) || path;
  const paths = files.map(({ file }) => join(folder, file));
  const texts = files.flatMap((one) =>
    'content' in one ? [{ path: join(folder, one.file), content: one.content }] : [],
  );
  const copies = files.flatMap((one) => ('copyOf' in one ? [{ path: join(folder, one.file), of: one.copyOf }] : []));
  const refuseExisting = async (): Promise<void> => {
    const there = await Promise.all(paths.map(pathExists));
    const existing = paths.filter((_, index) => there[index]).map(shown);
    if (existing.length > 0) throw inTheWay(existing);
  };
  await refuseExisting();
  try {
    await replaceFiles(texts, async () => {
      await refuseExisting();
      await copyAll(copies);
    });
  } catch (error) {
    throwAsUnwritable(error, 'No file was written.');
  }
  return paths.map((path) => ({ file: shown(path) }));
}

/** Copies all files, or none. */
async function copyAll(copies: readonly Copy[]): Promise<void> {
  const begun: string[] = [];
  try {
    for (const { path, of } of copies) {
      await makeFolder(dirname(path));
      begun.push(path);
      await copyFile(of, path, constants.COPYFILE_EXCL);
    }
  } catch (error) {
    const isOther = (error as NodeJS.ErrnoException).code === 'EEXIST';
    for (const path of isOther ? begun.slice(0, -1) : begun) await rm(path, { force: true });
    throw error;
  }
}

const inTheWay = (files: readonly string[]): DexsyncError =>
  new DexsyncError(
    'USAGE',
    `${files.join(', ')} already ${files.length === 1 ? 'exists and is' : 'exist and are'} not overwritten. Nothing was written.`,
    { hint: 'Give another folder with `--out`.' },
  );
