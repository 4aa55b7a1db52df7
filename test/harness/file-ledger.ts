import { join } from 'node:path';
import { fileStore } from '../../src/ledger/file/file-store.js';
import type { Ledger } from '../../src/ledger/ledger.js';
import { storedLedger } from '../../src/ledger/stored-ledger.js';

/** A ledger as files, in the data of a project. */
export const fileLedger = (
  root: string,
  identity: string,
  mayWrite: () => Promise<void> = async () => undefined,
): Ledger => storedLedger(fileStore({ root: join(root, 'ledger'), identity, mayWrite, data: root }));
