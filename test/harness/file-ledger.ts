import { join } from 'node:path';
import { fileStore } from '#ledger/file/file-store.js';
import type { Ledger } from '#ledger/ledger.js';
import { storedLedger } from '#ledger/stored-ledger.js';

/** A ledger as files, in the data of a project. */
export const fileLedger = (
  root: string,
  identity: string,
  mayWrite: () => Promise<void> = async () => undefined,
): Ledger => storedLedger(fileStore({ root: join(root, 'ledger'), identity, mayWrite, data: root }));
