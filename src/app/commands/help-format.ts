import { type Argument, type Command, Help, type HelpConfiguration, type Option } from 'commander';

/** Descriptions stay next to their terms down to this width. */
const NARROWEST = 20;

const OWN = 'Options:';

/** How every command shows its help: commands by name alone, options in groups, those of `dexsync` below them. */
export const helpFormat: HelpConfiguration = {
  minWidthToWrap: NARROWEST,
  showGlobalOptions: true,
  subcommandTerm: (command) => command.name(),
  // Groups have the implicit command `help` too; one line of it is enough.
  visibleCommands: (command) => (command.parent === null ? new Help().visibleCommands(command) : [...command.commands]),
  visibleGlobalOptions: (command) =>
    command.parent === null ? [] : rootOf(command).options.filter(({ long }) => long !== '--version'),
  optionDescription: (option) => described(option, option.argChoices),
  argumentDescription: (argument) => described(argument, argument.argChoices),
  groupItems: ownFirst,
  styleTitle: (title) => (title === 'Global Options:' ? 'Global options:' : title),
};

const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));

/** With the choices and the default in brackets. */
function described({ description, defaultValue }: Option | Argument, choices: readonly string[] = []): string {
  const isDefault = typeof defaultValue === 'string';
  const facts = [
    ...(choices.length === 0 ? [] : [choices.join(', ')]),
    ...(isDefault ? [`default ${defaultValue}`] : []),
  ];
  return facts.length === 0 ? description : `${description} (${facts.join('; ')})`;
}

/** The options that only this command has stand above those that it shares with others. */
function ownFirst<T extends Command | Option>(all: T[], visible: T[], groupOf: (item: T) => string): Map<string, T[]> {
  const groups = [...new Help().groupItems(all, visible, groupOf)];
  return new Map([...groups.filter(([heading]) => heading === OWN), ...groups.filter(([heading]) => heading !== OWN)]);
}
