import { type Argument, Command, type Option } from 'commander';
import type { ViewKind } from '../library/internal.js';
import type { ExitCode } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { readFormatOption } from './format-option.js';
import { chooseJsonForm } from './json-option.js';
import { type Many, meansMany, runInMany, whereOption } from './many-environments.js';
import { type Printer, printerFor } from './print-document.js';
import { hasReportOption, type ReportFlags, textBesideReport } from './report-option.js';
import { type RunContext, run } from './run.js';

/** Declares a command; its help, its completion and the reference derive from this. */
export interface CommandDefinition<
  Flags extends GlobalOptions = GlobalOptions,
  Args extends readonly unknown[] = readonly unknown[],
> {
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly arguments?: readonly Argument[];
  /** Each adds arguments or options that several commands share; they come before those of the command. */
  readonly shared?: readonly ((command: Command) => Command)[];
  readonly options?: readonly Option[];
  readonly subcommands?: readonly Command[];
  /** Text of the help before the examples. */
  readonly notes?: string;
  /** Command lines to copy. */
  readonly examples?: readonly string[];
  /** Reads the command line before the command runs. By default, the options of the command and of those above it. */
  readonly flags?: (command: Command) => Flags | Promise<Flags>;
  /** What the command shows while it runs. By default, what its `--json` implies. */
  readonly view?: (flags: Flags) => ViewKind;
  /** For a command that reads: how it runs in several environments. */
  readonly many?: Many<Flags>;
  /** Absent for a command that only groups others, or whose action needs no project. */
  readonly run?: (run: CommandRun<Flags>, ...args: Args) => Promise<ExitCode>;
}

/** One run of a command. */
export interface CommandRun<Flags extends GlobalOptions = GlobalOptions> extends RunContext, Printer {
  /** The process; its standard output is standard error if `--output` writes a report to standard output. */
  readonly cli: Cli;
  readonly flags: Flags;
  readonly command: Command;
}

/** Creates the command that the parser knows. */
export function defineCommand<Flags extends GlobalOptions, Args extends readonly unknown[]>(
  cli: Cli,
  definition: CommandDefinition<Flags, Args>,
): Command {
  const { name, summary, description, shared = [], options = [], subcommands = [], notes, examples } = definition;
  const command = new Command(name).summary(summary).description(description);
  for (const add of shared) add(command);
  for (const argument of definition.arguments ?? []) command.addArgument(argument);
  for (const option of options) command.addOption(option);
  for (const subcommand of subcommands) command.addCommand(subcommand);
  if (notes !== undefined) command.addHelpText('after', notes);
  if (examples !== undefined) command.addHelpText('after', examplesText(examples));
  const { run: work, flags: readFlags = flagsOf<Flags>, view = viewOf(command), many } = definition;
  if (many !== undefined) command.addOption(whereOption());
  if (work === undefined) return command;
  return command.action(async (...given: unknown[]) => {
    const args = given.slice(0, command.registeredArguments.length) as unknown as Args;
    const runWith = async (process: Cli, flags: Flags): Promise<void> => {
      const { shown, reports } = hasReportOption(command) ? reportsOf(process, command) : { shown: process };
      const own = { ...printerFor(shown, command, flags), cli: shown, flags, command };
      await run(shown, view(flags), flags, (context) => work({ ...context, ...own }, ...args), reports);
    };
    const flags = await readFlags(command);
    if (many === undefined || !meansMany(flags, cli.host.variables)) return runWith(cli, flags);
    const runIn = (process: Cli, environment: string): Promise<void> =>
      runWith(process, many.flags(flags, environment));
    return run(cli, 'findings', flags, (context) => runInMany({ ...context, cli, ...many }, flags, runIn));
  });
}

const examplesText = (lines: readonly string[]): string =>
  `\n${lines.length === 1 ? 'Example' : 'Examples'}:\n${lines.map((line) => `  ${line.replaceAll('\n', '\n  ')}`).join('\n')}`;

/** Sets `json` for `-o json` too. */
function flagsOf<Flags extends GlobalOptions>(command: Command): Flags {
  const flags = command.optsWithGlobals<Flags>();
  return readFormatOption(command) === 'json' ? { ...flags, json: true } : flags;
}

function reportsOf(cli: Cli, command: Command) {
  const flags = command.optsWithGlobals<ReportFlags>();
  const isOfFleet = command.parent?.name() === 'fleet';
  const subject = isOfFleet ? command.args[0] : undefined;
  const reports = { targets: flags.output, json: chooseJsonForm(command), subject };
  return { shown: textBesideReport(cli, flags), reports };
}

/** A command that works in steps shows them, as text or as JSON; one with a single result prints it at the end. */
const viewOf =
  (command: Command) =>
  ({ json }: GlobalOptions): ViewKind => {
    if (chooseJsonForm(command) === 'document') return 'findings';
    return json === true ? 'json' : 'human';
  };
