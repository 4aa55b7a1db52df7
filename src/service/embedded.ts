import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { DexsyncError } from '../errors.js';
import { makeFolder } from '../make-folder.js';

/** What the embedded workspace prints when it is ready (design, section 2). */
export interface ReadyLine {
  readonly url: string;
  readonly dialect: string;
  readonly workspaceId: number | string;
  readonly email: string;
  readonly password: string;
}

export interface EmbeddedWorkspace extends ReadyLine {
  stop(): Promise<void>;
}

/** The program of the embedded workspace. It is a process of its own: SQLite must not block the client. */
export const WORKSPACE_PROGRAM = fileURLToPath(new URL('../workspace/main.js', import.meta.url));

/**
 * Starts the embedded workspace on a database file. It ends with its parent, however that ends; it does not share
 * the terminal's process group, so that Ctrl-C reaches dexsync alone and what is in flight can finish.
 */
export async function startEmbedded(database: string, dialect: string): Promise<EmbeddedWorkspace> {
  await makeFolder(dirname(database));
  const child = spawn(process.execPath, [WORKSPACE_PROGRAM, '--db', database, '--port', '0', '--dialect', dialect], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const { stdout, stderr } = child;
  let complaints = '';
  stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  const firstLine = new Promise<string>((found) => {
    if (stdout !== null) createInterface({ input: stdout }).once('line', found);
  });
  const line = await Promise.race([firstLine, ended]);
  if (typeof line !== 'string') {
    const said = complaints.trim();
    throw new DexsyncError(
      'EMBEDDED_FAILED',
      `The embedded workspace on ${database} did not start${said === '' ? '' : `: ${said}`}`,
      {
        hint: 'If another dexsync uses it right now, wait for it. A copy of the file can be inspected with sqlite3.',
      },
    );
  }
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
  };
  return { ...(JSON.parse(line) as ReadyLine), stop };
}
