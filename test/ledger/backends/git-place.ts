import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { gitBackend } from '#ledger/git/git-backend.js';
import { bareRepository } from '../../harness/git.js';
import { type Place, timingOf } from './place.js';

/** An empty folder of one test. */
export async function emptyProject(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), 'dexsync-clone-'));
  onTestFinished(() => rm(project, { recursive: true, force: true, maxRetries: 5 }));
  return project;
}

/** Each process has a folder of its own, as on a machine of its own. */
export async function newRemote(): Promise<Place & { readonly remote: string }> {
  const remote = await bareRepository();
  return {
    remote,
    async open(over) {
      const project = await emptyProject();
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
