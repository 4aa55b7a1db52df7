import { readdir, readFile, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { throwAsDisk } from '#base/files/disk-error.js';
import { makeFolder } from '#base/files/make-folder.js';
import { replaceFile } from '#base/files/replace-file.js';
import type { Backend } from '../backend.js';
import { folderOf } from '../document-store.js';
import { isFolderOf } from '../journal-name.js';
import { listWorkspaces } from '../journal-origin.js';
import type { SeenStore } from '../last-seen.js';
import type { LeaseTiming } from '../lease-life.js';
import type { MachineHeads } from '../machine-head.js';
import { fileDocuments } from './file-documents.js';
import { fileLeases } from './file-leases.js';
import { fileStore } from './file-store.js';
import { undefinedIfMissing } from './lease-on-disk.js';

/** Where the files are. */
export interface FileBackendOptions extends LeaseTiming {
  /** The folder of the ledgers. A team may share it by committing it. */
  readonly folder: string;
  /** The folder of locks and of what was seen last and said: a team that commits the ledger does not commit them. */
  readonly data: string;
  readonly heads: MachineHeads;
}

/** Keeps ledgers and locks as files beside the configuration. */
export const fileBackend = ({ folder, data, heads, ...timing }: FileBackendOptions): Backend => ({
  place: `the folder ${folder}`,
  leases: fileLeases({ root: data, ...timing }),
  journals: (identity, mayWrite) =>
    fileStore({
      root: folder,
      identity,
      mayWrite,
      data,
      // Clones of a project have ledgers of their own.
      headOf: (own) => heads(own, canonicalPath(own)),
    }),
  workspaces: async (id) => {
    const names = (await readdir(folder).catch(() => [])).filter((name) => isFolderOf(name, id));
    const readOnly = { root: folder, mayWrite: async () => undefined, data };
    return listWorkspaces(names.map((identity) => fileStore({ ...readOnly, identity })));
  },
  documents: (shelf) => fileDocuments(shelf.isLocal === true ? data : folder, shelf),
  seen: (...names) => fileSeen(`${join(data, folderOf('seen', ...names))}.json`),
  close: async () => undefined,
});

function fileSeen(path: string): SeenStore {
  const asDisk = (error: unknown): never => throwAsDisk(error, path);
  return {
    read: () => readFile(path, 'utf8').catch(undefinedIfMissing).catch(asDisk),
    write: async (text) => {
      await makeFolder(dirname(path), 0o700).catch(asDisk);
      await replaceFile(path, text, { newMode: 0o600 }).catch(asDisk);
    },
  };
}

/** A canonical path that is the same whether or not the folder exists. */
async function canonicalPath(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await canonicalPath(parent), basename(path))));
}
