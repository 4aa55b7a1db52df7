import { type Command, Option } from 'commander';
import { readFormatOption } from './format-option.js';

const DOCUMENT = 'print one JSON document';
const EVENTS = 'print one JSON event per line; the last is the summary';
const LOG = 'print one JSON event per line, with time and level';

/** `--json` of a command with one result. An error is one document too; see print-failure.ts. */
export const documentOption = (): Option => new Option('--json', DOCUMENT);

/** `--json` of a command that works in steps. An error is an event, and the summary follows it. */
export const eventsOption = (): Option => new Option('--json', EVENTS);

/** `--json` of a command that runs until it is stopped. */
export const logOption = (): Option => new Option('--json', LOG);

/** The form in which a command reports an error on standard output. */
export type ErrorForm = 'text' | 'document' | 'events';

/** The form of errors for this command line, even if it could not be parsed completely. */
export const chooseErrorForm = (command: Command, args: readonly string[]): ErrorForm =>
  args.includes('--json') || readFormatOption(command) === 'json' ? chooseJsonForm(command) : 'text';

/** What `--json` of a command prints. */
export function chooseJsonForm(command: Command): Exclude<ErrorForm, 'text'> {
  const own = command.options.find(({ long }) => long === '--json');
  return own?.description === EVENTS || own?.description === LOG ? 'events' : 'document';
}
