import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, relative, resolve, sep } from 'node:path';
import { Readable } from 'node:stream';
import type { Diagnostic } from '#base/diagnostics.js';
import { reasonOf } from '#base/errors.js';
import { replaceFile } from '#base/files/replace-file.js';
import type { ImportedFile } from '#core/model/imported-file.js';
import type { ImportRequest } from '#core/model/plan.js';
import { runGit } from '#ledger/git/run-git.js';
import { dataFolder } from '#project/config/environment.js';
import type { Config } from '#project/config/load-config.js';
import type { Host } from '#project/host.js';
import type { Job } from './job.js';

/** The very file of an import of a release: its digest, and commits that may have it. */
export type ReleasedFile = NonNullable<ImportRequest['released']>;

type Folders = Pick<Config, 'folder' | 'data' | 'fileStore'>;

/** SHA-256 of the bytes of a file, in hex. */
async function digestOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path)) hash.update(part as Buffer);
  return hash.digest('hex');
}

/** The file of an import, as the ledger records it. */
export const importedFile = async (path: string, { folder }: Pick<Config, 'folder'>): Promise<ImportedFile> => ({
  path: relative(folder, path).replaceAll(sep, '/'),
  sha256: await digestOfFile(path),
});

/**
 * Finds the very file of an import of a release: in the project, in the store, or in a commit, which it takes it out of.
 * Returns its absolute path, undefined if it is in none of them.
 */
export async function findReleasedFile(file: ReleasedFile, config: Folders, host: Host): Promise<string | undefined> {
  const { path, sha256, commits } = file;
  const taken = join(dataFolder(config), 'files', sha256, basename(path));
  for (const place of [resolve(config.folder, path), ...inStore(file, config), taken])
    if (await has(place, sha256)) return place;
  for (const commit of commits) {
    const content = await fileAt(commit, path, config.folder, host);
    if (content === undefined || createHash('sha256').update(content).digest('hex') !== sha256) continue;
    await mkdir(dirname(taken), { recursive: true, mode: 0o700 });
    await replaceFile(taken, Readable.from([content]), { newMode: 0o600 });
    return taken;
  }
  return undefined;
}

/** Keeps the file of a committed import in the store, if the configuration names one. Returns a warning if it cannot. */
export async function keepFile({ facts, project }: Job): Promise<Diagnostic | undefined> {
  const { file } = facts.sent;
  const [kept] = file === undefined ? [] : inStore(file, project);
  if (file === undefined || kept === undefined || (await has(kept, file.sha256))) return undefined;
  const path = resolve(project.folder, facts.request.path);
  try {
    await mkdir(dirname(kept), { recursive: true });
    await replaceFile(kept, createReadStream(path));
    if (await has(kept, file.sha256)) return undefined;
    return notKept(file, kept, 'it changed after its rows were read');
  } catch (error) {
    return notKept(file, kept, reasonOf(error));
  }
}

const notKept = ({ path }: ImportedFile, kept: string, why: string): Diagnostic => ({
  severity: 'warning',
  code: 'file-not-kept',
  message: `${path} was imported, but is not kept in the store ("${dirname(kept)}"): ${why}.`,
  hint: 'A promotion `--with-data` finds it in the project or in its commit alone. Check `fileStore` in the configuration.',
});

const inStore = ({ path, sha256 }: ImportedFile, { folder, fileStore }: Folders): string[] =>
  fileStore === undefined ? [] : [join(resolve(folder, fileStore), `${sha256}${extname(path)}`)];

const has = async (path: string, sha256: string): Promise<boolean> =>
  (await stat(path).then(
    (found) => found.isFile(),
    () => false,
  )) && (await digestOfFile(path)) === sha256;

/** The content of a file at a commit; undefined without git, or where the commit does not have it. */
async function fileAt(commit: string, path: string, folder: string, { variables }: Host): Promise<Buffer | undefined> {
  const args = ['show', `${commit}:./${path}`];
  const found = await runGit(args, { at: ['-C', folder], variables }).catch(() => undefined);
  return found?.code === 0 ? found.out : undefined;
}
