import type { Backend } from '../backend.js';
import type { LeaseTiming } from '../lease-life.js';
import { fileLeases } from './file-leases.js';
import { filePlans } from './file-plans.js';
import { fileStore } from './file-store.js';

/** Where the files are. */
export interface FileBackendOptions extends LeaseTiming {
  /** The folder of the ledgers. A team may share it by committing it. */
  readonly folder: string;
  /** The folder of locks, which are of no use to others. */
  readonly data: string;
}

/** Ledgers and locks as files beside the configuration. */
export const fileBackend = ({ folder, data, ...timing }: FileBackendOptions): Backend => ({
  place: `the folder ${folder}`,
  leases: fileLeases({ root: data, ...timing }),
  journals: (identity, mayWrite) => fileStore(folder, identity, mayWrite, data),
  plans: (stack, environment) => filePlans(folder, stack, environment),
  close: async () => undefined,
});
