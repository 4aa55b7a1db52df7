import { mkdir, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { OWN_NAMES, refuseEntryName, TakenNames } from '#base/files/entry-name.js';
import { makeFolder } from '#base/files/make-folder.js';
import { newOwnFolder } from '#base/files/spool-folder.js';
import type { UnpackedFile } from '#core/stream/transfer-event.js';
import type { ArchiveFile, ExchangeRun } from '#service/exchange-runs.js';
import { download } from './download.js';
import { placeFiles } from './place-files.js';
import type { RunRecord } from './run-record.js';
import { emitTransferEvent, nameOfRun, type Transfer } from './transfer.js';
import { checkArchive, type DownloadedArchive, unpack } from './unpack.js';

/** How the archives of a run become files of the target folder. */
export interface ReceiveOptions {
  /** What happens to the archives: unpacked, unpacked and kept, or only kept. */
  readonly archives: 'unpacked' | 'kept' | 'only';
  readonly existing: 'refused' | 'replaced';
  /** Files that an earlier attempt put into the folder. */
  readonly placed: readonly string[];
  /** Called with all paths before the first file takes its place. */
  readonly placing: (files: NonNullable<RunRecord['files']>) => Promise<void>;
}

/**
 * Downloads and unpacks into a temporary folder within the target folder, then renames every file into its place.
 * Throws RUN_FAILED if the run has no file, and the errors of download, unpack and placing.
 */
export async function receiveFiles(
  transfer: Transfer,
  run: ExchangeRun,
  { archives, existing, placed, placing }: ReceiveOptions,
): Promise<UnpackedFile[]> {
  const { folder } = transfer;
  const found = await transfer.runs.files(run);
  if (found.length === 0) throw noFiles(run, transfer);
  const temporary = await newFolder(folder);
  try {
    const files = await receiveArchives(transfer, run, nameArchives(found), { archives, temporary });
    const paths = files.map(({ path }) => path);
    await placing(paths);
    const replaceable = new Set(placed);
    await placeFiles({
      from: join(temporary, 'files'),
      to: folder,
      paths,
      signal: transfer.host.signal,
      mayReplace: (path) => existing === 'replaced' || replaceable.has(path),
    });
    return files;
  } finally {
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function newFolder(folder: string): Promise<string> {
  try {
    await makeFolder(folder);
    const temporary = await newOwnFolder(folder, `${OWN_NAMES}part-`);
    await mkdir(join(temporary, 'files'));
    return temporary;
  } catch (error) {
    return throwAsDisk(error, folder);
  }
}

interface ReceiveTarget {
  readonly archives: ReceiveOptions['archives'];
  readonly temporary: string;
}

type NamedArchive = ArchiveFile & { readonly name: string };

async function receiveArchives(
  transfer: Transfer,
  run: ExchangeRun,
  archives: readonly NamedArchive[],
  { archives: kept, temporary }: ReceiveTarget,
): Promise<UnpackedFile[]> {
  const taken = new TakenNames();
  const target = join(temporary, 'files');
  const files: UnpackedFile[] = [];
  for (const [index, file] of archives.entries()) {
    const archive: DownloadedArchive = { path: join(temporary, `${index}.zip`), name: file.name };
    const size = await download(transfer, run, file, archive.path);
    if (kept !== 'unpacked') {
      const refusal = refuseEntryName(file.name) ?? taken.take(file.name);
      if (refusal !== undefined) throw unusableName(file.name, refusal);
      files.push({ path: file.name, size });
    }
    emitTransferEvent(transfer, { is: 'unpacking', archive: file.name });
    if (kept === 'only') await checkArchive(archive, transfer.host.signal);
    else files.push(...(await unpack(archive, target, taken, transfer.host.signal)));
    if (kept === 'unpacked') await rm(archive.path);
    else await rename(archive.path, join(target, file.name));
  }
  return files;
}

/** Names archives by the last segment of the service's name, or by number if they have none. */
const nameArchives = (files: readonly ArchiveFile[]): NamedArchive[] =>
  files.map((file, index) => ({
    ...file,
    name: file.name === undefined ? `archive-${index + 1}.zip` : basename(file.name),
  }));

const noFiles = (run: ExchangeRun, { address }: Transfer): DexsyncError =>
  new DexsyncError(
    'RUN_FAILED',
    `${address}: ${nameOfRun(run)} is ${run.status}, but the service lists no files for it.`,
    {
      hint: 'The service keeps files for 60 days. Start another run without `--latest` and with an empty `--out`.',
    },
  );

const unusableName = (name: string, why: string): DexsyncError =>
  new DexsyncError('ANSWER_UNEXPECTED', `The archive "${name}" cannot be kept under its name: ${why}.`, {
    hint: 'Leave out `--keep-archive` and `--no-unpack`.',
  });
