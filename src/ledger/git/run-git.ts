import { type ChildProcess, spawn } from 'node:child_process';
import { DexsyncError, type ErrorCode } from '#base/errors.js';
import { printableText } from '#base/printable.js';

/** Settings of git by name, in the order in which git takes them. */
export type GitSettings = readonly (readonly [name: string, value: string])[];

/** How git is run: in which folder or repository, and with which settings and variables. */
export interface GitOptions {
  /** `--git-dir` or `-C`. */
  readonly at: readonly string[];
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly settings?: GitSettings;
  readonly input?: string | undefined;
  /** Milliseconds until git is killed. */
  readonly patience?: number;
  /** What git is needed for, if not for the ledger. */
  readonly use?: GitUse;
}

/** How a failure of git is reported: `need` begins the sentence, and `otherwise` is what can be done without git. */
export interface GitUse {
  readonly code: ErrorCode;
  /** Before `, but git cannot be run`. */
  readonly need: string;
  readonly otherwise: string;
}

const LEDGER: GitUse = {
  code: 'LEDGER_UNREACHABLE',
  need: 'The ledger is in a git repository',
  otherwise: 'set `ledger` in the configuration to something else',
};

/** The result of a git command. */
export interface GitResult {
  readonly code: number;
  readonly out: Buffer;
  readonly err: string;
}

/** Longer than any exchange with a forge takes, in milliseconds. */
const PATIENCE = 60_000;

/** Runs git. Throws LEDGER_UNREACHABLE, or the code of `use`, if git is missing or does not finish in time. */
export function runGit(
  args: readonly string[],
  { at, variables, settings = [], input, patience = PATIENCE, use = LEDGER }: GitOptions,
): Promise<GitResult> {
  return new Promise((done, fail) => {
    const child = spawn('git', [...at, ...args], {
      env: environmentOf(variables, settings),
      windowsHide: true,
      // Ctrl-C at the terminal is for dexsync, which finishes what it has begun.
      detached: process.platform !== 'win32',
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => void out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => void err.push(chunk));
    const timer = setTimeout(() => {
      endAll(child);
      fail(tooSlow(args[0] ?? '', patience, use));
    }, patience);
    child.on('error', (cause) => {
      clearTimeout(timer);
      fail(noGit(cause, use));
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      done({ code: code ?? 1, out: Buffer.concat(out), err: Buffer.concat(err).toString('utf8') });
    });
    // A process that ends before it reads everything reports why.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input ?? '');
  });
}

/** Variables that point git to another repository, as inside a hook. */
const OF_A_REPOSITORY =
  /^GIT_(DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|QUARANTINE_PATH)$/;

function environmentOf(variables: GitOptions['variables'], settings: GitSettings): Record<string, string> {
  const own = Object.entries(variables).filter(([name]) => !OF_A_REPOSITORY.test(name));
  const before = Number(variables.GIT_CONFIG_COUNT ?? 0);
  const all: GitSettings = [
    ...settings,
    ['gc.auto', '0'],
    ['maintenance.auto', 'false'],
    ['core.hooksPath', '/dev/null'],
  ];
  const given = all.flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${before + index}`, name],
    [`GIT_CONFIG_VALUE_${before + index}`, value],
  ]);
  return {
    // Nobody sees the prompt of a program that runs in the background.
    GIT_TERMINAL_PROMPT: '0',
    ...(Object.fromEntries(own.filter(([, value]) => value !== undefined)) as Record<string, string>),
    ...(Object.fromEntries(given) as Record<string, string>),
    GIT_CONFIG_COUNT: String(before + all.length),
    LC_ALL: 'C',
  };
}

const noGit = (cause: Error, { code, need, otherwise }: GitUse): DexsyncError =>
  new DexsyncError(code, `${need}, but \`git\` cannot be run on this machine.`, {
    hint: `Install git, or ${otherwise}.`,
    cause,
  });

/** Kills git and the programs that it started, which are in its group and may keep its pipes open. */
function endAll(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
  for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
}

const tooSlow = (what: string, patience: number, { code }: GitUse): DexsyncError =>
  new DexsyncError(code, `\`git ${what}\` did not finish within ${patience / 1000} seconds.`, {
    hint: 'Check the connection to the git server, then repeat the command: steps that are done are not repeated.',
  });

/** Returns the output of git without the line end. Throws GIT_FAILED if git failed. */
export async function answerOfGit(asked: Promise<GitResult>, otherwise: string): Promise<string> {
  const { code, out, err } = await asked;
  if (code === 0) return out.toString('utf8').trim();
  const reason = printableText(err.trim().split('\n')[0] ?? '');
  throw new DexsyncError('GIT_FAILED', otherwise, reason === '' ? {} : { hint: `git says: ${reason}` });
}

/** The remote that a ref such as `origin/main` names; undefined if it names none of them. */
export const remoteOfRef = (ref: string, remotes: readonly string[]): string | undefined =>
  remotes.filter((name) => name !== '' && ref.startsWith(`${name}/`)).sort((a, b) => b.length - a.length)[0];
