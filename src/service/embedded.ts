import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DexsyncError } from '#base/errors.js';
import { makeFolder } from '#base/files/make-folder.js';

/** The line that the embedded workspace prints when it is ready (design, section 2). */
export interface ReadyLine {
  readonly url: string;
  readonly dialect: string;
  readonly workspaceId: number | string;
  readonly email: string;
  readonly password: string;
}

/** A running embedded workspace; `stop` returns when its process has ended. */
export interface EmbeddedWorkspace extends ReadyLine {
  stop(): Promise<void>;
}

/**
 * The program of the embedded workspace: a process of its own, since SQLite must not block the client. The path is the
 * same from `dist/service` and `bundle/chunks`.
 */
export const WORKSPACE_PROGRAM = fileURLToPath(new URL('../../bundle/emulator/main.js', import.meta.url));

/** The database to open, and how long to wait for other processes that have it open. */
export interface EmbeddedOptions {
  readonly database: string;
  readonly profile: string;
  /** Milliseconds to wait for another process that has the database open. */
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Called each time the database was in use; may throw, or wait. */
  readonly mayGoOn: () => Promise<void>;
}

const TRY_EVERY = 200;

/**
 * Starts the embedded workspace on a database file, which only one process can have open: commands that only read take
 * turns, and the process of a killed command ends within moments. It ends with its parent, however that ends. It does
 * not share the terminal's process group, so that Ctrl-C reaches dexsync alone and requests in flight can finish.
 * Throws LOCKED, EMBEDDED_FAILED and INTERRUPTED.
 */
export async function startEmbedded({
  database,
  profile,
  patience,
  signal,
  mayGoOn,
}: EmbeddedOptions): Promise<EmbeddedWorkspace> {
  await makeFolder(dirname(database), 0o700);
  const until = performance.now() + patience;
  for (;;) {
    const started = await tryToStart(database, profile);
    if (started !== 'in use') return started;
    if (performance.now() > until) throw databaseInUse(database);
    await mayGoOn();
    await sleep(TRY_EVERY, undefined, { signal }).catch((cause: unknown) => {
      throw new DexsyncError('INTERRUPTED', 'Interrupted while waiting for the embedded workspace.', { cause });
    });
  }
}

async function tryToStart(database: string, profile: string): Promise<EmbeddedWorkspace | 'in use'> {
  const child = spawn(process.execPath, [WORKSPACE_PROGRAM, '--db', database, '--port', '0', '--dialect', profile], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const { stdout, stderr } = child;
  let complaints = '';
  stderr?.on('data', (chunk: Buffer) => {
    complaints = (complaints + chunk.toString()).slice(-2000);
  });
  const ended = new Promise<number | null>((done) => child.once('close', done));
  const firstLine = new Promise<string>((found) => {
    if (stdout !== null) createInterface({ input: stdout }).once('line', found);
  });
  const line = await Promise.race([firstLine, ended]);
  if (typeof line === 'string') {
    const stop = async (): Promise<void> => {
      child.kill('SIGTERM');
      await ended;
    };
    return { ...(JSON.parse(line) as ReadyLine), stop };
  }
  if (line === IN_USE) return 'in use';
  const said = complaints.trim();
  const message = `The embedded workspace in ${database} did not start${said === '' ? '' : `: ${said}`}`;
  throw new DexsyncError('EMBEDDED_FAILED', message, { hint: 'Inspect a copy of the file with `sqlite3`.' });
}

/** The exit code of the embedded workspace if another process has its database open. */
const IN_USE = 7;

const databaseInUse = (database: string): DexsyncError =>
  new DexsyncError('LOCKED', `The embedded workspace in ${database} is in use by another process.`, {
    hint: 'Another command or `dexsync workspace serve` may be running. Repeat the command when it has ended.',
  });
