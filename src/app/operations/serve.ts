import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { EXIT, type ExitCode } from '#base/errors.js';
import { WORKSPACE_PROGRAM } from '#service/embedded.js';

/** Flags of the embedded program, passed on unchanged: it reports mistakes in them itself. */
export interface ServeOptions {
  readonly port?: string | undefined;
  readonly db?: string | undefined;
  readonly from?: string | undefined;
  readonly workspace?: readonly string[] | undefined;
  readonly workspaces?: string | undefined;
  readonly dialect?: string | undefined;
  readonly quota?: string | undefined;
  readonly password?: string | undefined;
  readonly faults?: string | undefined;
  readonly 'log-requests'?: boolean | undefined;
}

/**
 * Runs the embedded workspace in the foreground until it ends. Writes its ready line to `out`, and its messages to
 * standard error. If it never becomes ready, its flags are at fault, and the exit code is that of invalid input. The
 * signal stops it through its own signal handling.
 */
export function serve(
  options: ServeOptions,
  signal: AbortSignal,
  out: { write(text: string): void },
): Promise<ExitCode> {
  const args = Object.entries(options).flatMap(([flag, value]) => {
    if (value === true) return [`--${flag}`];
    return [value ?? []].flat().map((one) => `--${flag}=${one}`);
  });
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
