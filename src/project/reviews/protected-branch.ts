import { dirname } from 'node:path';
import { DexsyncError } from '#base/errors.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { printableText } from '#base/printable.js';
import { secretsOfUrl } from '#base/secrets.js';
import { answerOfGit, type GitResult, type GitUse, remoteOfRef, runGit } from '#ledger/git/run-git.js';
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
  /** `git config user.email` here. */
  readonly user?: string;
  /**
   * The commit that the branch had when a plan was created: the one that the plan recorded if that is in its history, or else as
   * its first parents show; undefined if it had none.
   */
  commitAt(time: string, recorded: string | undefined): Promise<string | undefined>;
  /** The content of a file, by a path relative to the configuration; undefined if the commit has no such file. */
  fileAt(commit: string, path: string): Promise<Buffer | undefined>;
  /**
   * The addresses of those who wrote the commits that `commit` has and `base` does not, and that `commit` merged; of all that
   * the branch has since then if the commit is not known, as after a squash.
   */
  authorsOf(commit: string | undefined, base: string): Promise<readonly string[]>;
  /** The commit that is checked out here; undefined with changes that are not committed, apart from dexsync's own data. */
  checkedOut(): Promise<string | undefined>;
}

const USE: GitUse = {
  code: 'GIT_FAILED',
  need: '`reviews` reads signers and roles from the remote of a git repository',
  otherwise: 'remove `reviews` from the configuration',
};

/** No local ref may stand for a commit of the remote. */
const NO_REPLACING = { GIT_NO_REPLACE_OBJECTS: '1', GIT_GRAFT_FILE: '/dev/null' };

type Git = (...args: readonly string[]) => Promise<GitResult>;

/** Fetches the branch that says who may approve. No local ref counts. Throws GIT_FAILED and USAGE. */
export const openProtectedBranch = (config: { readonly path: string }, host: Host): Promise<ProtectedBranch> =>
  once(host, ['protected branch', config.path], () => fetchBranch(config.path, host));

async function fetchBranch(config: string, host: Host): Promise<ProtectedBranch> {
  const { variables, secrets } = host;
  const git: Git = (...args) =>
    runGit(args, { at: ['-C', dirname(config)], variables: { ...variables, ...NO_REPLACING }, use: USE });
  const none = `The folder ${dirname(config)} is in no git repository, which \`reviews\` needs.`;
  const { remote, branch, name } = placeOf(variables[REF_VARIABLE], await answerOfGit(git('remote'), none));
  const url = await git('remote', 'get-url', remote);
  if (url.code !== 0) throw noRemote(remote);
  secrets.add(...secretsOfUrl(String(url.out).trim()));
  const wanted = branch === undefined ? 'HEAD' : `refs/heads/${branch}`;
  const unreadable = `Who may approve (\`reviews\`) is read from ${name}, which cannot be read now.`;
  // A pattern of git also finds branches whose names end so.
  const lines = (await answerOfGit(git('ls-remote', '--symref', remote, wanted), unreadable))
    .split('\n')
    .map((line) => line.split('\t'));
  const tip = lines.find(([what, name]) => name === wanted && what?.startsWith('ref: ') === false)?.[0];
  if (tip === undefined) throw noBranch(name);
  const [head = ''] = lines.find(([what]) => what?.startsWith('ref: ')) ?? [];
  const ref = branch ?? head.replace('ref: refs/heads/', '');
  const fetch = (...how: readonly string[]): Promise<string> =>
    answerOfGit(git('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', ...how, remote, wanted), unreadable);
  if (!(await hasCommit(tip, git))) await fetch();
  const isFetched = async (commit: string): Promise<boolean> =>
    (await git('fetch', '--quiet', '--no-tags', '--no-write-fetch-head', remote, commit)).code === 0;
  const user = String((await git('config', '--get', 'user.email')).out).trim();
  return branchAt({ name, tip, ref, ...(user === '' ? {} : { user }) }, git, { fetch, isFetched });
}

const hasCommit = async (commit: string, git: Git): Promise<boolean> =>
  (await git('cat-file', '-e', `${commit}^{commit}`)).code === 0;

/** Plans come from others: what they call a commit must not be an option of git. */
const isCommitId = (text: string | undefined): text is string => /^[0-9a-f]{40}([0-9a-f]{24})?$/.test(text ?? '');

/** Asks git once for each answer: the environments of a fleet ask for the same. */
function remembered<A extends readonly unknown[], T>(find: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  const known = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const found = known.get(key) ?? find(...args);
    known.set(key, found);
    return found;
  };
}

const branchAt = (
  { name, tip, ref, user }: Pick<ProtectedBranch, 'name' | 'tip' | 'ref' | 'user'>,
  git: Git,
  { fetch, isFetched }: { fetch: (how: string) => Promise<string>; isFetched: (commit: string) => Promise<boolean> },
): ProtectedBranch => ({
  ...{ name, tip, ref, ...omitUndefined({ user }) },
  commitAt: remembered(async (time: string, recorded: string | undefined) => {
    // A clone of a pipeline often has only the last commit.
    if (String((await git('rev-parse', '--is-shallow-repository')).out).trim() === 'true') await fetch('--unshallow');
    if (isCommitId(recorded) && (await git('merge-base', '--is-ancestor', recorded, tip)).code === 0) return recorded;
    const args = ['rev-list', '-1', '--first-parent', `--before=${time}`, tip];
    return (await answerOfGit(git(...args), `The history of ${name} cannot be read.`)) || undefined;
  }),
  fileAt: remembered(async (commit: string, path: string) => {
    const unreadable = `${printableText(path)} of ${name} cannot be read.`;
    const listed = await answerOfGit(git('ls-tree', '-z', commit, '--', `./${path}`), unreadable);
    if (listed === '') return undefined;
    if (!/^100(644|755) blob /.test(listed)) throw notAFile(path, name);
    const found = await git('cat-file', 'blob', `${commit}:./${path}`);
    if (found.code === 0) return found.out;
    throw new DexsyncError('GIT_FAILED', unreadable, { hint: `git says: ${printableText(found.err.trim())}` });
  }),
  authorsOf: remembered(async (commit: string | undefined, base: string) => {
    const isHere = isCommitId(commit) && ((await hasCommit(commit, git)) || (await isFetched(commit)));
    const to = isHere ? commit : tip;
    const ranges = [`${base}..${to}`, `${to}^1..${to}`];
    const found = await Promise.all(ranges.map((range) => git('log', '--format=%ae', range, '--')));
    return [...new Set(found.flatMap(({ out }) => String(out).split('\n')).filter((one) => one !== ''))];
  }),
  async checkedOut() {
    const changed = await git('--no-optional-locks', 'status', '--porcelain', ...EXCEPT_OWN);
    const { code, out } = await git('rev-parse', '--verify', 'HEAD');
    return code === 0 && changed.code === 0 && changed.out.length === 0 ? String(out).trim() : undefined;
  },
});

const EXCEPT_OWN = ['--', ':(top)', ':(exclude).dexsync'];

const noRemote = (remote: string): DexsyncError =>
  new DexsyncError(
    'GIT_FAILED',
    `Who may approve (\`reviews\`) is read from a remote, and the repository has no "${remote}".`,
    {
      hint: `Add it with \`git remote add ${remote} URL\`, or name a branch of another remote in ${REF_VARIABLE}, such as upstream/main.`,
    },
  );

const notAFile = (path: string, name: string): DexsyncError =>
  new DexsyncError('CONFIG_INVALID', `${printableText(path)} of ${name} is not a file, but a folder or a link.`, {
    hint: 'Put the file itself there.',
  });

const noBranch = (name: string): DexsyncError =>
  new DexsyncError('GIT_FAILED', `Who may approve (\`reviews\`) is read from ${name}, which does not exist there.`, {
    hint: `Push it first, with the configuration and the allowed signers, or name another branch in ${REF_VARIABLE}, such as origin/main.`,
  });

function placeOf(given: string | undefined, listed: string): { remote: string; branch?: string; name: string } {
  const remotes = listed.split('\n').filter((one) => one !== '');
  if (given) {
    const remote = remoteOfRef(given, remotes);
    if (remote !== undefined) return { remote, branch: given.slice(remote.length + 1), name: given };
    throw new DexsyncError(
      'USAGE',
      `${REF_VARIABLE} is "${printableText(given)}", which is not a branch of a remote.`,
      {
        hint: `Write REMOTE/BRANCH, such as origin/main. The remotes are: ${remotes.join(', ') || 'none'}.`,
      },
    );
  }
  const remote = remotes.includes('origin') || remotes.length !== 1 ? 'origin' : (remotes[0] as string);
  return { remote, name: `the default branch of ${remote}` };
}
