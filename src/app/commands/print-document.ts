import type { Command } from 'commander';
import { texts } from '../library/internal.js';
import { EXIT, type ExitCode, type Summary } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { readFormatOption } from './format-option.js';
import { logText } from './pipeline-log.js';

/** Selects the text of a value from all texts. */
type TextOf<T> = (all: Awaited<ReturnType<typeof texts>>) => (value: T) => string;

/** Prints the result of a command on standard output, and gives the exit code: by default, that all was done. */
export interface Printer {
  /** Prints data: as one JSON document under `--json`, otherwise as text for people. */
  readonly print: <T>(value: T, textOf: TextOf<T>, exitCode?: ExitCode) => Promise<ExitCode>;
  /** Prints what a command did or found wrong; under `--quiet` only JSON and the exit code show it. */
  readonly printOutcome: Printer['print'];
  /** Prints a list in the chosen format; `namesOf` gives what other commands take as argument. */
  readonly printList: <T>(value: T, textOf: TextOf<T>, namesOf: (value: T) => readonly string[]) => Promise<ExitCode>;
  /** Gives the exit code of a summary. Prints `undone` if there is no summary because nobody confirmed. */
  readonly finish: (summary: Pick<Summary, 'exitCode'> | undefined, undone: string) => ExitCode;
}

/** The printer of one run of a command. */
export function printerFor(cli: Cli, command: Command, { json, quiet }: GlobalOptions): Printer {
  const print: Printer['print'] = async (value, textOf, exitCode = EXIT.done) => {
    if (json === true) cli.out.write(logText(cli, jsonDocument(value), 'json'));
    else cli.out.write(logText(cli, textOf(await texts(cli.color, cli.width))(value)));
    return exitCode;
  };
  return {
    print,
    printOutcome: async (value, textOf, exitCode = EXIT.done) =>
      quiet === true && json !== true ? exitCode : print(value, textOf, exitCode),
    async printList(value, textOf, namesOf) {
      if (json === true || readFormatOption(command) !== 'name') return print(value, textOf);
      cli.out.write(logText(cli, (await texts(cli.color)).names(namesOf(value))));
      return EXIT.done;
    },
    finish(summary, undone) {
      if (summary !== undefined) return summary.exitCode;
      cli.out.write(`${undone}\n`);
      return EXIT.incomplete;
    },
  };
}

/** One JSON document, as every `--json` prints it that does not print a stream. */
export const jsonDocument = (value: unknown): string => `${JSON.stringify(value, undefined, 2)}\n`;
