import { randomUUID } from 'node:crypto';
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';

/** The commands of the built program, from the files that it is packed in. */
const { execute } = (await import(
  resolve('bundle/commands.js')
)) as typeof import('../../dist/app/commands/program.js');

/** What a command wrote, and how it ended. */
export interface Result {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface CommandLine {
  readonly args: readonly string[];
  /** The working folder. */
  readonly folder: string;
  /** All that the command sees of the environment. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Its standard input, which is never a terminal. */
  readonly input?: string;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** A command in progress. */
export interface Begun {
  readonly result: Promise<Result>;
  /** Resolves when it has written something. */
  wrote(what: RegExp): Promise<void>;
  /** Calls with all that it writes to standard output. */
  hear(listener: (chunk: string) => void): void;
  /** What the first Ctrl-C and SIGTERM do. */
  interrupt(): void;
}

export const runInProcess = (line: CommandLine): Promise<Result> => beginInProcess(line).result;

/**
 * Runs one command line through the same table of commands as the program, without a process of its own: signals,
 * pipes, terminals and the end of the process are for tests of the built program.
 */
export function beginInProcess({ args, folder, variables, input = '' }: CommandLine): Begun {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const listeners = new Set<() => void>();
  const into = (chunks: Buffer[]) => ({
    write: (chunk: string | Uint8Array) => {
      chunks.push(Buffer.from(chunk));
      for (const listener of listeners) listener();
    },
  });
  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal);
  let code = 0;
  const ended = execute(
    {
      out: into(out),
      err: into(err),
      color: 'plain',
      input: 'none',
      progress: 'lines',
      host: {
        cwd: folder,
        variables,
        version,
        arguments: args,
        clock: () => new Date(),
        nonce: randomUUID,
        signal,
        input: () => Readable.from([Buffer.from(input)]),
      },
      ask: async () => '',
      choose: async () => undefined,
      exit: (given) => {
        code = given;
      },
    },
    args,
  );
  const result = ended.then(() => ({ code, out: textOf(out), err: textOf(err) }));
  const wrote = (what: RegExp): Promise<void> =>
    new Promise((done, failed) => {
      const look = (): void => {
        if (!what.test(textOf(out) + textOf(err))) return;
        listeners.delete(look);
        done();
      };
      listeners.add(look);
      look();
      void result.then(({ out: all }) => failed(new Error(`It ended without ${what}: ${all}`)));
    });
  const hear: Begun['hear'] = (listener) => {
    let heard = 0;
    listeners.add(() => {
      for (; heard < out.length; heard += 1) listener((out[heard] as Buffer).toString());
    });
  };
  return { result, wrote, hear, interrupt: () => controller.abort() };
}

const textOf = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString();
