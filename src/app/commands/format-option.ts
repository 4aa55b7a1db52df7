import { type Command, InvalidArgumentError, Option } from 'commander';
import { nearestHint } from '../library/internal.js';

const FORMATS = ['table', 'json', 'name'] as const;
const NAME = 'name prints one name per line, for xargs';

/** `-o` of a command that lists things. */
export const formatOption = (): Option => formatChoice('-o, --output <format>', `output format; ${NAME}`, FORMATS);

/** `-o` of a list below `plan` and `import`, whose `--output` writes reports. */
export const shortFormatOption = (): Option =>
  formatChoice('-o <format>', `output format; ${NAME}; only in this short form`, FORMATS);

/** An option with a fixed set of formats; the first is the default. Suggests the nearest for an unknown one. */
export const formatChoice = (flags: string, description: string, formats: readonly string[]): Option =>
  new Option(flags, description)
    .choices(formats)
    .default(formats[0])
    .argParser((text) => {
      if (formats.includes(text)) return text;
      throw unknownFormat(text, formats);
    });

/** The error for an unknown format: suggests the nearest, and lists all. */
export function unknownFormat(text: string, formats: readonly string[]): InvalidArgumentError {
  const near = nearestHint(text, formats);
  const all = `The formats are ${formats.slice(0, -1).join(', ')} and ${formats.at(-1)}.`;
  return new InvalidArgumentError(near?.startsWith('Did') === true ? `${near} ${all}` : all);
}

/** The chosen format of a command; undefined if it has no option for formats. */
export function readFormatOption(command: Command): unknown {
  const option = command.options.find(({ argChoices }) => argChoices?.includes('json'));
  return option && command.getOptionValue(option.attributeName());
}
