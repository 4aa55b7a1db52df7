import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { fileBackend } from '../../../src/ledger/file/file-backend.js';
import { journalsContract } from './journals-contract.js';
import { leasesContract } from './leases-contract.js';
import { ledgerContract } from './ledger-contract.js';
import { type Place, timingOf } from './place.js';

async function newPlace(): Promise<Place> {
  const data = await mkdtemp(join(tmpdir(), 'dexsync-files-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  return { open: async (over) => fileBackend({ folder: join(data, 'ledger'), data, ...timingOf(over) }) };
}

journalsContract('files', newPlace);
ledgerContract('files', newPlace);
leasesContract('files', newPlace, { many: 40, lifetime: 300 });
