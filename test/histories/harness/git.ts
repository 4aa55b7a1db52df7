import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Nothing runs in the background, and the settings of the person who runs the histories do not count. */
const SETTINGS = ['gc.auto=0', 'maintenance.auto=false', 'user.name=n', 'user.email=n@example.com'];

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...SETTINGS.flatMap((setting) => ['-c', setting]), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' },
  });

/** An empty repository that clones push to. */
export function bareRepository(root: string, name: string): string {
  const folder = join(root, `${name}.git`);
  execFileSync('git', ['init', '--quiet', '--bare', folder]);
  return folder;
}

/** What each reference of a repository points to. */
export const refsOf = (repository: string): ReadonlyMap<string, string> =>
  new Map(
    git(repository, 'for-each-ref', '--format=%(refname) %(objectname)')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split(' ') as [string, string]),
  );

/** Makes a repository have these references and no others, as one that is restored from a backup. */
export function setRefs(repository: string, refs: ReadonlyMap<string, string>): void {
  for (const name of refsOf(repository).keys()) if (!refs.has(name)) git(repository, 'update-ref', '-d', name);
  for (const [name, target] of refs) git(repository, 'update-ref', name, target);
}

/** What a folder has checked out; `dirty` where something in it is not committed. */
export interface CheckedOut {
  readonly commit: string;
  readonly dirty: 'yes' | 'no';
}

/** Makes a folder a repository, with all that is in it but what people do not commit there. */
export function initRepository(folder: string): void {
  git(folder, 'init', '--quiet', '--initial-branch=main');
  writeFileSync(join(folder, '.gitignore'), '/.dexsync/\n/plan-*.json\n/*.csv\n');
  commitAll(folder, 'first');
}

export function commitAll(folder: string, message: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
}

/** Gives the last commit what is not committed yet, under another message. */
export function amend(folder: string, message: string): void {
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--allow-empty', '--amend', '--message', message);
}

/** Makes one commit of all that followed the first one. */
export function squash(folder: string, message: string): void {
  git(folder, 'reset', '--quiet', '--soft', git(folder, 'rev-list', '--max-parents=0', 'HEAD').trim());
  commitAll(folder, message);
}

export const checkedOut = (folder: string): CheckedOut => ({
  commit: git(folder, 'rev-parse', 'HEAD').trim(),
  dirty: git(folder, '--no-optional-locks', 'status', '--porcelain').trim() === '' ? 'no' : 'yes',
});
