import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Ready } from './hosted-workspace.js';

/** The compiled entry of the workspace. */
export const entry = fileURLToPath(new URL('../../bundle/emulator/main.js', import.meta.url));

/** A workspace in a process of its own, for tests of that process; others open a hosted one. */
export interface RunningWorkspace extends Ready {
  readonly process: ChildProcess;
  /** Everything it wrote to stderr so far. */
  readonly stderr: () => string;
  /** Ends it and waits; the default signal is SIGTERM. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

/** A process that ended before it was ready. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the compiled workspace and waits for its ready line. */
export async function startWorkspace(...flags: readonly string[]): Promise<RunningWorkspace> {
  const child = spawn(process.execPath, [entry, ...flags], { stdio: ['pipe', 'pipe', 'pipe'] });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const ended = once(child, 'exit');
  const line = await Promise.race([once(createInterface(child.stdout), 'line'), ended.then(() => undefined)]);
  if (!line) throw new Error(`The workspace ended before it was ready: ${errors}`);
  const stop = async (signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
    child.kill(signal);
    const [code] = await ended;
    return code as number | null;
  };
  return { ...(JSON.parse(String(line[0])) as Ready), process: child, stderr: () => errors, stop };
}

/** Runs the workspace where it is expected to end by itself. */
export async function runToEnd(...flags: readonly string[]): Promise<Ended> {
  const child = spawn(process.execPath, [entry, ...flags], { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const [code] = await once(child, 'close');
  return { code: code as number | null, stdout, stderr };
}

/** A folder that is gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dexsync-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
