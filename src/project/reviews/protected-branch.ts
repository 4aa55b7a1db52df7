import { dirname } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { printableText } from '#base/printable.js';
import { secretsOfUrl } from '#base/secrets.js';
import { type GitResult, type GitUse, runGit } from '#ledger/git/run-git.js';
import type { Host } from '../host.js';
import { once } from '../once.js';
import { REF_VARIABLE } from './may-need-reviews.js';

/** A branch of a remote as it is now, and files of its commits. */
export interface ProtectedBranch {
  /** Such as `origin/main`, or `the default branch of origin`. */
  readonly name: string;
  readonly tip: string;
  /** Its name on the remote: `main`. */
  readonly ref: string;
  /**
   * The commit that the branch had when a plan was made: the one that the plan recorded if that is in its history, or else as
   * its first parents tell; undefined if it had none.
   */
  commitAt(time: string, recorded: string | undefined): Promise<string | undefined>;
  /** The content of a file, by a path relative to the configuration; undefined if the commit has no such file. */
  fileAt(commit: string, path: string): Promise<Buffer | undefined>;
  /** The addresses of those who wrote the commits from one to the other; empty if a commit is not here. */
  authorsBetween(from: string, to: string): Promise<readonly string[]>;
  /** The commit that is checked out here; undefined with changes that are not committed, apart from dexsync's own data. */
  checkedOut(): Promise<string | undefined>;
}

const USE: GitUse = {
  code: 'GIT_FAILED',
  need: '`reviews` reads signers and roles from the remote of a git repository',
  otherwise: 'remove `reviews` from the configuration',
};

type Git = (...args: readonly string[]) => Promise<GitResult>;

/** Fetches the branch that says who may approve. No local ref counts. Throws GIT_FAILED and USAGE. */
export const openProtectedBranch = (config: { readonly path: string }, host: Host): Promise<ProtectedBranch> =>
  once(host, ['protected branch', config.path], () => fetchBranch(config.path, host));

async function fetchBranch(config: string, host: Host): Promise<ProtectedBranch> {
  const { variables, secrets } = host;
  const git: Git = (...args) => runGit(args, { at: ['-C', dirname(config)], variables, use: USE });
  const none = `The folder ${dirname(config)} is in no git repository, which \`reviews\` needs.`;
  const { remote, branch, name } = placeOf(variables[REF_VARIABLE], await answer(git('remote'), none));
  const missing = `The repository has no remote "${printableText(remote)}", from which \`reviews\` reads who may approve.`;
  secrets.add(...secretsOfUrl(await answer(git('remote', 'get-url', remote), missing)));
  const wanted = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const unreadable = `Who may approve (\`reviews\`) is read from ${name}, which cannot be read now.`;
  const listed = await answer(git('ls-remote', '--symref', remote, wanted), unreadable);
  const [tip] = /^[0-9a-f]{40,64}/m.exec(listed) ?? [];
  if (tip === undefined) throw noBranch(name);
  const ref = branch ?? /^ref: refs\/heads\/(\S+)/m.exec(listed)?.[1] ?? '';
  const fetch = (...how: readonly string[]): Promise<string> =>
    answer(git('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...how, remote, wanted), unreadable);
  if (!(await hasCommit(tip, git))) await fetch();
  return branchAt({ name, tip, ref }, git, fetch);
}

const hasCommit = async (commit: string, git: Git): Promise<boolean> =>
  (await git('cat-file', '-e', `${commit}^{commit}`)).code === 0;

const branchAt = (
  { name, tip, ref }: Pick<ProtectedBranch, 'name' | 'tip' | 'ref'>,
  git: Git,
  fetch: (how: string) => Promise<string>,
): ProtectedBranch => ({
  ...{ name, tip, ref },
  async commitAt(time, recorded) {
    // A clone of a pipeline often has only the last commit.
    if (String((await git('rev-parse', '--is-shallow-repository')).out).trim() === 'true') await fetch('--unshallow');
    if (recorded !== undefined && (await git('merge-base', '--is-ancestor', recorded, tip)).code === 0) return recorded;
    const args = ['rev-list', '-1', '--first-parent', `--before=${time}`, tip];
    return (await answer(git(...args), `The history of ${name} cannot be read.`)) || undefined;
  },
  async fileAt(commit, path) {
    const found = await git('cat-file', 'blob', `${commit}:./${path}`);
    return found.code === 0 ? found.out : undefined;
  },
  async authorsBetween(from, to) {
    if (!(await hasCommit(to, git))) return [];
    const found = await git('log', '--format=%ae', `${from}..${to}`, '--');
    return [
      ...new Set(
        String(found.out)
          .split('\n')
          .filter((one) => one !== ''),
      ),
    ];
  },
  async checkedOut() {
    const changed = await git('--no-optional-locks', 'status', '--porcelain', ...EXCEPT_OWN);
    const { code, out } = await git('rev-parse', '--verify', 'HEAD');
    return code === 0 && changed.code === 0 && changed.out.length === 0 ? String(out).trim() : undefined;
  },
});

const EXCEPT_OWN = ['--', ':(top)', ':(exclude).dexsync'];

const noBranch = (name: string): DexsyncError =>
  new DexsyncError('GIT_FAILED', `Who may approve (\`reviews\`) is read from ${name}, which does not exist.`, {
    hint: 'Push it first, with the configuration and the allowed signers.',
  });

function placeOf(given: string | undefined, listed: string): { remote: string; branch?: string; name: string } {
  const remotes = listed.split('\n').filter((one) => one !== '');
  if (given) {
    const remote = remotes.filter((one) => given.startsWith(`${one}/`)).sort((a, b) => b.length - a.length)[0];
    if (remote !== undefined) return { remote, branch: given.slice(remote.length + 1), name: given };
    throw new DexsyncError('USAGE', `${REF_VARIABLE} is "${printableText(given)}", which is no branch of a remote.`, {
      hint: `Write REMOTE/BRANCH, such as origin/main. The remotes are: ${remotes.join(', ') || 'none'}.`,
    });
  }
  const remote = remotes.includes('origin') || remotes.length !== 1 ? 'origin' : (remotes[0] as string);
  return { remote, name: `the default branch of ${remote}` };
}

/** Returns the output of git without the line end. Throws GIT_FAILED if git failed. */
async function answer(asked: Promise<GitResult>, otherwise: string): Promise<string> {
  const { code, out, err } = await asked;
  if (code === 0) return out.toString('utf8').trim();
  const reason = printableText(err.trim().split('\n')[0] ?? '');
  throw new DexsyncError('GIT_FAILED', otherwise, reason === '' ? {} : { hint: `git says: ${reason}` });
}
