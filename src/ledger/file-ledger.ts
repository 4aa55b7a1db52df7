import { fileStore } from './file-store.js';
import type { Ledger } from './ledger.js';
import { storedLedger } from './stored-ledger.js';

/** A ledger as files beside the configuration; see `fileStore`. */
export const fileLedger = (root: string, identity: string, mayWrite: () => Promise<void> = allowWrite): Ledger =>
  storedLedger(fileStore(root, identity, mayWrite));

const allowWrite = async (): Promise<void> => undefined;
