import { InvalidArgumentError, Option } from 'commander';
import { nearestHint, texts } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { logText } from './pipeline-log.js';
import { type LoadedTexts, printDocument } from './print-document.js';

/** How a list is printed. */
export type ListFormat = 'table' | 'json' | 'name';

/** Flags of a command with `formatOption`. `o`: below a command whose `--output` writes reports. */
export interface ListFlags extends GlobalOptions {
  readonly output?: ListFormat;
  readonly o?: ListFormat;
}

const FORMATS: readonly ListFormat[] = ['table', 'json', 'name'];
const NAME = 'name prints one name per line, for xargs';

/** `-o` of a command that lists things. */
export const formatOption = (): Option => choice('-o, --output <format>', `output format; ${NAME}`, FORMATS);

/** The same below `plan` and `import`, whose `--output` is that of reports. */
export const shortFormatOption = (): Option =>
  choice('-o <format>', `output format; ${NAME}; only in this short form`, FORMATS);

/** An option with a fixed set of formats; a wrong one is refused with the nearest. */
export const choice = (flags: string, description: string, formats: readonly string[]): Option =>
  new Option(flags, description)
    .choices(formats)
    .default(formats[0])
    .argParser((text) => {
      if (formats.includes(text)) return text;
      throw unknownFormat(text, formats);
    });

/** The nearest of the formats, and all. */
export function unknownFormat(text: string, formats: readonly string[]): InvalidArgumentError {
  const near = nearestHint(text, formats);
  const all = `The formats are ${formats.slice(0, -1).join(', ')} and ${formats.at(-1)}.`;
  return new InvalidArgumentError(near?.startsWith('Did') === true ? `${near} ${all}` : all);
}

/** Both ways to ask for JSON as one. */
export const withFormat = <T extends ListFlags>(flags: T): T =>
  formatOf(flags) === 'json' ? { ...flags, json: true } : flags;

const formatOf = ({ o, output }: ListFlags): ListFormat | undefined => o ?? output;

/** Prints a list in the format that was chosen; `namesOf` gives what other commands take as argument. */
export async function printList<T>(
  cli: Cli,
  flags: ListFlags,
  value: T,
  textOf: (texts: LoadedTexts) => (value: T) => string,
  namesOf: (value: T) => readonly string[],
): Promise<void> {
  if (flags.json === true || formatOf(flags) !== 'name') return printDocument(cli, flags, value, textOf);
  cli.out.write(logText(cli, (await texts(cli.color)).names(namesOf(value))));
}
