import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, rmdir, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';
import { isHolder } from '../holder.js';
import type { Holder, LeaseKey } from '../lease.js';
import { fileNameFor, leaseName } from '../lease-name.js';

/**
 * The folder of a lease. A folder per service contains one per login and workspace, each with one file named for its
 * holder's token. A lease appears atomically, by renaming a folder, which fails if another one is there; and it is
 * removed by a name that no later lease has. So a process loses only the very lease that was seen.
 */
export const leaseFolder = (root: string, key: LeaseKey): string =>
  join(serviceFolder(root, key.service), leaseName(key));

/** The folder of all leases at one service. */
export const serviceFolder = (root: string, service: string): string => join(root, 'leases', fileNameFor(service));

const LEASE_FOLDER = /^(login|workspace)-/;
const LEASE_FILE = '.json';

/** The file by which a holder owns a lease. */
export const leasePath = (folder: string, token: string): string => join(folder, `${token}${LEASE_FILE}`);

/** The content of that file; its length is constant, so that heartbeats overwrite it in place. */
export const leaseText = (holder: Holder): string => `${JSON.stringify(holder, undefined, 2)}\n`;

const own = process.platform === 'win32' ? ['EPERM'] : [];
/** Error codes of systems if a non-empty folder is in the way. */
const IN_THE_WAY = ['ENOTEMPTY', 'EEXIST', ...own];

/** Whether a folder could not be renamed because another one has its name. */
export const isInTheWay = (error: unknown): boolean => IN_THE_WAY.includes(systemCodeOf(error));

/** Places a lease and returns whether it succeeded: of several processes at once, one does. */
export async function placeLease(holder: Holder, folder: string): Promise<boolean> {
  const parent = dirname(folder);
  const made = join(parent, `.new-${holder.token}`);
  const make = () => mkdir(made, { mode: 0o700 });
  await make().catch(async (error: unknown) => {
    if (!isMissingFile(error)) throw error;
    await makeFolder(parent, 0o700);
    await make();
  });
  try {
    await writeFile(leasePath(made, holder.token), leaseText(holder), { flag: 'wx', flush: true, mode: 0o600 });
    await rename(made, folder);
    return true;
  } catch (error) {
    await rm(made, { recursive: true, force: true });
    if (isInTheWay(error)) return false;
    throw error;
  }
}

/** Removes the file of a lease, and its folder if that is empty then; a folder with another lease stays. */
export async function dropLease(place: string): Promise<void> {
  await unlink(place).catch(() => rm(place, { recursive: true, force: true }));
  await removeIfEmpty(dirname(place));
}

/** Removes an empty folder, since not every system renames onto one. */
export const removeIfEmpty = (folder: string): Promise<void> => rmdir(folder).catch(() => undefined);

/** A lease's content and the time of its last heartbeat. */
export interface StoredLease {
  readonly holder: Holder;
  readonly beatAt: number;
  readonly place: string;
}

/** Reads the lease in a folder; undefined if it is free. Throws LEASE_DAMAGED if the folder contains something else. */
export async function readLeaseIn(folder: string): Promise<StoredLease | undefined> {
  const names = await namesOrNone(folder);
  const [name] = names.filter((one) => one.endsWith(LEASE_FILE));
  if (name !== undefined) return readLeaseFile(join(folder, name));
  if (names.length > 0) throw damagedLease(folder);
  return undefined;
}

/** Opens the file for each read, so that folders that machines share are up to date. */
async function readLeaseFile(place: string): Promise<StoredLease | undefined> {
  const file = await open(place, 'r').catch(undefinedIfMissing);
  if (file === undefined) return undefined;
  try {
    const [text, { mtimeMs }] = [await file.readFile('utf8'), await file.stat()];
    return { holder: parseHolder(text, place), beatAt: mtimeMs, place };
  } finally {
    await file.close();
  }
}

function parseHolder(text: string, place: string): Holder {
  try {
    const value: unknown = JSON.parse(text);
    if (isHolder(value)) return value;
  } catch (error) {
    throw damagedLease(place, error);
  }
  throw damagedLease(place);
}

const damagedLease = (place: string, cause?: unknown): DexsyncError =>
  new DexsyncError('LEASE_DAMAGED', `The lock ${place} cannot be read.`, {
    hint: 'If no other dexsync works in this environment, remove it with `dexsync lock release --force`.',
    cause,
  });

/** Lists the lease folders of a service. */
export async function listLeaseFolders(folder: string): Promise<string[]> {
  return (await namesOrNone(folder)).filter((name) => LEASE_FOLDER.test(name)).map((name) => join(folder, name));
}

const AN_HOUR = 3_600_000;

/** Removes leftovers of processes that were killed while they took a lease. */
export async function sweepLeftovers(folder: string, now: number): Promise<void> {
  const left = (await namesOrNone(folder)).filter((name) => name.startsWith('.')).map((name) => join(folder, name));
  for (const path of left) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && now - found.mtimeMs > AN_HOUR) await rm(path, { recursive: true, force: true });
  }
}

/** The time by the clock that dates the files of a folder: that of another machine, if machines share the folder. */
export async function fileClock(folder: string): Promise<number | undefined> {
  const probe = join(folder, `.clock-${randomUUID()}`);
  try {
    await writeFile(probe, '.', { flag: 'wx' });
    return (await stat(probe)).mtimeMs;
  } catch {
    return undefined;
  } finally {
    await rm(probe, { force: true }).catch(() => undefined);
  }
}

const namesOrNone = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(undefinedIfMissing)) ?? [];

/** Catches only the error that a file does not exist. */
export function undefinedIfMissing(error: unknown): undefined {
  if (isMissingFile(error)) return undefined;
  throw error;
}

/** Whether an error says that a file does not exist. */
export const isMissingFile = (error: unknown): boolean => systemCodeOf(error) === 'ENOENT';

const systemCodeOf = (error: unknown): string => String((error as NodeJS.ErrnoException).code);
