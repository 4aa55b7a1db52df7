import { posix, resolve } from 'node:path';
import { withHint } from '#base/diagnostics.js';
import { DexsyncError } from '#base/errors.js';
import type { Bound } from '#core/engine/bind.js';
import { toImportSpec } from '#core/jobs/import.js';
import type { Address } from '#core/model/address.js';
import type { JsonObject } from '#core/model/json.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import { emitDiagnostics } from '#project/project.js';
import { mayRead, sourceFolder } from '#project/source-place.js';
import { folderOfPattern } from '../bulk/archive/list-files.js';
import { findFile } from '../bulk/source/find-file.js';
import type { ReleasedFile } from './released-file.js';

type Sourced = Pick<Bound, 'manifest' | 'desired'>;

interface Place {
  readonly config: Pick<Config, 'folder'>;
  readonly host: Host;
  /** The very files of a release, where they were found. */
  readonly files?: FoundFiles;
}

/** The very files of the imports of a release, and their absolute paths. */
export type FoundFiles = ReadonlyMap<Address, { readonly path: string; readonly released: ReleasedFile }>;

interface FoundSource {
  readonly path: string;
  readonly released?: ReleasedFile;
  /** With the name of the file that was found. */
  readonly desired: JsonObject;
}

/** Finds the file that an Import manifest names, which must be in the project. */
export async function findSource({ config, host, files }: Place, bound: Sourced): Promise<FoundSource> {
  const { manifest, desired } = bound;
  const { source } = toImportSpec(desired);
  const very = files?.get(manifest.address);
  if (very !== undefined) {
    const file = posix.join(posix.dirname(source.file), posix.basename(very.released.path));
    return { ...very, desired: { ...desired, source: { ...source, file } } as unknown as JsonObject };
  }
  const home = sourceFolder(manifest.origins.start.file, config.folder, host.cwd);
  const named = resolve(home, source.file);
  const { path, file } = await findFile(named, source).catch((error: unknown) =>
    unreadable(error, bound, config.folder, host),
  );
  const found = { path, desired: { ...desired, source: { ...source, file } } as unknown as JsonObject };
  if (await mayRead(path, config.folder, home)) return found;
  const message = `${manifest.address} reads "${source.file}", which is outside the project folder.`;
  const hint = 'Move the file into the project. `dexsync import FILE` takes a file from anywhere.';
  const origin = manifest.origins.value('/spec/source/file');
  emitDiagnostics(host, config.folder, [{ severity: 'error', code: 'path-outside', message, hint, origin }]);
  return found;
}

/** Finds the physical files of an import, if it has any. */
export async function findFiles(
  { config, host }: Place,
  { manifest, desired }: Sourced,
): Promise<{ filesPath?: string }> {
  const { files } = toImportSpec(desired).source;
  if (files === undefined) return {};
  const home = sourceFolder(manifest.origins.start.file, config.folder, host.cwd);
  const filesPath = resolve(home, files);
  if (await mayRead(folderOfPattern(filesPath), config.folder, home)) return { filesPath };
  const message = `${manifest.address} reads "${files}", which is outside the project folder.`;
  const hint = 'Move the files into the project. `dexsync import FILE` takes them from anywhere.';
  const origin = manifest.origins.value('/spec/source/files');
  emitDiagnostics(host, config.folder, [{ severity: 'error', code: 'path-outside', message, hint, origin }]);
  return {};
}

/** Reports an unreadable file as a finding of the manifest that names it, and rethrows the error. */
export function unreadable(
  error: unknown,
  { manifest: { address, origins } }: Pick<Bound, 'manifest'>,
  folder: string,
  host: Host,
): never {
  if (!(error instanceof DexsyncError) || error.code !== 'FILE_UNREADABLE') throw error;
  const origin = origins.value('/spec/source/file');
  const message = `${address}: ${error.message}`;
  emitDiagnostics(host, folder, [
    withHint({ severity: 'error', code: 'source-unreadable', message, origin }, error.hint),
  ]);
  throw error;
}
