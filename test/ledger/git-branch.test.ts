import { expect, test } from 'vitest';
import { Branch } from '#ledger/git/branch.js';
import type { Repository } from '#ledger/git/repository.js';

test('a look that began before this process pushed does not bring back the state before the push', async () => {
  let remote = 'first';
  let answer = Promise.resolve();
  const own = {
    remoteTip: async () => {
      const commit = remote;
      await answer;
      return { commit };
    },
    has: async () => true,
    files: async (commit: string) => new Map([['locks/one.json', commit]]),
    commit: async () => 'second',
    push: async (commit: string) => {
      remote = commit;
      return { code: 0, out: Buffer.alloc(0), err: '' };
    },
  } as unknown as Repository;
  const branch = new Branch({
    remote: { url: 'forge', settings: [] },
    branch: 'ledger',
    repository: async () => own,
    clock: () => new Date(),
    renew: async () => [],
  });
  expect((await branch.tip()).commit).toBe('first');
  let arrive = (): void => undefined;
  answer = new Promise((done) => {
    arrive = done;
  });
  const looking = branch.refresh();
  await branch.change({ subject: 'unlocked', edits: async () => [{ path: 'locks/one.json', text: null }] });
  arrive();
  expect((await looking).commit).toBe('second');
  expect((await branch.tip()).commit).toBe('second');
});
