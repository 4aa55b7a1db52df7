import { readdir } from 'node:fs/promises';
import type { Backend } from '../backend.js';
import { workspacesOf } from '../journal-origin.js';
import type { LeaseTiming } from '../lease-life.js';
import { fileHead } from './file-head.js';
import { fileLeases } from './file-leases.js';
import { filePlans } from './file-plans.js';
import { fileStore } from './file-store.js';

/** Where the files are. */
export interface FileBackendOptions extends LeaseTiming {
  /** The folder of the ledgers. A team may share it by committing it. */
  readonly folder: string;
  /** The folder of locks, which are of no use to others. */
  readonly data: string;
  /** What clones of a project on this machine have in common; see file-head.ts. */
  readonly state: () => Promise<string>;
  readonly warn: (message: string) => void;
}

/** Ledgers and locks as files beside the configuration. */
export const fileBackend = ({ folder, data, state, warn, ...timing }: FileBackendOptions): Backend => ({
  place: `the folder ${folder}`,
  leases: fileLeases({ root: data, ...timing }),
  journals: (identity, mayWrite) =>
    fileStore({
      root: folder,
      identity,
      mayWrite,
      data,
      headOf: (own) => fileHead({ folder: own, data, state, warn }),
    }),
  workspaces: async () => {
    const names = await readdir(folder).catch(() => []);
    return workspacesOf(
      names.map((identity) => fileStore({ root: folder, identity, mayWrite: async () => undefined, data })),
    );
  },
  plans: (stack, environment) => filePlans(folder, stack, environment),
  close: async () => undefined,
});
