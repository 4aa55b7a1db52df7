import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pRetry from 'p-retry';
import { DexsyncError } from '#base/errors.js';
import { pathExists } from '#base/files/path-exists.js';
import { omitUndefined } from '#base/omit-undefined.js';
import { damagedCache, gitFailure, isCorrupt } from './git-failure.js';
import type { Remote } from './remote.js';
import { type GitOptions, type GitResult, runGit } from './run-git.js';

/** A file of a commit to create; a null text removes it. */
export interface Edit {
  readonly path: string;
  readonly text: string | null;
}

/** The content of a commit. */
export interface CommitFacts {
  readonly parent: string | undefined;
  readonly message: string;
  readonly edits: readonly Edit[];
  readonly at: Date;
}

/** One branch of a remote, and a local repository that keeps what was fetched of it and may be deleted at any time. */
export interface Repository {
  readonly folder: string;
  /** The commits of the branch and its witness; absent if there is no such ref. */
  remoteTip(): Promise<{ readonly commit?: string; readonly witness?: string }>;
  /** Fetches the newest commit of the branch with its files, but not the commits before it. */
  fetch(): Promise<string>;
  /** Fetches the newest commit of the witness; `whole`: with all commits before it, so that it can be pushed. */
  fetchWitness(how?: 'whole'): Promise<string>;
  /** Fetches all commits of the branch. */
  fetchHistory(): Promise<void>;
  /** Fetches older commits with their files, and no others if the remote serves commits by their hashes. */
  fetchCommits(commits: readonly string[]): Promise<void>;
  has(commit: string): Promise<boolean>;
  /** Maps the paths of a commit to their objects. */
  files(commit: string): Promise<ReadonlyMap<string, string>>;
  contents(objects: readonly string[]): Promise<readonly string[]>;
  commit(facts: CommitFacts): Promise<string>;
  /** Packs the repository if many objects have gathered; keeps a commit of the branch and all before it. */
  tidy(commit: string): Promise<void>;
  /**
   * Pushes without force: refused if the branch is no longer at the commit's parent. The witness `moves` atomically
   * with the branch, unless the remote accepts only branches.
   */
  push(commit: string, witness: 'moves' | 'stays'): Promise<GitResult>;
  /** Moves the witness alone. */
  pushWitness(commit: string): Promise<GitResult>;
}

/** Where to find the branch and where to keep what was fetched. */
export interface RepositoryOptions {
  readonly remote: Remote;
  readonly branch: string;
  readonly folder: string;
  readonly variables: GitOptions['variables'];
  readonly author: string;
}

export async function openRepository(options: RepositoryOptions): Promise<Repository> {
  const { folder, author } = options;
  const git = gitIn(options);
  if (!(await pathExists(join(folder, 'HEAD')))) {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await git.output(['init', '--quiet', '--bare', '--template=']);
  }
  return {
    folder,
    ...fetching(git, options),
    ...pushing(git, options),
    has: async (commit) => (await git.run(['cat-file', '-e', `${commit}^{commit}`])).code === 0,
    files: async (commit) => filesIn(String(await git.output(['ls-tree', '-r', '-z', '--full-tree', commit]))),
    contents: batchRequests(async (objects) => contentsIn(await git.output(['cat-file', '--batch'], linesOf(objects)))),
    commit: (facts) => git.words(['fast-import', '--quiet', '--done', '--force'], importOf(facts, author)),
    async tidy(commit) {
      await git.run(['update-ref', SEEN, commit]);
      await git.run(['-c', 'gc.auto=500', '-c', 'gc.autoDetach=false', 'gc', '--auto', '--quiet']);
    },
  };
}

/** Runs git in the local repository; all but `run` throw LEDGER_UNREACHABLE if it fails. */
interface Git {
  run(args: readonly string[], input?: string): Promise<GitResult>;
  output(args: readonly string[], input?: string): Promise<Buffer>;
  words(args: readonly string[], input?: string): Promise<string>;
}

function gitIn({ remote, branch, folder, variables }: RepositoryOptions): Git {
  const run: Git['run'] = (args, input) =>
    runGit(args, { at: ['--git-dir', folder], variables, settings: remote.settings, input });
  const output: Git['output'] = async (args, input) => {
    const result = await run(args, input);
    if (result.code !== 0) throw isCorrupt(result) ? damagedCache(folder) : gitFailure(result, remote.url, branch);
    return result.out;
  };
  return { run, output, words: async (args, input) => String(await output(args, input)).trim() };
}

type Fetching = Pick<Repository, 'fetch' | 'fetchWitness' | 'fetchHistory' | 'fetchCommits'>;

function fetching(git: Git, { remote: { url }, branch, folder }: RepositoryOptions): Fetching {
  const [head, witness] = [headOf(branch), witnessOf(branch)];
  const depth = async (how: 'whole' | undefined): Promise<readonly string[]> => {
    const isShallow = await pathExists(join(folder, 'shallow'));
    if (how === 'whole') return isShallow ? ['--unshallow'] : [];
    return isShallow || (await git.run(['rev-parse', '--verify', '--quiet', SEEN])).code !== 0 ? ['--depth=1'] : [];
  };
  const get = async (refs: string, how?: 'whole'): Promise<void> => {
    const work = async () => git.output(['fetch', '--quiet', '--no-tags', ...(await depth(how)), url, refs]);
    // Another process may be using the same folder at the same time.
    await pRetry(work, { retries: 3, minTimeout: 200 });
  };
  const fetchHistory = (): Promise<void> => get(`+${head}:${SEEN}`, 'whole');
  return {
    async fetch() {
      await get(`+${head}:${SEEN}`);
      return git.words(['rev-parse', SEEN]);
    },
    async fetchWitness(how) {
      await get(`+${witness}:${witness}`, how);
      return git.words(['rev-parse', witness]);
    },
    fetchHistory,
    async fetchCommits(commits) {
      if (commits.length === 0) return;
      const known = await git.words(['cat-file', '--batch-check'], linesOf(commits));
      const missing = [...known.matchAll(/^([0-9a-f]+) missing$/gm)].map(([, commit = '']) => commit);
      if (missing.length === 0) return;
      const result = await git.run(['fetch', '--quiet', '--no-tags', '--depth=1', url, ...missing]);
      if (result.code !== 0) await fetchHistory();
    },
  };
}

type Pushing = Pick<Repository, 'remoteTip' | 'push' | 'pushWitness'>;

function pushing(git: Git, { remote: { url }, branch }: RepositoryOptions): Pushing {
  const [head, witnessRef] = [headOf(branch), witnessOf(branch)];
  let takesWitness = true;
  const push = (refs: readonly string[]): Promise<GitResult> => git.run(['push', '--quiet', '--atomic', url, ...refs]);
  return {
    async remoteTip() {
      const result = await git.run(['ls-remote', '--exit-code', url, head, witnessRef]);
      if (result.code !== 0 && result.code !== NOTHING_FOUND) throw gitFailure(result, url, branch);
      const lines = String(result.out).split('\n');
      const refs = new Map(lines.map((line) => line.split('\t').reverse() as [string, string]));
      const [commit, witness] = [refs.get(head), refs.get(witnessRef)];
      return omitUndefined({ commit, witness });
    },
    async push(commit, witness) {
      const own = `${commit}:${head}`;
      if (witness === 'stays' || !takesWitness) return push([own]);
      const both = await push([own, `+${commit}:${witnessRef}`]);
      if (both.code === 0 || !/remote rejected/.test(both.err)) return both;
      const alone = await push([own]);
      takesWitness = alone.code !== 0;
      return alone;
    },
    pushWitness: (commit) => push([`+${commit}:${witnessRef}`]),
  };
}

const linesOf = (words: readonly string[]): string => `${words.join('\n')}\n`;

/** Batches the requests of one moment, since each would start a process. */
function batchRequests(ask: (objects: readonly string[]) => Promise<readonly string[]>): Repository['contents'] {
  let waiting: string[] = [];
  let asked: Promise<readonly string[]> | undefined;
  return async (objects) => {
    if (objects.length === 0) return [];
    const first = waiting.length;
    waiting.push(...objects);
    asked ??= new Promise((done) => setImmediate(done)).then(() => {
      const all = waiting;
      waiting = [];
      asked = undefined;
      return ask(all);
    });
    return (await asked).slice(first, first + objects.length);
  };
}

const MADE = 'refs/dexsync/made';
const SEEN = 'refs/dexsync/seen';
const NOTHING_FOUND = 2;

const headOf = (branch: string): string => `refs/heads/${branch}`;

/** A ref that is not a branch, so that nobody rewinds or deletes it with the branch. */
const witnessOf = (branch: string): string => `refs/dexsync/witness/${branch}`;

function filesIn(text: string): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of text.split('\0')) {
    const [, object, path] = /^\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(entry) ?? [];
    if (object !== undefined && path !== undefined) files.set(path, object);
  }
  return files;
}

/** Parses repeated entries: `<object> blob <size>`, a line break, as many bytes, a line break. */
function contentsIn(out: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < out.length; ) {
    const end = out.indexOf('\n', at);
    const size = Number(out.toString('latin1', at, end).split(' ')[2]);
    if (!Number.isSafeInteger(size)) throw new DexsyncError('LEDGER_DAMAGED', 'An object of the ledger is missing.');
    texts.push(out.toString('utf8', end + 1, end + 1 + size));
    at = end + 1 + size + 1;
  }
  return texts;
}

/** The input of `git fast-import`, which creates blobs, trees and commit in one process without a working tree. */
function importOf({ parent, message, edits, at }: CommitFacts, author: string): string {
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const files = edits.map(({ path, text }) =>
    text === null ? `D ${JSON.stringify(path)}\n` : `M 100644 inline ${JSON.stringify(path)}\n${data(text)}`,
  );
  const when = `${Math.floor(at.getTime() / 1000)} +0000`;
  return [
    'feature done\n',
    `commit ${MADE}\nmark :1\ncommitter ${author} ${when}\n${data(message)}`,
    parent === undefined ? '' : `from ${parent}\n`,
    ...files,
    // Only the push keeps the commit, so that processes that share the folder do not conflict.
    `\nget-mark :1\nreset ${MADE}\nfrom ${'0'.repeat(40)}\n\ndone\n`,
  ].join('');
}
