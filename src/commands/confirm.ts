import { DexsyncError, type Plan, texts, type View } from '../index.js';
import type { Cli } from './cli-context.js';

export interface Asking {
  readonly yes?: boolean;
  readonly json?: boolean;
  /** Manifests from standard input leave nobody to ask there. */
  readonly file?: readonly string[];
}

/** Who confirms a plan: `--yes`, or a person at the terminal. Where nobody can, the command ends before anything is read. */
export function confirmation(
  cli: Cli,
  command: string,
  { yes, json, file }: Asking,
): (plan: Plan, view: View) => Promise<boolean> {
  if (yes !== true && (cli.input === 'none' || json === true || file?.includes('-') === true))
    throw notConfirmed(command);
  return async ({ workspace }, view) => {
    if (yes === true) return true;
    await view.close();
    const { line } = await texts(cli.color);
    return (await cli.ask(`\nApply this plan to workspace "${line(workspace.name)}"? Only "yes" does. `)) === 'yes';
  };
}

/** The same for what is no plan: the question tells the count. */
export function countConfirmation(
  cli: Cli,
  command: string,
  { yes, json }: Asking,
): (question: string) => Promise<boolean> {
  if (yes !== true && (cli.input === 'none' || json === true)) throw notConfirmed(command);
  return async (question) => yes === true || (await cli.ask(`${question} Only "yes" does. `)) === 'yes';
}

const notConfirmed = (command: string): DexsyncError =>
  new DexsyncError('CONFIRMATION_NEEDED', `${command} asks before it writes, and there is no terminal to ask at.`, {
    hint: `Review ${command === 'apply' ? '`dexsync plan`' : 'what it would do'}, then run \`dexsync ${command} --yes\`.`,
  });
