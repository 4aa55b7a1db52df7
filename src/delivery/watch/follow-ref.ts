import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pRetry from 'p-retry';
import type { Diagnostic } from '#base/diagnostics.js';
import { DexsyncError, reasonOf } from '#base/errors.js';
import { throwAsDisk } from '#base/files/disk-error.js';
import { makeFolder } from '#base/files/make-folder.js';
import { pathExists } from '#base/files/path-exists.js';
import { isLeftover } from '#base/files/process-prefix.js';
import { newOwnFolder } from '#base/files/spool-folder.js';
import { printableText } from '#base/printable.js';
import { secretsOfUrl } from '#base/secrets.js';
import { answerOfGit, type GitResult, type GitUse, remoteOfRef, runGit } from '#ledger/git/run-git.js';
import type { Host } from '#project/host.js';
import type { FollowCallbacks, Followed } from './followed.js';

/** A ref of a repository, and the location of the project in it. */
export interface RefPlace {
  /** A branch, tag or commit; `REMOTE/BRANCH` is fetched. */
  readonly ref: string;
  /** The path of the configuration in the folder that the command was started for. */
  readonly config: string;
  /** The folder of the ledger and the checkout. */
  readonly data: string;
  /** Milliseconds between two checks of the ref. */
  readonly every: number;
  /** `refused` if objects of manifests in submodules, which are not checked out, would be deleted. */
  readonly submodules: 'reported' | 'refused';
}

const USE: GitUse = {
  code: 'GIT_FAILED',
  need: '`--ref` follows a git repository',
  otherwise: 'leave out `--ref` to follow the folder',
};

/**
 * Follows a ref of the repository that contains the configuration, in a working tree of its own, which changes between
 * rounds and is removed at the end. Throws GIT_FAILED if there is no repository or no such ref; later failures are
 * reported, each once, and the last commit stays in use.
 */
export async function followRef(place: RefPlace, host: Host, following: FollowCallbacks): Promise<Followed> {
  const { ref, config, data, every, submodules } = place;
  const git = (args: readonly string[], at = dirname(config)): Promise<GitResult> =>
    runGit(args, { at: ['-C', at], variables: host.variables, use: USE });
  const inside = git(['rev-parse', '--show-toplevel', '--show-prefix']);
  const [, prefix = ''] = (await answerOfGit(inside, `${dirname(config)} is not in a git repository.`)).split('\n');
  const file = join(prefix, basename(config));
  const remote = await remoteOf(ref, git);
  if (remote !== undefined)
    host.secrets.add(...secretsOfUrl((await git(['remote', 'get-url', remote])).out.toString()));
  let commit = await look(ref, remote, git);
  const tree = await newTree(join(data, 'watch'), git);
  const own = join(tree, file);
  let isReported = false;
  const closing = new AbortController();
  const watching = lookAgain({ every, signal: closing.signal }, following, async () => {
    const found = await look(ref, remote, git);
    if (found === commit) return;
    commit = found;
    following.onChange();
  });
  return {
    name: ref,
    async checkOut() {
      const taken = commit;
      await checkOutTree(tree, taken, git);
      if (!(await pathExists(own))) throw noConfig(ref, taken, file);
      const hasSubmodules = await pathExists(join(tree, '.gitmodules'));
      if (hasSubmodules && submodules === 'refused') throw submodulesRefused(ref);
      if (hasSubmodules && !isReported) following.onProblem(submodulesLeftOut(ref));
      isReported = true;
      return { options: { config: own, dataFolder: data }, cwd: dirname(own), commit: taken };
    },
    async close() {
      closing.abort();
      await watching;
      await removeTree(tree, git);
    },
  };
}

type Git = (args: readonly string[], at?: string) => Promise<GitResult>;

async function remoteOf(ref: string, git: Git): Promise<string | undefined> {
  const names = (await answerOfGit(git(['remote']), 'The remotes of the repository cannot be read.')).split('\n');
  return remoteOfRef(ref, names);
}

/** Returns the commit of the ref, which is fetched first if it belongs to a remote. */
async function look(ref: string, remote: string | undefined, git: Git): Promise<string> {
  if (remote !== undefined) {
    const branch = ref.slice(remote.length + 1);
    const fetch = ['fetch', '--quiet', '--no-tags', remote, `+refs/heads/${branch}:refs/remotes/${ref}`];
    await answerOfGit(git(fetch), `The branch ${printableText(branch)} of ${remote} cannot be fetched.`);
  }
  return answerOfGit(
    git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`]),
    `The repository has no ref "${printableText(ref)}".`,
  );
}

/**
 * Creates a folder for this watch alone: if another one read during a checkout, manifests would seem gone. Removes
 * trees of killed watches, but not the user's: `worktree prune` would remove those on an unmounted disk.
 */
async function newTree(root: string, git: Git): Promise<string> {
  try {
    await makeFolder(root, 0o700);
    // Decides by names, since the tree of a running watch is missing for a moment while that watch recreates it.
    const left = (await readdir(root)).filter(isLeftover);
    const tree = await newOwnFolder(root);
    for (const name of left) await removeTree(join(root, name), git);
    return tree;
  } catch (error) {
    return throwAsDisk(error, `The folder ${root}`);
  }
}

async function removeTree(tree: string, git: Git): Promise<void> {
  await worktree(['remove', '--force', '--force', tree], git, `${tree} cannot be removed.`).catch(() => undefined);
  await rm(tree, { recursive: true, force: true });
}

/** Checks out a commit. Recreates a damaged tree: everything in it is in the repository. */
async function checkOutTree(tree: string, commit: string, git: Git): Promise<void> {
  if (await pathExists(join(tree, '.git'))) {
    const moved = await git(['checkout', '--quiet', '--force', '--detach', commit], tree);
    const cleaned = moved.code === 0 ? await git(['clean', '--quiet', '-ffd'], tree) : moved;
    if (cleaned.code === 0) return;
  }
  await removeTree(tree, git);
  const otherwise = `The commit ${commit.slice(0, 12)} cannot be checked out.`;
  await worktree(['add', '--quiet', '--force', '--detach', tree, commit], git, otherwise);
}

/** Retries, since git reads the entries of all trees and fails while another process adds or removes one. */
const worktree = (args: readonly string[], git: Git, otherwise: string): Promise<string> =>
  pRetry(() => answerOfGit(git(['worktree', ...args]), otherwise), {
    retries: 5,
    minTimeout: 50,
    shouldRetry: ({ error }) => error instanceof DexsyncError && HALF_MADE.test(error.hint ?? ''),
  });

const HALF_MADE = /failed to read .*\bworktrees\b/;

interface Pace {
  readonly every: number;
  readonly signal: AbortSignal;
}

async function lookAgain({ every, signal }: Pace, { onProblem }: FollowCallbacks, lookOnce: () => Promise<void>) {
  let reported: string | undefined;
  while (!signal.aborted) {
    await sleep(every, undefined, { signal, ref: false }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      await lookOnce();
      reported = undefined;
    } catch (error) {
      const problem = problemOf(error);
      if (problem.message !== reported) onProblem(problem);
      reported = problem.message;
    }
  }
}

const problemOf = (error: unknown): Diagnostic => ({
  severity: 'warning',
  code: 'ref-unreachable',
  message: [reasonOf(error), ...(error instanceof DexsyncError ? [error.hint ?? ''] : [])].join(' ').trim(),
  hint: 'The commit that was fetched last stays in force until the ref can be read again.',
});

const submodulesLeftOut = (ref: string): Diagnostic => ({
  severity: 'warning',
  code: 'submodules-left-out',
  message: `${printableText(ref)} has submodules, which are not checked out: manifests in them are not seen.`,
  hint: 'Keep manifests in the repository itself, or leave out `--ref`.',
});

const submodulesRefused = (ref: string): DexsyncError =>
  new DexsyncError('USAGE', `${printableText(ref)} has submodules, which are not checked out.`, {
    hint: 'Leave out `--prune`: objects of manifests in a submodule would be deleted.',
  });

const noConfig = (ref: string, commit: string, file: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `${file} is not in ${printableText(ref)} (${commit.slice(0, 12)}).`, {
    hint: 'Commit the configuration, or follow another ref.',
  });
