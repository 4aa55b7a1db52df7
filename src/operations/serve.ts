import { type ChildProcess, spawn } from 'node:child_process';
import { WORKSPACE_PROGRAM } from '../service/embedded.js';

export interface ServeOptions {
  readonly port?: string;
  readonly database?: string;
}

/**
 * Runs the embedded workspace in the foreground until it ends, and gives its exit code. It writes its ready line and
 * its complaints itself. It is told to stop through its own signal handling.
 */
export function serve({ port, database }: ServeOptions, signal: AbortSignal): Promise<number> {
  const args = [...(port === undefined ? [] : ['--port', port]), ...(database === undefined ? [] : ['--db', database])];
  const child: ChildProcess = spawn(process.execPath, [WORKSPACE_PROGRAM, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  });
  signal.addEventListener('abort', () => child.kill('SIGTERM'));
  return new Promise((done, failed) => {
    child.once('error', failed);
    child.once('close', (code) => done(code ?? 0));
  });
}
