import { type ChildProcess, spawn } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { atEnd } from './at-end.js';
import { CLI, environment, type TestProject, type Variables } from './test-project.js';
import { record } from './transcript.js';

/** The built program at a real terminal, which util-linux's `script` makes; its size is given, as people have it. */
export interface Terminal {
  /** All that was written to it so far, without colours and what moves the cursor. */
  text(): string;
  /** The same as it was written. */
  written(): string;
  /** Resolves when it shows something. */
  shows(what: RegExp): Promise<void>;
  type(keys: string): void;
  /** The exit code. */
  readonly ended: Promise<number | null>;
}

export const CTRL_C = '\u0003';
export const CTRL_D = '\u0004';

export function openTerminal(
  { folder }: TestProject,
  args: readonly string[],
  variables: Variables,
  columns = 80,
): Terminal {
  const command = [process.execPath, CLI, ...args].map((word) => `'${word}'`).join(' ');
  return openCommand({ folder, command, variables: environment(variables), columns }, `dexsync ${args.join(' ')}`);
}

/** A command of a shell, in a folder, at a terminal of this width. */
export interface TerminalCommand {
  readonly folder: string;
  readonly command: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly columns?: number;
}

export const ROWS = 40;

/** Any other program at a terminal. `title`: how the transcript calls it. */
export function openCommand({ folder, command, variables, columns = 80 }: TerminalCommand, title: string): Terminal {
  const started = `stty cols ${columns} rows ${ROWS}; exec ${command}`;
  const child: ChildProcess = spawn('script', ['--quiet', '--flush', '--return', '--command', started, '/dev/null'], {
    cwd: folder,
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...variables },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const entry = record(`$ ${title} (at a terminal)`);
  atEnd(() => {
    if (child.exitCode === null) entry.add(`${plain()}\nIt had not ended.`);
    child.kill('SIGKILL');
  });
  let text = '';
  const listeners = new Set<() => void>();
  child.stdout?.setEncoding('utf8');
  child.stdout?.on('data', (chunk) => {
    text += chunk;
    for (const listener of listeners) listener();
  });
  const plain = (): string => stripVTControlCharacters(text);
  const ended = new Promise<number | null>((done) => {
    child.once('close', (code) => {
      entry.add(`${plain()}exit ${code}`);
      done(code);
    });
  });
  return {
    text: plain,
    written: () => text,
    shows: (what) =>
      new Promise((done, failed) => {
        const look = (): void => {
          if (!what.test(plain())) return;
          listeners.delete(look);
          done();
        };
        listeners.add(look);
        look();
        void ended.then(() => failed(new Error(`It ended without ${what}: ${text}`)));
      }),
    type: (keys) => void child.stdin?.write(keys),
    ended,
  };
}
