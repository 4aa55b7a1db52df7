import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fileStore } from '../../src/ledger/file-store.js';
import { storeContract } from './store-contract.js';

storeContract('files', async () => {
  const root = await mkdtemp(join(tmpdir(), 'dexsync-store-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return { open: async (mayWrite = async () => undefined) => fileStore(root, 'h/1', mayWrite) };
});
