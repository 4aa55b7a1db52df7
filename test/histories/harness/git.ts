import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });

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
