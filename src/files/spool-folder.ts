import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { throwAsDisk } from '../errors.js';
import { makeFolder } from './make-folder.js';

export interface SpoolFolder {
  readonly path: string;
  release(): Promise<void>;
}

/**
 * A folder of this process for spooled rows, under `.dexsync/tmp` of its project: beside the ledger, since rows may be
 * confidential and large. What processes that were killed have left there is removed first.
 */
export async function openSpool(data: string): Promise<SpoolFolder> {
  const root = join(data, 'tmp');
  try {
    await makeFolder(root, 0o700);
    const path = await newOwnFolder(root);
    return { path, release: () => rm(path, { recursive: true, force: true }) };
  } catch (error) {
    return throwAsDisk(error, `The folder ${root}`);
  }
}

/** A folder that is this process's own, beside which what killed processes have left is removed. */
export async function newOwnFolder(root: string, prefix = ''): Promise<string> {
  await removeLeftovers(root, prefix);
  return mkdtemp(join(root, `${prefix}${process.pid}-${host()}-`));
}

/** Part of a folder's name: the number of a process means something on its own machine only. */
const host = (): string => hostname().replaceAll(/[^A-Za-z0-9]/g, '') || 'host';

async function removeLeftovers(root: string, prefix: string): Promise<void> {
  const [names, own] = [await readdir(root), host()];
  const left = names.filter((name) => {
    if (!name.startsWith(prefix)) return false;
    const [pid = '', where] = name.slice(prefix.length).split('-');
    return where === own && /^[1-9]\d*$/.test(pid) && !isAlive(Number(pid));
  });
  await Promise.all(left.map((name) => rm(join(root, name), { recursive: true, force: true }).catch(() => undefined)));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
