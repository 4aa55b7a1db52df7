import { Command } from 'commander';
import { acknowledge, adopt, destroy, EXIT, forget } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, nameConfirmation } from './confirm.js';
import { environmentWord } from './environment-word.js';
import { examples } from './examples.js';
import { allowOption } from './guard-flags.js';
import { eventsOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { wholeNumber } from './option-values.js';
import { goneOption, type PlanningFlags } from './planning-flags.js';
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
    .summary('adopt an existing object into this stack')
    .description(
      'Records that this stack owns an object that it did not create: from then on drift is reported, and --prune and ' +
        'replacements may affect it. Only the ledger changes. Terraform calls this import.',
    )
    .argument('<address>', 'KIND/NAME')
    .option('--number <n>', 'number of the object, if several have this name', wholeNumber(0))
    .option('--from <stack>', 'stack that owns the object now')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText(
      'after',
      examples('dexsync adopt UserGroup/Quality', 'dexsync adopt "ImportDefinition/ERP items" --number 7'),
    )
    .action(async (address: string, _: unknown, command: Command) => {
      const { json, number, from, ...options } = command.optsWithGlobals<AdoptFlags>();
      const which = { ...(number === undefined ? {} : { number }), ...(from === undefined ? {} : { from }) };
      await run(cli, json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { exitCode } = await adopt({ ...project, address, ...which }, host);
        return exitCode;
      });
    });

/** `dexsync acknowledge`: changes the ledger alone; nothing is sent. */
export const acknowledgeCommand = (cli: Cli): Command =>
  addManifestOptions(new Command('acknowledge'))
    .summary('record that a manual step was done')
    .description(
      'Records that someone did manual steps that the service cannot show, such as objects of a kind that it does not ' +
        'list. They count as done until their manifests change; `dexsync plan` shows who acknowledged them, when and why. ' +
        'Only the ledger changes. `dexsync forget` withdraws an acknowledgement.',
    )
    .argument('<address...>', 'KIND/NAME')
    .addOption(reasonOption('what was done, and why; `dexsync plan` shows it').makeOptionMandatory())
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync acknowledge Policy/Buyers --env prod --reason "CHG-7"'))
    .action(async (addresses: string[], _: unknown, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { readonly reason: string }>();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project }) => {
        const { exitCode } = await acknowledge({ ...project, addresses, reason: options.reason }, host);
        return exitCode;
      });
    });

/** `dexsync forget`: changes the ledger alone; nothing is sent. */
export const forgetCommand = (cli: Cli): Command =>
  new Command('forget')
    .summary('give up ownership of objects, and leave them unchanged')
    .description(
      'Records that this stack no longer owns the objects, and that what was acknowledged of them no longer counts. Only ' +
        'the ledger changes: the objects stay in the workspace as they are.',
    )
    .argument('<address...>', 'KIND/NAME')
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText('after', examples('dexsync forget UserGroup/Quality'))
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
    .summary('delete everything that this stack owns')
    .description(
      'Plans the deletion of everything that this stack created or adopted, shows the plan, and asks for the name of the ' +
        'workspace. Protected objects stay. This cannot be undone.',
    )
    .addArgument(environmentWord())
    .option('-y, --yes', 'do not ask for confirmation; needs --confirm')
    .option('--confirm <workspace>', 'name of the workspace, to confirm the deletion')
    .addOption(allowOption())
    .addOption(goneOption())
    .addOption(reasonOption())
    .addOption(eventsOption())
    .addHelpText(
      'after',
      examples('dexsync destroy --env dev', 'dexsync destroy --env dev --yes --confirm "Development"'),
    )
    .action(async (_: unknown, __: unknown, command: Command) => {
      const options = command.optsWithGlobals<
        GlobalOptions & ConfirmFlags & Pick<PlanningFlags, 'gone' | 'allow'> & { readonly confirm?: string }
      >();
      await run(cli, options.json === true ? 'json' : 'human', options, async ({ host, project, view }) => {
        const confirm = nameConfirmation(cli, { command: 'destroy', ask: 'Remove all of this from' }, options);
        const attended = options.yes === true ? 'no' : 'yes';
        const { gone = [], allow = [] } = options;
        const summary = await destroy({ ...project, gone, allow, attended, confirm: confirm(view) }, host);
        if (summary !== undefined) return summary.exitCode;
        cli.out.write('Nothing was removed.\n');
        return EXIT.incomplete;
      });
    });
