import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { DexsyncError } from '#base/errors.js';
import type { Variables } from '../host.js';
import type { RemoteEnvironment } from './environment.js';

/** Milliseconds: the limit, and the time after which a person wonders. */
const COMMAND_TIMEOUT = 60_000;
const LONG = 1000;

/** The wait for the command: `onWait` gets the limit in seconds once it takes long. */
export interface PasswordWait {
  readonly signal: AbortSignal;
  readonly onWait: (seconds: number) => void;
  readonly variables: Variables;
}

/** The password, from the variable or the output of the configured command, which finds the cells of its row in variables. Kept in
 * memory only. */
export async function readPassword({ name, password }: RemoteEnvironment, wait: PasswordWait): Promise<string> {
  if ('value' in password) return password.value;
  // Cells are data: in the text of the command a shell would run them.
  const env = password.row === undefined ? {} : { env: { ...wait.variables, ...password.row.cells } };
  return printedBy({ command: password.command, name: `\`passwordCommand\` of environment "${name}"`, ...env }, wait);
}

/** A configured command that prints a secret, and its name in messages. */
export interface SecretCommand {
  readonly command: string;
  readonly name: string;
  readonly env?: NodeJS.ProcessEnv;
}

/** The first line that a command prints. Throws CREDENTIALS_MISSING and INTERRUPTED. */
export async function printedBy(
  { command, name, ...env }: SecretCommand,
  { signal, onWait }: Omit<PasswordWait, 'variables'>,
): Promise<string> {
  const watch = setTimeout(() => onWait(COMMAND_TIMEOUT / 1000), LONG);
  try {
    const { stdout } = await promisify(exec)(command, { timeout: COMMAND_TIMEOUT, signal, ...env });
    const [line = ''] = stdout.split(/\r?\n/, 1);
    if (line !== '') return line;
  } catch (error) {
    if (signal.aborted) throw new DexsyncError('INTERRUPTED', `Interrupted while waiting for the ${name}.`);
    const { code } = error as { code?: number };
    throw failedCommand(name, `ended with ${code === undefined ? 'a timeout' : `exit code ${code}`}`);
  } finally {
    clearTimeout(watch);
  }
  throw failedCommand(name, 'printed nothing');
}

const failedCommand = (name: string, how: string): DexsyncError =>
  new DexsyncError('CREDENTIALS_MISSING', `The ${name} ${how}.`, {
    hint: 'Run that command yourself; the first line that it prints must be the password.',
  });
