import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { omitUndefined } from '#base/omit-undefined.js';
import type { GitFacts } from '#core/model/provenance.js';
import type { Variables } from '../host.js';
import { publicUrl } from './repository-url.js';

/** Milliseconds that git may take. If it takes longer, an apply continues without its answer. */
const PATIENCE = 2000;
const MOST_BYTES = 16 * 1024 * 1024;

/** A question to git, which may still be running. */
export interface GitQuestion {
  /** Undefined without git, without a repository or a first commit, and after a timeout. Never throws. */
  answer(): Promise<GitFacts | undefined>;
}

/**
 * Asks git for the checkout and the remotes of a folder, with two processes at once: loading simple-git takes longer
 * (21 ms) than that (9 ms). A command that ends before the answer does not wait for it. Starts no process if no folder
 * above can be a repository.
 */
export function askGit(folder: string, variables: Variables): GitQuestion {
  if (variables.GIT_DIR === undefined && !isInRepository(resolve(folder))) return { answer: async () => undefined };
  const [status, remotes] = [STATUS, REMOTES].map((args) => run(['-C', folder, ...args], variables));
  const find = async (): Promise<GitFacts | undefined> => {
    const [said, urls] = await Promise.all([status?.answer(), remotes?.answer()]);
    return said === undefined ? undefined : factsIn(said, urls ?? '');
  };
  let found: Promise<GitFacts | undefined> | undefined;
  return {
    answer() {
      found ??= find();
      return found;
    },
  };
}

const isInRepository = (folder: string): boolean =>
  existsSync(join(folder, '.git')) || (dirname(folder) !== folder && isInRepository(dirname(folder)));

interface Asked {
  /** The output; undefined if the process failed. */
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

/** Takes no lock and starts no watcher in the user's repository; dexsync's own data does not count as a change. */
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

/** Prints `remote.origin.url`, a line feed, the URL, and a null for each remote. */
const REMOTES = ['config', '--null', '--get-regexp', '^remote\\..*\\.url$'];

/** Sets whether this process waits for the child before it exits. */
function hold(child: ChildProcess | undefined, how: 'ref' | 'unref'): void {
  child?.[how]();
  for (const pipe of pipesOf(child)) pipe[how]();
}

/** Ends a child and its pipes: a program that it started may keep them open for longer. */
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
    ...omitUndefined({ repository }),
    commit,
    ...(branch === undefined || branch === '(detached)' ? {} : { branch }),
    dirty: lines.some((line) => !line.startsWith('# ')) ? 'yes' : 'no',
  };
}

/** The URL of the remote that the branch follows, or else that of `origin`, or else of the first remote. */
function remoteIn(remotes: string, upstream = ''): string | undefined {
  const urls = remotes.split('\0').flatMap((entry) => {
    const [, name, url] = /^remote\.(.*)\.url\n(.*)$/s.exec(entry) ?? [];
    return name === undefined || url === undefined ? [] : [{ name, url }];
  });
  const followed = urls.find(({ name }) => upstream.startsWith(`${name}/`));
  return (followed ?? urls.find(({ name }) => name === 'origin') ?? urls[0])?.url;
}
