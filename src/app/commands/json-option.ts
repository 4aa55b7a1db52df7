import { type Command, Option } from 'commander';

const DOCUMENT = 'print one JSON document';
const EVENTS = 'print one JSON event per line; the last is the summary';
const LOG = 'print one JSON event per line, with time and level';

/** `--json` of a command with one result. An error is one document too; see print-failure.ts. */
export const documentOption = (): Option => new Option('--json', DOCUMENT);

/** `--json` of a command that works in steps. An error is an event, and the summary follows it. */
export const eventsOption = (): Option => new Option('--json', EVENTS);

/** `--json` of a command that goes on until it is stopped. */
export const logOption = (): Option => new Option('--json', LOG);

/** How a command that could not even start reports its error. */
export type ErrorForm = 'text' | 'document' | 'events';

/** What standard output has to be for this command line, whether or not all of it could be read. */
export function errorFormOf(command: Command, args: readonly string[]): ErrorForm {
  if (!args.includes('--json') && !isJsonFormat(command)) return 'text';
  const own = command.options.find(({ long }) => long === '--json');
  return own?.description === EVENTS || own?.description === LOG ? 'events' : 'document';
}

/** `-o json` is another way to write it. */
const isJsonFormat = (command: Command): boolean =>
  command.options.some(
    (option) => option.argChoices?.includes('json') && command.getOptionValue(option.attributeName()) === 'json',
  );
