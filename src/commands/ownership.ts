import { Command } from 'commander';
import { adopt, destroy, EXIT, forget } from '../index.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, nameConfirmation } from './confirm.js';
import { wholeNumber } from './option-values.js';
import { reasonOption } from './reason-option.js';
import { run } from './run.js';

interface AdoptFlags extends GlobalOptions {
  readonly json?: boolean;
  readonly number?: number;
  readonly from?: string;
}

/** `dexsync adopt`: changes the ledger alone. */
export const adoptCommand = (cli: Cli): Command =>
  new Command('adopt')
    .summary('take an object of the workspace over into this stack')
    .description(
      'Records that this stack owns an object that it did not make: drift is told, and --prune and replacements may touch it. ' +
        'Only the ledger changes. Terraform calls this import.',
    )
    .argument('<address>', 'KIND/NAME')
    .option('--number <n>', 'the one that is meant, where several have the name', wholeNumber(0))
    .option('--from <stack>', 'the stack that owns it so far')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync adopt "UserGroup/Quality"\n  dexsync adopt "ImportDefinition/ERP items" --number 7',
    )
    .action(async (address: string, _: unknown, command: Command) => {
      const { json, number, from, ...options } = command.optsWithGlobals<AdoptFlags>();
      const which = { ...(number === undefined ? {} : { number }), ...(from === undefined ? {} : { from }) };
      await run(cli, json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { exitCode } = await adopt({ ...project, address, ...which }, host);
        return exitCode;
      });
    });

/** `dexsync forget`: changes the ledger alone; nothing is sent. */
export const forgetCommand = (cli: Cli): Command =>
  new Command('forget')
    .summary('give objects up; they stay in the workspace as they are')
    .description(
      'Records that this stack owns the objects no more. Only the ledger changes: nothing is deleted, and nothing is sent.',
    )
    .argument('<address...>', 'KIND/NAME')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .addHelpText('after', '\nExample:\n  dexsync forget "UserGroup/Quality"')
    .action(async (addresses: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly json?: boolean }>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { exitCode } = await forget({ ...project, addresses }, host);
        return exitCode;
      });
    });

/** `dexsync destroy`: removes all that the stack owns, confirmed by the name of the workspace. */
export const destroyCommand = (cli: Cli): Command =>
  new Command('destroy')
    .summary('remove everything that this stack owns')
    .description(
      'Plans the removal of everything that this stack made or adopted, shows it, and asks for the name of the workspace. ' +
        'What is protected stays. There is no undo.',
    )
    .option('-y, --yes', 'do not ask; needs --confirm')
    .option('--confirm <workspace>', 'the name of the workspace that is meant')
    .addOption(reasonOption())
    .option('--json', 'print one JSON event a line, the last one a summary')
    .addHelpText(
      'after',
      '\nExamples:\n  dexsync destroy --env dev\n  dexsync destroy --env dev --yes --confirm "Development"',
    )
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & ConfirmFlags & { readonly confirm?: string }>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = nameConfirmation(cli, { command: 'destroy', ask: 'Remove all of this from' }, options);
        const attended = options.yes === true ? 'no' : 'yes';
        const summary = await destroy({ ...project, attended, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was removed.\n');
        return EXIT.incomplete;
      });
    });
