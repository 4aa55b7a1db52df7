import { readFileSync, type Stats, statSync } from 'node:fs';
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import { reasonOf } from '#base/errors.js';
import { naturalOrder } from '#base/natural-order.js';

/** A manifest file as text. `path` is absolute; `file` names it in messages, relative to the project folder. */
export interface SourceFile {
  readonly path: string;
  readonly file: string;
  readonly text: string;
}

/** The readable files by ascending path, and diagnostics about the others. */
export interface LoadedFiles {
  readonly files: readonly SourceFile[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The number of files open at once; a process may open some hundreds. */
const AT_ONCE = 32;

/** The functions for reading files. */
interface Disk {
  readonly stat: (path: string) => Stats | Promise<Stats>;
  readonly readFile: (path: string) => Uint8Array | Promise<Uint8Array>;
}

/** Reads one file after another: a file in the machine's memory is read faster than another thread can be asked. */
const NEAR: Disk = { stat: statSync, readFile: readFileSync };

/** Reads several files at once, as network drives need it. */
const FAR: Disk = { stat, readFile };

/** The longest time per file, in milliseconds, of a near disk; a slower one counts as far. */
const LONGEST_NEAR = 1;

/** A larger file is not configuration; the YAML parser takes about a second per megabyte. */
const LARGEST_FILE = 10 * 1024 * 1024;

/**
 * Reads all `.yaml` and `.yml` files at or under the given paths, in order of their names. Links are followed, but
 * nothing outside the project folder is read. `shown` turns a path relative to the project into its name in messages;
 * `except` lists files and folders to leave out.
 */
export async function loadManifests(
  project: string,
  paths: readonly string[],
  config: string,
  shown: (file: string) => string = (file) => file,
  except: readonly string[] = [],
): Promise<LoadedFiles> {
  const root = await realpath(project);
  const others = except.map((path) => resolve(root, path));
  const own = [resolve(root, relative(project, config)), join(root, '.dexsync'), ...others];
  const folders = await Promise.all(paths.map((path) => realpath(resolve(root, path)).catch(() => '')));
  const found = await Promise.all(
    paths.map((path, index) => filesAt(root, path, { own, others: folders.filter((_, at) => at !== index) })),
  );
  const diagnostics = found.flatMap((part) => part.diagnostics);
  const unique = [...new Set(found.flatMap((part) => part.files))].sort(naturalOrder);
  const files: SourceFile[] = [];
  let disk = NEAR;
  for (let at = 0; at < unique.length; at += AT_ONCE) {
    const some = unique.slice(at, at + AT_ONCE).map((path) => [path, relative(root, path)] as const);
    const begin = performance.now();
    for (const loaded of await Promise.all(some.map(([path, file]) => readSource(path, file, shown(file), disk)))) {
      if ('text' in loaded) files.push(loaded);
      else diagnostics.push(loaded);
    }
    if (performance.now() - begin > some.length * LONGEST_NEAR) disk = FAR;
  }
  return { files, diagnostics };
}

/** Whether a path is inside the folder, both as written and with links resolved. Throws if nothing is there. */
export async function isInside(folder: string, path: string): Promise<boolean> {
  return !leadsOut(folder, path) && !leadsOut(await realpath(folder), await realpath(path));
}

/** Whether a path, as written, leads out of the folder. */
export function leadsOut(folder: string, path: string): boolean {
  const steps = relative(folder, path);
  return steps === '..' || steps.startsWith(`..${sep}`) || isAbsolute(steps);
}

/** Absolute paths of manifest files, and diagnostics about files that are left out. */
export interface FoundFiles {
  files: string[];
  diagnostics: Diagnostic[];
}

async function filesAt(root: string, path: string, beside: Beside): Promise<FoundFiles> {
  const absolute = resolve(root, path);
  try {
    if (!(await isInside(root, absolute))) return onlyFinding(pathOutside(path));
    if ((await stat(absolute)).isFile()) return { files: [absolute], diagnostics: [] };
    const found = await filesUnder(root, absolute, beside);
    return found.files.length + found.diagnostics.length === 0 ? onlyFinding(noManifests(path)) : found;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'ENOENT') return onlyFinding(unreadableFile(path, error));
    const message = `Manifests are expected at "${path}", but it does not exist.`;
    const hint = 'Correct `manifests` in sync.config.yaml, or create the folder.';
    return onlyFinding({ severity: 'error', code: 'manifests-missing', message, hint });
  }
}

/** Paths that are treated specially while a folder is read. */
interface Beside {
  /** The configuration and dexsync's own data, which are not manifests. */
  readonly own?: readonly string[];
  /** Folders that are read as well: a link to one of them is not followed. */
  readonly others?: readonly string[];
}

/**
 * Finds all manifest files in a folder and below it. Links must not lead out of `root`. A linked folder is read once; a
 * link to a folder that contains the link is an error.
 */
export async function filesUnder(root: string, folder: string, beside: Beside = {}): Promise<FoundFiles> {
  const { own = [], others = [] } = beside;
  const found: FoundFiles = { files: [], diagnostics: [] };
  const isOwn = (path: string): boolean => own.some((place) => !leadsOut(place, path));
  const read = new Set(others);
  const readUnder = async (place: string, above: readonly string[]): Promise<void> => {
    const chain = [...above, await realpath(place)];
    for (const one of chain) read.add(one);
    for (const entry of await readdir(place, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (isOwn(path)) continue;
      if (entry.isSymbolicLink()) await readLink(path, chain);
      else if (!entry.isDirectory() && isManifest(path)) found.files.push(path);
    }
  };
  const readLink = async (path: string, chain: readonly string[]): Promise<void> => {
    const link = await followLink(root, path);
    if (link.is === 'folder') await readLinked(path, link.target, chain);
    else if (link.is === 'problem') found.diagnostics.push(link.problem);
    else if (isManifest(path)) found.files.push(path);
  };
  const readLinked = async (path: string, target: string, chain: readonly string[]): Promise<void> => {
    const parent = await realpath(dirname(path));
    if (!leadsOut(target, parent) || chain.includes(target)) found.diagnostics.push(linkLoop(root, path, target));
    else if (!isOwn(target) && [...read].every((place) => leadsOut(place, target))) await readUnder(path, chain);
  };
  await readUnder(folder, []);
  return found;
}

type Followed =
  | { readonly is: 'file' }
  | { readonly is: 'folder'; readonly target: string }
  | { readonly is: 'problem'; readonly problem: Diagnostic };

const isManifest = (path: string): boolean => /\.ya?ml$/i.test(path);

/** Resolves a link. Links to files other than manifests are ignored; a broken link may have led to a folder. */
async function followLink(root: string, path: string): Promise<Followed> {
  const name = relative(root, path);
  try {
    const target = await realpath(path);
    const isFolder = (await stat(target)).isDirectory();
    if (!isFolder && !isManifest(path)) return { is: 'file' };
    if (leadsOut(root, target)) return { is: 'problem', problem: pathOutside(name) };
    return isFolder ? { is: 'folder', target } : { is: 'file' };
  } catch (error) {
    const problem = unreadableFile(name, error);
    return { is: 'problem', problem: isManifest(path) ? problem : { ...problem, severity: 'warning' } };
  }
}

/** Reads a file as text, or returns a diagnostic that calls it `shown`. */
export async function readSource(
  path: string,
  file: string,
  shown: string,
  disk = FAR,
): Promise<SourceFile | Diagnostic> {
  try {
    const found = await disk.stat(path);
    // Reading a named pipe would block.
    if (!found.isFile()) throw new Error('it is not a regular file');
    return found.size > LARGEST_FILE
      ? tooLarge(shown, found.size)
      : toSource(await disk.readFile(path), path, file, shown);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return unreadableFile(shown, error);
    const message = `${shown} does not exist.`;
    return { severity: 'error', code: 'file-unreadable', message, hint: 'Check the path.' };
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes bytes as a manifest file. `path` is their source; file names in them are relative to its folder. */
export function toSource(bytes: Uint8Array, path: string, file: string, shown = file): SourceFile | Diagnostic {
  if (bytes.length > LARGEST_FILE) return tooLarge(shown, bytes.length);
  try {
    return { path, file, text: UTF_8.decode(bytes) };
  } catch {
    const message = `${shown} is not valid UTF-8.`;
    return { severity: 'error', code: 'encoding', message, hint: 'Save the file as UTF-8.' };
  }
}

const onlyFinding = (diagnostic: Diagnostic): FoundFiles => ({ files: [], diagnostics: [diagnostic] });

/** A diagnostic for a disk error on a file. */
export const unreadableFile = (path: string, error: unknown): Diagnostic => ({
  severity: 'error',
  code: 'file-unreadable',
  message: `${path} cannot be read: ${reasonOf(error)}.`,
});

const noManifests = (path: string): Diagnostic => ({
  severity: 'warning',
  code: 'manifests-none',
  message: `No manifests found under "${path}".`,
  hint: 'Manifest files end in .yaml or .yml.',
});

const pathOutside = (path: string): Diagnostic => ({
  severity: 'error',
  code: 'path-outside',
  message: `"${path}" is outside the project folder; dexsync reads nothing outside it.`,
  hint: 'Move the file into the folder of sync.config.yaml.',
});

const linkLoop = (root: string, link: string, target: string): Diagnostic => ({
  severity: 'error',
  code: 'link-loop',
  message: `${relative(root, link)} is a link to ${relative(root, target) || 'the project folder'}, which contains it.`,
  hint: 'Remove the link, or let it lead to a folder beside it.',
});

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

const tooLarge = (file: string, size: number): Diagnostic => ({
  severity: 'error',
  code: 'file-too-large',
  message: `${file} has ${megabytes(size)}; a manifest file may have at most ${megabytes(LARGEST_FILE)}.`,
  hint: 'Split it into several files. Bulk data belongs in CSV or XLSX files that an Import reads.',
});
