import { readdir, realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Backend } from '../backend.js';
import { listWorkspaces } from '../journal-origin.js';
import type { LeaseTiming } from '../lease-life.js';
import type { MachineHeads } from '../machine-head.js';
import { fileDocuments } from './file-documents.js';
import { fileLeases } from './file-leases.js';
import { fileStore } from './file-store.js';

/** Where the files are. */
export interface FileBackendOptions extends LeaseTiming {
  /** The folder of the ledgers. A team may share it by committing it. */
  readonly folder: string;
  /** The folder of locks, which are of no use to others. */
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
  workspaces: async () => {
    const names = await readdir(folder).catch(() => []);
    const readOnly = { root: folder, mayWrite: async () => undefined, data };
    return listWorkspaces(names.map((identity) => fileStore({ ...readOnly, identity })));
  },
  documents: (shelf) => fileDocuments(folder, shelf),
  close: async () => undefined,
});

/** A canonical path that is the same whether or not the folder exists. */
async function canonicalPath(path: string): Promise<string> {
  const parent = dirname(path);
  return realpath(path).catch(async () => (parent === path ? path : join(await canonicalPath(parent), basename(path))));
}
