import { Command } from 'commander';
import type { Output } from '../library/internal.js';
import { apiCommand } from './api.js';
import { applyCommand } from './apply.js';
import { blameCommand } from './blame.js';
import type { BareCli, Cli } from './cli-context.js';
import { completeCommand, completionCommand } from './completion.js';
import { describeCommand } from './describe.js';
import { diffCommand } from './diff.js';
import { driftCommand } from './drift.js';
import { envCommand } from './env.js';
import { takeEnvironmentWord } from './environment-word.js';
import { eventsCommand } from './events.js';
import { exportsCommand, extractsCommand } from './exchange.js';
import { fleetCommand } from './fleet.js';
import { fmtCommand } from './fmt.js';
import { getCommand } from './get.js';
import { helpFormat } from './help-format.js';
import { historyCommand } from './history.js';
import { importCommand } from './import.js';
import { initCommand } from './init.js';
import { explainCommand, kindsCommand } from './kinds.js';
import { ledgerCommand } from './ledger.js';
import { lockCommand } from './lock.js';
import { parsePatience, parseSeconds, singleValue } from './option-values.js';
import { orphansCommand } from './orphans.js';
import { outputCommand } from './output.js';
import { acknowledgeCommand, adoptCommand, destroyCommand, forgetCommand } from './ownership.js';
import { planCommand } from './plan.js';
import { promoteCommand } from './promote.js';
import { pullCommand } from './pull.js';
import { addQuietOption } from './quiet-option.js';
import { quotaCommand } from './quota.js';
import { safeCli } from './redacted-cli.js';
import { releaseCommand } from './release.js';
import { renderCommand } from './render.js';
import { reservationsCommand } from './reservations.js';
import { reviewCommand } from './reviews.js';
import { serveCommand } from './serve.js';
import { showCommand } from './show.js';
import { statusCommand } from './status.js';
import { CommandLineEnd, endCommandLine, fullName } from './usage-error.js';
import { validateCommand } from './validate.js';
import { watchCommand } from './watch.js';
import { workspaceCommand } from './workspace.js';

const AFTER_HELP = `
Exit codes:
  0    done, or nothing to do
  1    unexpected failure: network, disk, service
  2    differences found: drift, diff, fmt --check, plan --detailed-exitcode;
       something changed: apply --detailed-exitcode
  3    configuration, manifests or command line invalid
  4    blocked, or not everything was done
  5    saved plan stale, altered, rejected or already applied
  6    login or permission refused
  7    locked by another dexsync
  8    rows of an import failed
  130  interrupted

JSON output:
  --json prints one JSON document or one JSON event per line, as the help of
  each command says. Errors are JSON as well: a document with "error" and
  "diagnostics", or an event with "type": "error" before the summary.

Examples:
  dexsync init && dexsync plan
  dexsync apply --env prod
  dexsync import parts.xlsx --definition "ERP item specs"`;

/** Runs one command line; `args` follow the name of the program. Writes and exits only through `cli`. */
export async function execute(cli: BareCli, args: readonly string[]): Promise<void> {
  const { safe, flush } = safeCli(cli);
  try {
    await createProgram(safe, cli.out).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommandLineEnd)) throw error;
    await endCommandLine(safe, error, args);
  } finally {
    flush();
  }
}

/** Commands in the groups and the order of the help. */
const GROUPS: Readonly<Record<string, readonly ((cli: Cli) => Command)[]>> = {
  'Configuration:': [
    initCommand,
    pullCommand,
    validateCommand,
    fmtCommand,
    renderCommand,
    planCommand,
    applyCommand,
    showCommand,
    driftCommand,
    diffCommand,
    releaseCommand,
    promoteCommand,
    watchCommand,
    fleetCommand,
    destroyCommand,
  ],
  'Ownership:': [adoptCommand, acknowledgeCommand, forgetCommand, orphansCommand],
  'Bulk data:': [importCommand, exportsCommand, extractsCommand, eventsCommand],
  'Workspace:': [
    getCommand,
    describeCommand,
    outputCommand,
    reservationsCommand,
    apiCommand,
    envCommand,
    quotaCommand,
    workspaceCommand,
  ],
  'Team:': [statusCommand, serveCommand, historyCommand, blameCommand, reviewCommand, ledgerCommand, lockCommand],
  'Reference:': [kindsCommand, explainCommand, completionCommand],
};

/** Creates all commands, with their options and help; `bare` is standard output for the one that prints a password. */
export function createProgram(cli: Cli, bare: Output = cli.out): Command {
  const root = rootCommand(cli);
  for (const [heading, commands] of Object.entries(GROUPS)) {
    root.commandsGroup(heading);
    for (const commandFor of commands)
      root.addCommand(commandFor === workspaceCommand ? workspaceCommand(cli, bare) : commandFor(cli));
  }
  root.addCommand(completeCommand(cli), { hidden: true });
  root.helpCommand('help [command]', 'show help');
  for (const command of everyCommand(root)) {
    if (command !== root) addQuietOption(command);
    setUp(command, cli);
  }
  return root;
}

function setUp(command: Command, { out, err, width = PIPE_WIDTH }: Cli): void {
  command
    .exitOverride((reason) => {
      throw new CommandLineEnd(command, reason);
    })
    .configureOutput({
      writeOut: (text) => void out.write(text),
      writeErr: (text) => void err.write(text),
      outputError: () => undefined,
      getOutHelpWidth: () => width,
      getErrHelpWidth: () => width,
    })
    .configureHelp(helpFormat)
    .showSuggestionAfterError(true)
    .helpOption('-h, --help', 'show help');
}

/** Columns of help outside a terminal. */
const PIPE_WIDTH = 80;

/** Creates the root command, whose options every command has. */
function rootCommand(cli: Cli): Command {
  return new Command('dexsync')
    .description(
      'Manages the configuration of a product-data (PLM) workspace as code, and its bulk imports, in one plan.',
    )
    .version(cli.host.version, '--version', 'print the version')
    .option('--config <file>', 'path of sync.config.yaml (default: searched upwards)')
    .option('--env <name>', 'environment (default: DEXSYNC_ENV, or as configured)', singleValue)
    .option(
      '--timeout <seconds>',
      'seconds that a request with its retries may take, or a file transfer may be idle (default 120)',
      parseSeconds,
    )
    .option(
      '--wait [seconds]',
      'wait for another dexsync that uses the environment, at most this long (default: no limit)',
      parsePatience,
    )
    .option('--wait-for-quota', 'wait for the reset when the daily quota is used up')
    .option(
      '--moved-from <url>',
      'address that the workspace had before, or `none` (asked once at a terminal)',
      singleValue,
    )
    .option('--trust', 'run the modules that `kinds` in sync.config.yaml lists (also: DEXSYNC_TRUST=yes)')
    .option('--trace', 'show requests and answers on stderr, without secrets')
    .option('--no-color', 'print no colours (also: NO_COLOR, or no terminal)')
    .addHelpText('after', AFTER_HELP)
    .hook('preAction', (_, command) => {
      refuseOptionsAbove(command);
      takeEnvironmentWord(command);
      command.setOptionValue('command', fullName(command));
    });
}

/** Refuses options of a parent such as `import` that the subcommand would ignore. Those of `dexsync` apply to all. */
function refuseOptionsAbove(command: Command): void {
  const own = new Set(command.options.map((option) => option.attributeName()));
  for (let above = command.parent; above?.parent; above = above.parent) {
    for (const option of above.options) {
      const name = option.attributeName();
      if (own.has(name) || above.getOptionValueSource(name) !== 'cli') continue;
      const flag = option.long ?? option.short ?? name;
      command.error(`\`${fullName(command)}\` has no option ${flag}; \`${fullName(above)}\` has.`);
    }
  }
}

const everyCommand = (root: Command): Command[] => [root, ...root.commands.flatMap(everyCommand)];
