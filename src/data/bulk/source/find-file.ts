import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { nearestHint } from '#base/nearest.js';
import type { ImportSource } from '#core/jobs/source.js';
import { unreadableFile } from './unreadable-file.js';

/** The single file of a source. */
export interface SourceFile {
  readonly path: string;
  /** Name in messages: the folder from the source, and the file's own name. */
  readonly file: string;
}

/**
 * Finds the file of a source. `*` and `?` in the last part of its name are wildcards, unless a file has that very name;
 * files that begin with a dot or with the ~$ of an open workbook never match. `path`: location of `source.file`.
 */
export async function findFile(path: string, source: Pick<ImportSource, 'file' | 'pick'>): Promise<SourceFile> {
  const { file, pick = 'only' } = source;
  const pattern = basename(path);
  if (!/[*?]/.test(file) || (await stat(path).catch(() => undefined)) !== undefined) return { path, file };
  const folder = file.slice(0, file.length - pattern.length);
  if (/[*?]/.test(folder)) {
    throw unreadableFile(
      `${file}: only the file name may contain * and ?, not a folder.`,
      'Write the folder name in full.',
    );
  }
  const names = await namesIn(dirname(path), file);
  const found = names.filter((name) => matcher(pattern).test(name)).sort(byName);
  const last = found.at(-1);
  if (last === undefined) throw noFile(file, pattern, names);
  if (found.length > 1 && pick === 'only') throw severalFiles(file, found, last);
  return { path: join(dirname(path), last), file: folder + last };
}

/** Compares numbers in names as numbers, so that part-10 comes after part-9. */
const byName = (one: string, other: string): number => collator.compare(one, other) || (one < other ? -1 : 1);
const collator = new Intl.Collator('en', { numeric: true });

const matcher = (pattern: string): RegExp =>
  new RegExp(
    `^${pattern
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'su',
  );

async function namesIn(folder: string, file: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    throw unreadableFile(
      `The folder of ${file} cannot be read.`,
      'Check the path; paths in a manifest are relative to the manifest, others to the working folder.',
      error,
    );
  });
  return entries.flatMap((entry) => (entry.isDirectory() || /^(\.|~\$)/.test(entry.name) ? [] : [entry.name]));
}

function noFile(file: string, pattern: string, names: readonly string[]) {
  const count = names.length === 1 ? '1 file' : `${names.length} files`;
  const hint = nearestHint(pattern.replaceAll(/[*?]/g, ''), names) ?? `The folder contains ${count}.`;
  const where = file === pattern ? '' : ` in "${file.slice(0, -pattern.length).replace(/[/\\]$/, '')}"`;
  return unreadableFile(`No file${where} matches "${pattern}".`, hint);
}

function severalFiles(file: string, found: readonly string[], last: string) {
  const shown = found.slice(-5).map((name) => `"${name}"`);
  const more = found.length > shown.length ? ` and ${found.length - shown.length} more` : '';
  return unreadableFile(
    `${file} matches ${found.length} files: ${shown.join(', ')}${more}.`,
    `Choose one of them, or set \`pick: newest\` to use the last by name ("${last}").`,
  );
}
