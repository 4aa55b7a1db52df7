import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';

/** Descriptions are wrapped if their column is at least this wide. */
const NARROWEST = 20;

const OWN = 'Options:';

/** The help of every command: only names of subcommands, options in groups, and those of `dexsync` at the end. */
export const helpFormat: HelpConfiguration = {
  minWidthToWrap: NARROWEST,
  showGlobalOptions: true,
  subcommandTerm: (command) => command.name(),
  // Commands with subcommands have an implicit `help`; only the root lists it.
  visibleCommands: (command) => (command.parent === null ? new Help().visibleCommands(command) : [...command.commands]),
  visibleGlobalOptions: (command) =>
    command.parent === null ? [] : rootOf(command).options.filter(({ long }) => long !== '--version'),
  optionDescription: (option) => withFacts(option, option.argChoices),
  argumentDescription: (argument) => withFacts(argument, argument.argChoices),
  groupItems: ownGroupFirst,
  styleTitle: (title) => (title === 'Global Options:' ? 'Global options:' : title),
};

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** Adds the choices and the default in brackets. */
function withFacts({ description, defaultValue }: Option | Argument, choices: readonly string[] = []): string {
  const isDefault = typeof defaultValue === 'string';
  const facts = [
    ...(choices.length === 0 ? [] : [choices.join(', ')]),
    ...(isDefault ? [`default ${defaultValue}`] : []),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

/** Puts the options of this command above the groups that it shares with others. */
function ownGroupFirst<T extends Command | Option>(
  all: T[],
  visible: T[],
  groupOf: (item: T) => string,
): Map<string, T[]> {
  const groups = [...new Help().groupItems(all, visible, groupOf)];
  return new Map([...groups.filter(([heading]) => heading === OWN), ...groups.filter(([heading]) => heading !== OWN)]);
}
