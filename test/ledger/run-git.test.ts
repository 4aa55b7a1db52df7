import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runGit } from '#ledger/git/run-git.js';

test('a git that does not finish is ended, and the error says how long it was waited for', async () => {
  const slow = runGit(['-c', 'alias.slow=!sleep 30', 'slow'], {
    at: ['-C', tmpdir()],
    variables: process.env,
    patience: 500,
  });
  await expect(slow).rejects.toThrow('did not finish within 0.5 seconds');
});
