import { DexsyncError } from '#base/errors.js';
import type { GitResult } from './run-git.js';

/** Whether git reports a damaged repository, as after a power cut. */
export const isCorrupt = ({ code, err }: GitResult): boolean =>
  code !== 0 && /object file .* is empty|is corrupt|loose object|not a git repository|inflate/.test(err);

/** A damaged local repository, which holds nothing of its own. */
export const damagedCache = (folder: string): DexsyncError =>
  new DexsyncError('LEDGER_UNREACHABLE', `The local copy of the ledger in ${folder} is damaged.`, {
    hint: 'Delete that folder, then repeat the command: it is fetched again.',
  });

/** A refusal of git, or an unreachable remote, in git's own words. */
export function gitFailure({ err }: GitResult, url: string, branch: string): DexsyncError {
  const words = err
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('hint:'))
    .map((line) => line.replace(/^(fatal|error|warning): /, ''))
    .slice(0, 3)
    .join('; ');
  const message = `The ledger in branch ${branch} of ${withoutPassword(url)} cannot be used: ${withoutPassword(words) || 'git failed'}.`;
  return new DexsyncError('LEDGER_UNREACHABLE', message.replace(/\.\.$/, '.'), {
    hint: `Check that this machine may read from and push to that branch: \`git ls-remote ${withoutPassword(url)}\`.`,
  });
}

/** Removes a password or token from the URLs of a text. */
export const withoutPassword = (text: string): string => text.replaceAll(/(:\/\/)[^/\s]+@/g, '$1');
