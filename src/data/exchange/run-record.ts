import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { OWN_NAMES } from '#base/files/entry-name.js';
import { makeFolder } from '#base/files/make-folder.js';
import { replaceFile } from '#base/files/replace-file.js';
import { syncFolder } from '#base/files/sync-folder.js';
import { naturalOrder } from '#base/natural-order.js';
import { isObject, type Json, jsonIn } from '#core/model/json.js';
import { type Guid, isGuid } from '#core/model/kind.js';

/** The file that marks a run in progress in the target folder, so that the same command resumes it. */
export const RECORD_FILE = `${OWN_NAMES}run.json`;

/** The record that a folder keeps of the run that fills it, until all files are in their places. */
export interface RunRecord {
  readonly version: 1;
  /** Identity of the workspace. */
  readonly workspace: string;
  readonly kind: string;
  readonly definition: string;
  readonly definitionGuid: Guid;
  readonly criteria?: Json;
  /** Runs that existed before one was started: any other run of this user is that one. */
  readonly known: readonly Guid[];
  /** Absent until the service answered which run it started. */
  readonly run?: { readonly guid: Guid; readonly number?: number };
  /** Files that are being put into the folder. */
  readonly files?: readonly string[];
}

/** Reads the record in a folder; undefined if there is none. Throws FILE_UNREADABLE for a damaged one, and DISK. */
export async function readRecord(folder: string): Promise<RunRecord | undefined> {
  const path = join(folder, RECORD_FILE);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' || error.code === 'ENOTDIR' ? undefined : throwAsDisk(error, path),
  );
  if (text === undefined) return undefined;
  const record = jsonIn(text);
  if (isRecord(record)) return record;
  throw new DexsyncError('FILE_UNREADABLE', `${path} is not a valid run record.`, {
    hint: 'Remove it, and check in the service that no run is in progress before you start another.',
  });
}

/** Writes the record atomically; it is on disk when this returns. */
export async function writeRecord(folder: string, record: RunRecord): Promise<void> {
  const temporary = join(folder, `${OWN_NAMES}record.part`);
  try {
    await makeFolder(folder);
    await replaceFile(join(folder, RECORD_FILE), `${JSON.stringify(record, undefined, 2)}\n`, { temporary });
  } catch (error) {
    throwAsDisk(error, folder);
  }
}

/** Removes the record, so that the next command starts a new run; the removal is on disk when this returns. */
export async function removeRecord(folder: string): Promise<void> {
  await rm(join(folder, RECORD_FILE), { force: true }).catch((error: unknown) => throwAsDisk(error, folder));
  await syncFolder(folder);
}

/** The names in a folder that are neither dexsync's own nor among `expected`, in order. */
export async function foreignNames(folder: string, expected: readonly string[]): Promise<string[]> {
  const roots = new Set(expected.map((path) => path.split('/')[0]));
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) =>
    error.code === 'ENOENT' ? [] : throwAsDisk(error, folder),
  );
  return names.filter((name) => !name.startsWith(OWN_NAMES) && !roots.has(name)).sort(naturalOrder);
}

function isRecord(value: unknown): value is RunRecord {
  if (!isObject(value)) return false;
  const { version, workspace, kind, definition, definitionGuid, known, run, files } = value;
  const texts = [workspace, kind, definition, definitionGuid].every((one) => typeof one === 'string');
  const lists = [known, files ?? []].every(
    (list) => Array.isArray(list) && list.every((one) => typeof one === 'string'),
  );
  return version === 1 && texts && lists && (run === undefined || (isObject(run) && isGuid(String(run.guid))));
}
