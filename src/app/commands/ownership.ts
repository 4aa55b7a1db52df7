import { type Command, createArgument, createOption } from 'commander';
import { acknowledge, adopt, destroy, forget } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';
import { type ConfirmFlags, nameConfirmation, yesOption } from './confirm.js';
import { type CommandRun, defineCommand } from './define-command.js';
import { environmentWord } from './environment-word.js';
import { allowOption } from './guard-flags.js';
import { eventsOption } from './json-option.js';
import { addManifestOptions } from './manifest-options.js';
import { pickGiven, wholeNumber } from './option-values.js';
import { goneOption, type PlanningFlags } from './planning-flags.js';
import { reasonOption } from './reason-option.js';

interface AdoptFlags extends GlobalOptions {
  readonly number?: number;
  readonly from?: string;
}

/** `dexsync adopt`: changes only the ledger. */
export const adoptCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'adopt',
    summary: 'adopt an existing object into this stack',
    description:
      'Records that this stack owns an object that it did not create: from then on drift is reported, and --prune and ' +
      'replacements may affect it. Only the ledger changes. Terraform calls this import.',
    arguments: [createArgument('<address>', 'KIND/NAME')],
    options: [
      createOption('--number <n>', 'number of the object, if several have this name').argParser(wholeNumber(0)),
      createOption('--from <stack>', 'stack that owns the object now'),
      reasonOption(),
      eventsOption(),
    ],
    examples: ['dexsync adopt UserGroup/Quality', 'dexsync adopt "ImportDefinition/ERP items" --number 7'],
    run: async ({ flags, host, project }: CommandRun<AdoptFlags>, address: string) =>
      (await adopt({ ...project, address, ...pickGiven(flags, 'number', 'from') }, host)).exitCode,
  });

type AcknowledgeFlags = GlobalOptions & { readonly reason: string };

/** `dexsync acknowledge`: changes only the ledger; nothing is sent. */
export const acknowledgeCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'acknowledge',
    summary: 'record that a manual step was done',
    description:
      'Records that someone did manual steps that the service cannot show, such as objects of a kind that it does not ' +
      'list. They count as done until their manifests change; `dexsync plan` shows who acknowledged them, when and why. ' +
      'Only the ledger changes. `dexsync forget` withdraws an acknowledgement.',
    arguments: [createArgument('<address...>', 'KIND/NAME')],
    shared: [addManifestOptions],
    options: [reasonOption('what was done, and why; `dexsync plan` shows it').makeOptionMandatory(), eventsOption()],
    examples: ['dexsync acknowledge Policy/Buyers --env prod --reason "CHG-7"'],
    run: async ({ flags: { reason }, host, project }: CommandRun<AcknowledgeFlags>, addresses: string[]) =>
      (await acknowledge({ ...project, addresses, reason }, host)).exitCode,
  });

/** `dexsync forget`: changes only the ledger; nothing is sent. */
export const forgetCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'forget',
    summary: 'give up ownership of objects, and leave them unchanged',
    description:
      'Records that this stack no longer owns the objects, and that what was acknowledged of them no longer counts. Only ' +
      'the ledger changes: the objects stay in the workspace as they are.',
    arguments: [createArgument('<address...>', 'KIND/NAME')],
    options: [reasonOption(), eventsOption()],
    examples: ['dexsync forget UserGroup/Quality'],
    run: async ({ host, project }, addresses: string[]) => (await forget({ ...project, addresses }, host)).exitCode,
  });

type DestroyFlags = ConfirmFlags & Pick<PlanningFlags, 'gone' | 'allow'> & { readonly confirm?: string };

/** `dexsync destroy`: removes everything that the stack owns, confirmed by the name of the workspace. */
export const destroyCommand = (cli: Cli): Command =>
  defineCommand(cli, {
    name: 'destroy',
    summary: 'delete everything that this stack owns',
    description:
      'Plans the deletion of everything that this stack created or adopted, shows the plan, and asks for the name of the ' +
      'workspace. Protected objects stay. This cannot be undone.',
    arguments: [environmentWord()],
    options: [
      yesOption('do not ask for confirmation; needs --confirm'),
      createOption('--confirm <workspace>', 'name of the workspace, to confirm the deletion'),
      allowOption(),
      goneOption(),
      reasonOption(),
      eventsOption(),
    ],
    examples: ['dexsync destroy --env dev', 'dexsync destroy --env dev --yes --confirm "Development"'],
    run: async (run: CommandRun<DestroyFlags>) => {
      const { gone = [], allow = [], yes } = run.flags;
      const confirm = nameConfirmation(run, { command: 'destroy', ask: 'Remove all of this from' });
      const attended = yes !== true;
      const summary = await destroy({ ...run.project, gone, allow, attended, confirm }, run.host);
      return run.finish(summary, 'Nothing was removed.');
    },
  });
