import {
  type Ask,
  type Confirmation,
  copiesRemovedUnasked,
  DexsyncError,
  type Host,
  type Plan,
  takenOverUnasked,
  texts,
  type View,
} from '../library/library.js';
import type { Cli } from './cli-context.js';

/** The options that decide whether somebody can be asked. */
export interface ConfirmFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  /** Manifests from standard input leave nobody to ask there. */
  readonly file?: readonly string[];
}

/** What is asked, and of which command. */
export interface Question {
  /** As it is typed, after `dexsync`. */
  readonly command: string;
  /** What the place follows: `Apply to`. */
  readonly ask: string;
}

/** Who confirms a plan: `--yes`, or a person at the terminal. Where nobody can, the command ends before anything is read. */
export function planConfirmation(cli: Cli, { command, ask }: Question, flags: ConfirmFlags): (view: View) => Ask<Plan> {
  const { yes } = flags;
  const obstacle = obstacleTo(cli, flags);
  if (yes !== true && obstacle !== undefined) throw notConfirmed(command, obstacle);
  return (view) =>
    async ({ steps }, place) => {
      if (yes === true) return true;
      await view.close();
      const { place: placeText } = await texts(cli.color);
      return isYes(cli, `${adoptionWarning(steps)}${copiesWarning(steps)}${ask} ${placeText(place)}?`);
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

/** What cannot be undone is confirmed by the name of the workspace, on the command line or at the terminal. */
export function nameConfirmation(
  cli: Cli,
  { command, ask }: Question,
  { yes, confirm, ...flags }: ConfirmFlags & { readonly confirm?: string },
): (view: View) => Ask<Plan> {
  const isGiven = yes === true && confirm !== undefined;
  const obstacle = obstacleTo(cli, flags);
  if (!isGiven && obstacle !== undefined) {
    throw new DexsyncError(
      'CONFIRMATION_NEEDED',
      `\`dexsync ${command}\` needs the name of the workspace as confirmation, but ${obstacle}.`,
      { hint: `Run \`dexsync ${command} --yes --confirm "NAME OF THE WORKSPACE"\`.` },
    );
  }
  return (view) =>
    async ({ workspace }, place) => {
      if (confirm !== undefined && confirm !== workspace.name && confirm !== workspace.id)
        throw wrongWorkspaceName(workspace.name, confirm);
      if (isGiven) return true;
      await view.close();
      const { place: placeText, prompt } = await texts(cli.color, cli.width);
      const question = `${ask} ${placeText(place)}? This cannot be undone.`;
      return (await cli.ask(`\n${prompt(question, 'Enter the name of the workspace:')}`)) === workspace.name;
    };
}

const wrongWorkspaceName = (name: string, given: string): DexsyncError =>
  new DexsyncError('USAGE', `The workspace is "${name}", but \`--confirm\` says "${given}".`, {
    hint: 'Check `--env`, then give `--confirm` the name of the workspace that you mean.',
  });

/** The same for a command that asks in production workspaces alone. `ask`: what the place follows. */
export function productionConfirmation<Asked>(
  cli: Cli,
  { yes, ...flags }: ConfirmFlags,
  view: View,
  ask: (asked: Asked) => string,
): Confirmation<Asked> {
  if (yes === true) return 'given';
  if (obstacleTo(cli, flags) !== undefined) return 'impossible';
  return async (asked, place) => {
    await view.close();
    const { place: placeText } = await texts(cli.color);
    return isYes(cli, `${ask(asked)} ${placeText(place)}, a production workspace?`);
  };
}

/** Who is asked whether a workspace had another address before; nothing where nobody can be. */
export function movedQuestion(cli: Cli, flags: ConfirmFlags, view: View): Pick<Host, 'askMoved'> {
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

/** What is asked before rows are sent to a production environment. */
export const sendingQuestion = (): string => 'Send these rows to';

/** Who confirms what is no plan: `--yes`, or a person at the terminal. */
export function yesConfirmation(
  cli: Cli,
  command: string,
  { yes, ...flags }: ConfirmFlags,
): (question: string) => Promise<boolean> {
  const obstacle = obstacleTo(cli, flags);
  if (yes !== true && obstacle !== undefined) throw notConfirmed(command, obstacle);
  return async (question) => yes === true || isYes(cli, question);
}

/** Why nobody can be asked; undefined where somebody can. */
function obstacleTo({ input }: Cli, { json, quiet, file: files = [] }: ConfirmFlags): string | undefined {
  if (json === true) return '`--json` asks nothing';
  if (quiet === true) return '`--quiet` hides what you would confirm';
  if (files.includes('-')) return 'standard input holds manifests';
  return input === 'none' ? 'there is no terminal to ask for it' : undefined;
}

const notConfirmed = (command: string, obstacle: string): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', `\`dexsync ${command}\` needs confirmation, but ${obstacle}.`, {
    hint: `${command === 'apply' ? 'Review `dexsync plan`, then run' : 'Run'} \`dexsync ${command} --yes\`.`,
  });
