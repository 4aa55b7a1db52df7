import { type Confirmation, DexsyncError, type Plan, takenOverUnasked, texts, type View } from '../index.js';
import type { Cli } from './cli-context.js';

/** The options that decide whether somebody can be asked. */
export interface ConfirmFlags {
  readonly yes?: boolean;
  readonly json?: boolean;
  /** Manifests from standard input leave nobody to ask there. */
  readonly file?: readonly string[];
}

/** Who confirms a plan: `--yes`, or a person at the terminal. Where nobody can, the command ends before anything is read. */
export function planConfirmation(
  cli: Cli,
  command: string,
  { yes, json, file }: ConfirmFlags,
): (plan: Plan, view: View) => Promise<boolean> {
  if (yes !== true && (cli.input === 'none' || json === true || file?.includes('-') === true))
    throw notConfirmed(command);
  return async ({ workspace, steps }, view) => {
    if (yes === true) return true;
    await view.close();
    const { line } = await texts(cli.color);
    return (
      (await cli.ask(
        `\n${takeOverWarning(steps)}Apply this plan to workspace "${line(workspace.name)}"? Only "yes" does. `,
      )) === 'yes'
    );
  };
}

function takeOverWarning(steps: Plan['steps']): string {
  const { length: count } = takenOverUnasked(steps);
  if (count === 0) return '';
  return count === 1
    ? '1 object that this stack did not make will be taken over.\n'
    : `${count} objects that this stack did not make will be taken over.\n`;
}

/** What cannot be undone is confirmed by the name of the workspace, on the command line or at the terminal. */
export function nameConfirmation(
  cli: Cli,
  command: string,
  { yes, json, confirm }: ConfirmFlags & { readonly confirm?: string },
): (plan: Plan, view: View) => Promise<boolean> {
  const isGiven = yes === true && confirm !== undefined;
  if (!isGiven && (cli.input === 'none' || json === true)) {
    throw new DexsyncError(
      'CONFIRMATION_NEEDED',
      `${command} asks for the name of the workspace, and there is no terminal to ask at.`,
      {
        hint: `\`dexsync ${command} --yes --confirm "NAME OF THE WORKSPACE"\` says it beforehand.`,
      },
    );
  }
  return async ({ workspace }, view) => {
    if (confirm !== undefined && confirm !== workspace.name && confirm !== workspace.id)
      throw wrongWorkspaceName(workspace.name, confirm);
    if (isGiven) return true;
    await view.close();
    const { line } = await texts(cli.color);
    const name = line(workspace.name);
    return (await cli.ask(`\nRemove all of this from workspace "${name}"? Only its name does: `)) === workspace.name;
  };
}

const wrongWorkspaceName = (name: string, given: string): DexsyncError =>
  new DexsyncError('USAGE', `The workspace is "${name}", and --confirm names "${given}".`, {
    hint: 'Look at --env, then name the workspace that is meant.',
  });

/** The same for a command that asks in production workspaces alone, by a question of its own. */
export function productionConfirmation<Asked>(
  cli: Cli,
  { yes, json }: ConfirmFlags,
  view: View,
  question: (asked: Asked) => string,
): Confirmation<Asked> {
  if (yes === true) return 'given';
  if (cli.input === 'none' || json === true) return 'impossible';
  return async (asked) => {
    await view.close();
    const { line } = await texts(cli.color);
    return (await cli.ask(`\n${line(question(asked))} Only "yes" does. `)) === 'yes';
  };
}

/** What is asked before rows are sent to a production environment. */
export const sendingQuestion = ({ workspace }: Plan): string =>
  `Send these rows to workspace "${workspace.name}", which is production?`;

/** The same for what is no plan: the question tells the count. */
export function countConfirmation(
  cli: Cli,
  command: string,
  { yes, json }: ConfirmFlags,
): (question: string) => Promise<boolean> {
  if (yes !== true && (cli.input === 'none' || json === true)) throw notConfirmed(command);
  return async (question) => yes === true || (await cli.ask(`${question} Only "yes" does. `)) === 'yes';
}

const notConfirmed = (command: string): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', `${command} asks before it writes, and there is no terminal to ask at.`, {
    hint: `Review ${command === 'apply' ? '`dexsync plan`' : 'what it would do'}, then run \`dexsync ${command} --yes\`.`,
  });
