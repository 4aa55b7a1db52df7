import { exec } from 'node:child_process';
import { promisify } from 'node:util';
import { DexsyncError } from '../errors.js';
import type { RemoteEnvironment } from './environment.js';

const COMMAND_TIMEOUT = 60_000;

/** The password, from the variable or from what the configured command prints. Held in memory only. */
export async function passwordOf({ name, password }: RemoteEnvironment): Promise<string> {
  if ('value' in password) return password.value;
  try {
    const { stdout } = await promisify(exec)(password.command, { timeout: COMMAND_TIMEOUT });
    const [line = ''] = stdout.split(/\r?\n/, 1);
    if (line !== '') return line;
  } catch (error) {
    const { code } = error as { code?: number };
    throw failedCommand(name, `ended with ${code === undefined ? 'a timeout' : `exit code ${code}`}`);
  }
  throw failedCommand(name, 'printed nothing');
}

const failedCommand = (name: string, how: string): DexsyncError =>
  new DexsyncError('CREDENTIALS_MISSING', `The \`passwordCommand\` of environment "${name}" ${how}.`, {
    hint: 'Run that command yourself; the first line that it prints must be the password.',
  });
