import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import type { GitFacts } from '#core/model/provenance.js';
import type { Variables } from '../config/environment-settings.js';
import { publicUrl } from './repository-url.js';

/** How long git may take, in milliseconds. In a repository in which it takes longer an apply goes on without its answer. */
const PATIENCE = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

/** What git was asked and may still be working on. */
export interface GitQuestion {
  /** Undefined without git, without a repository or a first commit, and where it took too long. Never an error. */
  answer(): Promise<GitFacts | undefined>;
}

/**
 * Asks git what is checked out in a folder, and from where it came. Two processes tell both at once; simple-git needs longer to be
 * loaded (21 ms) than that takes (9 ms). A command that ends before the answer came does not wait for it. No process is started
 * where no folder above can be a repository.
 */
export function askGit(folder: string, variables: Variables): GitQuestion {
  if (variables.GIT_DIR === undefined && !isInRepository(resolve(folder))) return { answer: async () => undefined };
  const [status, remotes] = [STATUS, REMOTES].map((args) => run(['-C', folder, ...args], variables));
  return {
    async answer() {
      const [said, urls] = await Promise.all([status?.answer(), remotes?.answer()]);
      return said === undefined ? undefined : factsIn(said, urls ?? '');
    },
  };
}

const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)));

interface Asked {
  /** What it wrote; undefined where it failed. */
  answer(): Promise<string | undefined>;
}

function run(args: readonly string[], variables: Variables): Asked {
  let child: ChildProcess | undefined;
  const output = new Promise<string | undefined>((done) => {
    const hear = (error: unknown, text: string): void => {
      clearTimeout(timer);
      done(error === null ? text : undefined);
    };
    const timer = setTimeout(() => {
      end(child);
      hear('too late', '');
    }, PATIENCE).unref();
    try {
      const options = { env: { ...variables }, maxBuffer: MOST_BYTES, windowsHide: true, encoding: 'utf8' as const };
      child = execFile('git', args, options, hear);
    } catch (error) {
      hear(error, '');
    }
  });
  hold(child, 'unref');
  return {
    answer() {
      hold(child, 'ref');
      return output;
    },
  };
}

/** Takes no lock and starts no watcher in a repository that is another's business; dexsync's own data are no change. */
const STATUS = [
  '--no-optional-locks',
  '-c',
  'core.fsmonitor=false',
  'status',
  '--porcelain=v2',
  '--branch',
  '--',
  ':(top)',
  ':(exclude).dexsync',
];

/** `remote.origin.url`, a line feed, the URL, and a null for each. */
const REMOTES = ['config', '--null', '--get-regexp', '^remote\\..*\\.url$'];

/** Whether the process waits for it before it ends. */
function hold(child: ChildProcess | undefined, how: 'ref' | 'unref'): void {
  child?.[how]();
  for (const pipe of pipesOf(child)) pipe[how]();
}

/** Its pipes too: a program that it started may hold them open for longer. */
function end(child: ChildProcess | undefined): void {
  child?.kill('SIGKILL');
  for (const pipe of pipesOf(child)) pipe.destroy();
}

const pipesOf = (child: ChildProcess | undefined): Socket[] =>
  [child?.stdin, child?.stdout, child?.stderr].filter((pipe) => pipe instanceof Socket);

function factsIn(status: string, remotes: string): GitFacts | undefined {
  const lines = status.split('\n').filter((line) => line !== '');
  const headerOf = (what: string): string | undefined =>
    lines.find((line) => line.startsWith(`# branch.${what} `))?.slice(`# branch.${what} `.length);
  const commit = headerOf('oid');
  if (commit === undefined || !/^[0-9a-f]{40,64}$/.test(commit)) return undefined;
  const branch = headerOf('head');
  const repository = publicUrl(remoteIn(remotes, headerOf('upstream')) ?? '');
  return {
    ...(repository === undefined ? {} : { repository }),
    commit,
    ...(branch === undefined || branch === '(detached)' ? {} : { branch }),
    dirty: lines.some((line) => !line.startsWith('# ')) ? 'yes' : 'no',
  };
}

/** The URL of the remote that the branch follows, else that of `origin`, else of the first one. */
function remoteIn(remotes: string, upstream = ''): string | undefined {
  const urls = remotes.split('\0').flatMap((entry) => {
    const [, name, url] = /^remote\.(.*)\.url\n(.*)$/s.exec(entry) ?? [];
    return name === undefined || url === undefined ? [] : [{ name, url }];
  });
  const followed = urls.find(({ name }) => upstream.startsWith(`${name}/`));
  return (followed ?? urls.find(({ name }) => name === 'origin') ?? urls[0])?.url;
}
