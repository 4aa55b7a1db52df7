import { Command, CommanderError } from 'commander';
import { EXIT } from '../index.js';
import { apiCommand } from './api.js';
import { applyCommand } from './apply.js';
import type { Cli } from './cli-context.js';
import { describeCommand } from './describe.js';
import { driftCommand } from './drift.js';
import { envCommand } from './env.js';
import { eventsCommand } from './events.js';
import { exportsCommand, extractsCommand } from './exchange.js';
import { fmtCommand } from './fmt.js';
import { getCommand } from './get.js';
import { historyCommand } from './history.js';
import { importCommand } from './import.js';
import { initCommand } from './init.js';
import { explainCommand, kindsCommand } from './kinds.js';
import { lockCommand } from './lock.js';
import { parsePatience, parseSeconds } from './option-values.js';
import { orphansCommand } from './orphans.js';
import { outputCommand } from './output.js';
import { adoptCommand, destroyCommand, forgetCommand } from './ownership.js';
import { planCommand } from './plan.js';
import { quotaCommand } from './quota.js';
import { reservationsCommand } from './reservations.js';
import { showCommand } from './show.js';
import { validateCommand } from './validate.js';
import { workspaceCommand } from './workspace.js';

const EXIT_CODES = `
Exit codes:
  0 done or nothing to do        5 plan stale or already applied
  1 unexpected failure           6 login or permission
  2 differences found            7 locked by another
  3 config or manifests invalid  8 import rows failed
  4 blocked, or not all done     130 interrupted

Examples:
  dexsync init && dexsync plan
  dexsync apply --env prod
  dexsync import parts.xlsx --definition "ERP item specs"`;

/** Runs one command line, of what follows the name of the program. It writes and exits through `cli` alone. */
export async function execute(cli: Cli, args: readonly string[]): Promise<void> {
  try {
    await program(cli).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    cli.exit(error.exitCode === 0 ? EXIT.done : EXIT.invalid);
  }
}

/** In the order in which the help lists them. */
const COMMANDS: readonly ((cli: Cli) => Command)[] = [
  initCommand,
  validateCommand,
  fmtCommand,
  planCommand,
  applyCommand,
  showCommand,
  driftCommand,
  adoptCommand,
  forgetCommand,
  orphansCommand,
  destroyCommand,
  importCommand,
  exportsCommand,
  extractsCommand,
  eventsCommand,
  getCommand,
  describeCommand,
  historyCommand,
  outputCommand,
  quotaCommand,
  envCommand,
  reservationsCommand,
  lockCommand,
  apiCommand,
  kindsCommand,
  explainCommand,
  workspaceCommand,
];

/** The table of all commands and their options. */
export function program(cli: Cli): Command {
  const root = rootCommand(cli);
  for (const commandFor of COMMANDS) root.addCommand(commandFor(cli));

  const output = {
    writeOut: (text: string) => void cli.out.write(text),
    writeErr: (text: string) => void cli.err.write(text),
  };
  for (const command of everyCommand(root)) {
    command.exitOverride().configureOutput(output).showSuggestionAfterError(true);
    command.helpOption('-h, --help', 'show help');
  }
  return root.helpCommand('help [command]', 'show help');
}

/** The options of every command. */
function rootCommand(cli: Cli): Command {
  return new Command('dexsync')
    .description('The configuration of a product-data workspace as code, and its bulk imports, in one plan.')
    .version(cli.host.version, '--version', 'print the version')
    .option('--config <file>', 'sync.config.yaml; searched from here upwards by default')
    .option('--env <name>', 'environment; DEXSYNC_ENV and the configuration give the default')
    .option(
      '--timeout <seconds>',
      'how long a request may take, its pauses and repeats included; of files: to begin or go on (default 120)',
      parseSeconds,
    )
    .option('--wait [seconds]', 'wait for another dexsync that uses the environment, so long at most', parsePatience)
    .option(
      '--wait-for-quota',
      'where the requests of the day come to an end, wait for the next ones instead of stopping',
    )
    .option('--trace', 'write every request and answer to standard error, without secrets')
    .option('--no-color', 'no colours (also NO_COLOR, and where there is no terminal)')
    .addHelpText('after', EXIT_CODES)
    .hook('preAction', (_, command) => {
      refuseOptionsAbove(command);
      command.setOptionValue('command', fullName(command));
    });
}

/** A command that has commands below it, as `import` has, would take options that those ignore. Those of `dexsync` are for all. */
function refuseOptionsAbove(command: Command): void {
  const own = new Set(command.options.map((option) => option.attributeName()));
  for (let above = command.parent; above?.parent; above = above.parent) {
    for (const option of above.options) {
      const name = option.attributeName();
      if (own.has(name) || above.getOptionValueSource(name) !== 'cli') continue;
      const flag = option.long ?? option.short ?? name;
      command.error(`error: \`${fullName(command)}\` has no option ${flag}; \`${fullName(above)}\` has.`);
    }
  }
}

/** As it is typed, such as `dexsync events list`. */
const fullName = (command: Command): string =>
  command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;

const everyCommand = (root: Command): Command[] => [root, ...root.commands.flatMap(everyCommand)];
