import { createOption, type Option } from 'commander';
import { copiesRemovedUnasked, takenOverUnasked, texts, type View } from '../library/internal.js';
import { type Ask, type Confirmation, DexsyncError, type Host, type Plan } from '../library/library.js';
import type { Cli, GlobalOptions } from './cli-context.js';

/** Flags of a command that may ask; `--json`, `--quiet` and manifests from standard input leave nobody to ask. */
export interface ConfirmFlags extends GlobalOptions {
  readonly yes?: boolean;
}

/** `--yes` of a command that asks everywhere. */
export const yesOption = (description = 'do not ask for confirmation'): Option =>
  createOption('-y, --yes', description);

/** `--yes` of a command that asks only in production environments. */
export const productionYesOption = (): Option => yesOption('do not ask for confirmation in a production environment');

/** What a question needs of the run of a command. */
interface QuestionContext<Flags = ConfirmFlags> {
  readonly cli: Cli;
  readonly flags: Flags;
  readonly view: View;
}

interface Question {
  /** The command as it is typed, after `dexsync`. */
  readonly command: string;
  /** The question before the name of the place: `Apply to`. */
  readonly ask: string;
}

/** Has a plan confirmed, by `--yes` or at the terminal. Throws CONFIRMATION_NEEDED at once if neither is possible. */
export function planConfirmation({ cli, flags, view }: QuestionContext, { command, ask }: Question): Ask<Plan> {
  const confirmed = yesConfirmation({ cli, flags }, command);
  return async ({ steps }, place) => {
    if (flags.yes === true) return true;
    await view.close();
    const { place: placeText } = await texts(cli.color);
    return confirmed(`${adoptionWarning(steps)}${copiesWarning(steps)}${ask} ${placeText(place)}?`);
  };
}

function adoptionWarning(steps: Plan['steps']): string {
  const { length: count } = takenOverUnasked(steps);
  if (count === 0) return '';
  return count === 1
    ? 'This stack will adopt or change 1 object that it did not create.\n'
    : `This stack will adopt or change ${count} objects that it did not create.\n`;
}

function copiesWarning(steps: Plan['steps']): string {
  const { length: count } = copiesRemovedUnasked(steps);
  if (count === 0) return '';
  return `This also removes ${count === 1 ? '1 unused copy' : `${count} unused copies`} that a repeated request created.\n`;
}

/** Whether a person answers with yes. */
export async function isYes(cli: Cli, question: string): Promise<boolean> {
  const { prompt } = await texts(cli.color, cli.width);
  return (await cli.ask(`\n${prompt(question, 'Only "yes" is accepted:')}`)) === 'yes';
}

/** Has a plan that cannot be undone confirmed by the name of the workspace, on the command line or at the terminal. */
export function nameConfirmation(
  { cli, flags, view }: QuestionContext<ConfirmFlags & { readonly confirm?: string }>,
  { command, ask }: Question,
): Ask<Plan> {
  const { yes, confirm } = flags;
  const isGiven = yes === true && confirm !== undefined;
  const obstacle = obstacleTo(cli, flags);
  if (!isGiven && obstacle !== undefined) {
    throw new DexsyncError(
      'CONFIRMATION_NEEDED',
      `\`dexsync ${command}\` needs the name of the workspace as confirmation, but ${obstacle}.`,
      { hint: `Run \`dexsync ${command} --yes --confirm "NAME OF THE WORKSPACE"\`.` },
    );
  }
  return async ({ workspace }, place) => {
    if (confirm !== undefined && confirm !== workspace.name && confirm !== workspace.id)
      throw wrongWorkspaceError(workspace.name, confirm);
    if (isGiven) return true;
    await view.close();
    const { place: placeText, prompt } = await texts(cli.color, cli.width);
    const question = `${ask} ${placeText(place)}? This cannot be undone.`;
    return (await cli.ask(`\n${prompt(question, 'Enter the name of the workspace:')}`)) === workspace.name;
  };
}

const wrongWorkspaceError = (name: string, given: string): DexsyncError =>
  new DexsyncError('USAGE', `The workspace is "${name}", but \`--confirm\` says "${given}".`, {
    hint: 'Check `--env`, then give `--confirm` the name of the workspace that you mean.',
  });

/** The confirmation of a command that asks only in production. `ask`: the question before the name of the place. */
export const productionConfirmation = <Asked>(
  context: QuestionContext,
  ask: (asked: Asked) => string,
): Confirmation<Asked> => confirmation(context, (asked, place) => `${ask(asked)} ${place}, a production workspace?`);

/** The confirmation of rows to send. Without it nobody is asked outside production. */
export const sendingConfirmation = (context: QuestionContext): Confirmation<Plan> =>
  confirmation(context, (_plan, place) => `Send these rows to ${place}?`);

function confirmation<Asked>(
  { cli, flags, view }: QuestionContext,
  question: (asked: Asked, place: string) => string,
): Confirmation<Asked> {
  if (flags.yes === true) return 'given';
  if (obstacleTo(cli, flags) !== undefined) return 'impossible';
  return async (asked, place) => {
    await view.close();
    const { place: placeText } = await texts(cli.color);
    return isYes(cli, question(asked, placeText(place)));
  };
}

/** Asks whether a workspace had another address before; empty if nobody can be asked. */
export function movedQuestion({ cli, flags, view }: QuestionContext<GlobalOptions>): Pick<Host, 'askMoved'> {
  if (obstacleTo(cli, flags) !== undefined) return {};
  return {
    askMoved: async ({ environment, workspace, from, to }) => {
      await view.close();
      const question =
        `Environment ${environment} has workspace "${workspace}" at ${to}, and the ledger knows it at ${from}. ` +
        'If its address changed, what is owned, protected and imported holds as before.\nWas it moved from there?';
      return isYes(cli, question);
    },
  };
}

/** Has something other than a plan confirmed, as `planConfirmation` does. */
export function yesConfirmation(
  { cli, flags }: Omit<QuestionContext, 'view'>,
  command: string,
): (question: string) => Promise<boolean> {
  const obstacle = obstacleTo(cli, flags);
  if (flags.yes !== true && obstacle !== undefined) throw confirmationNeeded(command, obstacle);
  return async (question) => flags.yes === true || isYes(cli, question);
}

/** Why nobody can be asked; undefined if somebody can. */
function obstacleTo({ input }: Cli, { json, quiet, file: files = [] }: GlobalOptions): string | undefined {
  if (json === true) return '`--json` asks nothing';
  if (quiet === true) return '`--quiet` hides what you would confirm';
  if (files.includes('-')) return 'standard input holds manifests';
  return input === 'none' ? 'there is no terminal to ask for it' : undefined;
}

const confirmationNeeded = (command: string, obstacle: string): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', `\`dexsync ${command}\` needs confirmation, but ${obstacle}.`, {
    hint: `${command === 'apply' ? 'Review `dexsync plan`, then run' : 'Run'} \`dexsync ${command} --yes\`.`,
  });
