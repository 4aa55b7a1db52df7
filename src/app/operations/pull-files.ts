import { lstat, readFile, stat } from 'node:fs/promises';
import { join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import { throwAsUnwritable } from '#base/files/disk-error.js';
import { replaceFiles } from '#base/files/replace-files.js';
import { shellWord } from '#base/shell-word.js';
import { filesUnder, leadsOut } from '#core/manifest/load.js';
import type { PulledFile } from '#delivery/pull/pulled-files.js';
import { chosenLayer } from '#project/config/environment-settings.js';
import type { Host, ProjectOptions } from '#project/host.js';
import { openConfig } from '#project/project.js';

/** The folder that a pull writes to, and the manifests that it edits. */
export interface PullTarget {
  /** Relative to the project, with `/`. */
  readonly folder: string;
  readonly schema: string;
  /** All files in the folder, regardless of their contents. */
  readonly files: readonly string[];
  /** The files of a folder outside the project's manifests, which are read instead of these. */
  readonly reading: Pick<ProjectOptions, 'files'>;
  readonly findings: readonly Diagnostic[];
  /** Whether the configuration lists only files, so that there is no folder for new ones. */
  readonly isMissing: boolean;
  /** Whether other environments read the folder, too. */
  readonly isShared: boolean;
}

/** Finds the folder for new files. Throws FILE_UNWRITABLE if its path is a file. */
export async function pullTarget(
  { out, ...options }: ProjectOptions & { readonly out?: string },
  host: Host,
): Promise<PullTarget> {
  const config = await openConfig(options, host);
  const { folder: project } = config;
  const [common, own] = [config, chosenLayer(config, options.environment, host.variables)].map(({ manifests }) =>
    manifests.map((path) => resolve(project, path)),
  ) as [string[], string[]];
  const roots = [...common, ...own];
  const areFiles = await Promise.all(roots.map(isFile));
  const first = roots.find((_, index) => areFiles[index] === false);
  const folder = out === undefined ? (first ?? project) : resolve(host.cwd, out);
  if (await isFile(folder)) throw notAFolder(out ?? folder);
  const holdsFolder = (root: string): boolean => !leadsOut(root, folder);
  const isOwn = out === undefined || roots.some(holdsFolder);
  const data = [config.path, join(project, '.dexsync')];
  const found = await filesUnder(folder, folder, { own: data }).catch(() => ({ files: [] as string[] }));
  const reading = isOwn ? {} : { files: found.files };
  return {
    folder: named(project, folder),
    schema: 'node_modules/dexsync/schema/manifest.json',
    files: found.files.map((file) => named(project, file)),
    reading,
    findings: isOwn ? [] : [notRead(out)],
    isMissing: out === undefined && first === undefined,
    isShared: isOwn && !own.some(holdsFolder),
  };
}

const notRead = (folder: string): Diagnostic => ({
  severity: 'warning',
  code: 'manifests-not-read',
  message: `The configuration does not list "${folder}" under \`manifests\`: plans do not read it.`,
  hint: `Add it there, or run \`dexsync plan -f ${shellWord(folder)}\`.`,
});

const named = (project: string, path: string): string => relative(project, path).split(sep).join('/') || '.';

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isDirectory(),
    () => false,
  );

/** Throws FILE_UNWRITABLE if new objects have no folder that plans read. */
export function assertTargetFolder({ isMissing }: PullTarget, added: number): void {
  if (!isMissing || added === 0) return;
  throw new DexsyncError('FILE_UNWRITABLE', '`manifests` lists files only, so there is no folder for new manifests.', {
    hint: 'Add a folder to `manifests` in sync.config.yaml, such as `pulled`; pull makes it.',
  });
}

const notAFolder = (path: string): DexsyncError =>
  new DexsyncError('FILE_UNWRITABLE', `"${path}" is a file; manifests are written into a folder.`, {
    hint: 'Give a folder with `--out`.',
  });

/** Reads files, byte order marks included, by their names relative to the project. */
export async function readContents(project: string, files: readonly string[]): Promise<Map<string, string>> {
  const unique = [...new Set(files)].filter((file) => !file.startsWith('<'));
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const read = unique.map(async (file) => [file, decoder.decode(await readFile(resolve(project, file)))] as const);
  return new Map(await Promise.all(read));
}

/**
 * Writes all files or none. Throws FILE_UNWRITABLE, also for a file that somebody created or changed since it was read,
 * and INTERRUPTED if the user ended it before the first file was replaced.
 */
export async function writePulled(
  project: string,
  files: readonly PulledFile[],
  { signal, secrets }: Host,
): Promise<void> {
  for (const { file, after } of files) secrets.refuse(after, file);
  const named = files.map(({ file, after }) => ({ path: join(project, file), content: after }));
  try {
    await replaceFiles(named, async () => {
      signal.throwIfAborted();
      for (const file of files) await checkUnchanged(project, file);
    });
  } catch (error) {
    if (signal.aborted) throw new DexsyncError('INTERRUPTED', 'Interrupted; no file was written.', { cause: error });
    throwAsUnwritable(error, 'No file was changed.');
  }
}

async function checkUnchanged(project: string, { file, before }: PulledFile): Promise<void> {
  const isThere = await lstat(join(project, file)).then(
    () => true,
    () => false,
  );
  const now = isThere ? (await readContents(project, [file])).get(file) : undefined;
  if (isThere === (before !== undefined) && now === before) return;
  const what = before === undefined ? 'already exists and is not a manifest of this project' : 'was changed meanwhile';
  throw new DexsyncError('FILE_UNWRITABLE', `${file} ${what}; no file was written.`, {
    hint: before === undefined ? 'Move it, or give another folder with `--out`.' : 'Run `dexsync pull` again.',
  });
}
