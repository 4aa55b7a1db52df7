import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { gitBackend } from '../../../src/ledger/git/git-backend.js';
import { bareRepository } from '../../harness/git.js';
import { journalsContract } from './journals-contract.js';
import { fencingContract, leasesContract } from './leases-contract.js';
import { type Place, timingOf } from './place.js';

/** Each process has a folder of its own, as on a machine of its own. */
async function newPlace(): Promise<Place> {
  const remote = await bareRepository();
  return {
    async open(over) {
      const project = await mkdtemp(join(tmpdir(), 'dexsync-clone-'));
      onTestFinished(() => rm(project, { recursive: true, force: true, maxRetries: 5 }));
      return gitBackend({
        remote,
        branch: 'dexsync-ledger',
        project,
        data: project,
        variables: process.env,
        ...timingOf(over),
      });
    },
  };
}

journalsContract('git', newPlace);
leasesContract('git', newPlace, { many: 8, lifetime: 4000 });
fencingContract('git', newPlace);
