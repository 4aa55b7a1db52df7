import type { Command } from 'commander';
import type { Cli } from '#app/commands/cli-context.js';
import { createProgram } from '#app/commands/program.js';
import { openSecrets } from '#base/secrets.js';
import { findList } from '#data/bulk/find-list.js';

/** A process in memory, and what was written there. */
export function memoryCli(width?: number) {
  const written = { out: '', err: '', code: 0 };
  const into = (stream: 'out' | 'err') => ({
    write: (text: string | Uint8Array) => {
      written[stream] += String(text);
    },
  });
  const cli: Cli = {
    out: into('out'),
    err: into('err'),
    color: 'plain',
    input: 'none',
    progress: 'lines',
    ...(width === undefined ? {} : { width }),
    host: {
      cwd: '/',
      variables: {},
      version: '0.0.0',
      secrets: openSecrets(),
      findList,
      clock: () => new Date(0),
      nonce: () => '',
      signal: new AbortController().signal,
    },
    ask: async () => '',
    choose: async () => undefined,
    exit: (code) => {
      written.code = code;
    },
  };
  return { cli, written };
}

/** The table of commands, writing into memory; what commands do is left out. */
export function openProgram(width?: number) {
  const { cli, written } = memoryCli(width);
  const program = createProgram(cli);
  for (const command of everyCommand(program)) if (isRunnable(command)) command.action(() => undefined);
  return { program, written };
}

export const everyCommand = (command: Command): Command[] => [command, ...command.commands.flatMap(everyCommand)];

/** Groups such as `events` do nothing by themselves; `import`, `plan` and `history` do. */
export const isRunnable = (command: Command): boolean =>
  command.commands.length === 0 || ['import', 'plan', 'history'].includes(command.name());

/** As it is typed. */
export const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;

/** The command lines of dexsync in a line of a shell, as words. */
export const dexsyncLines = (line: string): string[][] =>
  line
    .replaceAll(/\\\n\s*/g, '')
    .split(/ (?:&&|\|) /)
    .filter((one) => one.startsWith('dexsync'))
    .map((one) => wordsOf(one.replace(/ > \S+$/, '')).slice(1));

const wordsOf = (line: string): string[] =>
  (line.match(/'[^']*'|(?:"[^"]*"|[^\s"'])+/g) ?? []).map((word) => word.replaceAll(/^'|'$|"/g, ''));

/** Undefined: the program takes it. */
export async function mistakeIn(words: readonly string[]): Promise<string | undefined> {
  const { program } = openProgram();
  try {
    await program.parseAsync(words, { from: 'user' });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
