import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EXIT, type ExitCode } from '#base/errors.js';
import { WORKSPACE_PROGRAM } from '#service/embedded.js';

/** Flags of the embedded program, passed on as they were written: it judges them in its own words. */
export interface ServeOptions {
  readonly port?: string | undefined;
  readonly db?: string | undefined;
  readonly dialect?: string | undefined;
  readonly quota?: string | undefined;
  readonly password?: string | undefined;
  readonly faults?: string | undefined;
}

/**
 * Runs the embedded workspace in the foreground until it ends. Its ready line goes to `out`, its complaints to standard
 * error. What keeps it from becoming ready lies in its flags, and counts as invalid. It is told to stop through its own
 * signal handling.
 */
export function serve(
  options: ServeOptions,
  signal: AbortSignal,
  out: { write(text: string): void },
): Promise<ExitCode> {
  const args = Object.entries(options).flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}=${value}`]));
  const child: ChildProcess = spawn(process.execPath, [WORKSPACE_PROGRAM, ...args], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    detached: true,
  });
  let ready = false;
  if (child.stdout !== null) {
    createInterface({ input: child.stdout }).on('line', (line) => {
      ready = true;
      out.write(`${line}\n`);
    });
  }
  signal.addEventListener('abort', () => child.kill('SIGTERM'));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done(code === 0 || code === null ? EXIT.done : ready ? EXIT.failed : EXIT.invalid));
  });
}
