import type { Command, CommanderError } from 'commander';
import { omitUndefined } from '#base/omit-undefined.js';
import { EXIT } from '../library/library.js';
import type { Cli } from './cli-context.js';
import { habitHint } from './habits.js';
import { chooseErrorForm } from './json-option.js';
import { type Failure, printFailure } from './print-failure.js';

/** The end of a command line before its command ran: after help or the version, or for a mistake in it. */
export class CommandLineEnd extends Error {
  readonly command: Command;
  readonly reason: CommanderError;

  constructor(command: Command, reason: CommanderError) {
    super(reason.message);
    this.command = command;
    this.reason = reason;
  }
}

/** Sets the exit code, and prints the mistake in the command line unless help was printed already. */
export async function endCommandLine(cli: Cli, end: CommandLineEnd, args: readonly string[]): Promise<void> {
  const { command, reason } = end;
  if (reason.exitCode === 0) return cli.exit(EXIT.done);
  if (reason.code === 'commander.help') return cli.exit(EXIT.invalid);
  return printFailure(cli, chooseErrorForm(command, args), failureOf(end, args));
}

/** The name as it is typed, such as `dexsync events list`. */
export const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

/** Mistakes whose message does not say how to correct them. */
const WITHOUT_CORRECTION = [
  'unknownOption',
  'unknownCommand',
  'missingArgument',
  'missingMandatoryOptionValue',
  'excessArguments',
  'optionMissingArgument',
];

function failureOf({ command, reason }: CommandLineEnd, args: readonly string[]): Failure {
  const [first = '', nearest] = reason.message.replace(/^error: /, '').split('\n');
  const text = replaceQuotes(first);
  const message = `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`;
  const hint = hintOf(command, reason, args) ?? nearest?.replace(/^\(|\)$/g, '') ?? helpHint(command, reason);
  return { code: 'USAGE', message, ...omitUndefined({ hint }), exitCode: EXIT.invalid };
}

/** Replaces the single quotes of commander: our messages have options in backticks and values in double quotes. */
const replaceQuotes = (message: string): string =>
  message
    .replace(/argument '(.*)' is invalid/s, 'argument "$1" is invalid')
    .replace(/option '(-[^']*)'/g, 'option `$1`')
    .replace(
      /^command-argument value '(.*)' is invalid for argument '([^']*)'/s,
      'value "$1" is invalid for argument `$2`',
    )
    .replace(/^(unknown command|missing required argument) '(.*)'/s, '$1 "$2"');

const hintOf = (command: Command, { code }: CommanderError, args: readonly string[]): string | undefined =>
  code === 'commander.unknownOption' || code === 'commander.unknownCommand'
    ? habitHint(command, fullName(command).split(' ').slice(1), args)
    : undefined;

const helpHint = (command: Command, { code }: CommanderError): string | undefined =>
  WITHOUT_CORRECTION.some((one) => code === `commander.${one}`)
    ? `See \`${fullName(command)} --help\`.${code === 'commander.excessArguments' ? ' `--env NAME` chooses an environment.' : ''}`
    : undefined;
