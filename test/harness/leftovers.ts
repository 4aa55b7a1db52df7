import { readdirSync, readFileSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Removes what earlier runs left that were killed: their folders, named `dexsync-tests-<process>-…`, and their processes. */
export async function sweep(home: string): Promise<void> {
  for (const name of await readdir(home)) {
    const [, run] = /^dexsync-tests-(\d+)-/.exec(name) ?? [];
    if (run === undefined || isAlive(Number(run))) continue;
    endProcessesOf(join(home, name));
    await rm(join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Milliseconds that a process has to end by itself, once the worker that it served has ended. */
const GRACE = 3000;

/** Ends what tests left behind, and gives the command lines. */
export async function endLeftovers(root: string): Promise<string[]> {
  for (const until = performance.now() + GRACE; performance.now() < until && leftIn(root).length > 0; ) await sleep(50);
  return endProcessesOf(root);
}

function endProcessesOf(root: string): string[] {
  return leftIn(root).map(({ pid, command }) => {
    endProcess(pid);
    return command;
  });
}

/** Kills a process, which may have ended by itself in the meantime. */
function endProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

/**
 * Processes that have the folder of the run as their folder for temporary files; the direct children of this process
 * are the workers. Only Linux reports them; elsewhere the list is empty.
 */
const leftIn = (root: string): RunningProcess[] =>
  processes().filter(
    ({ pid, parent, variables }) =>
      variables.includes(`TMPDIR=${root}`) && pid !== process.pid && parent !== process.pid,
  );

interface RunningProcess {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
  readonly variables: readonly string[];
}

function processes(): RunningProcess[] {
  if (process.platform !== 'linux') return [];
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.flatMap((pid) => {
    try {
      const read = (file: string): string => readFileSync(`/proc/${pid}/${file}`, 'utf8');
      const parent = Number(/^PPid:\s+(\d+)/m.exec(read('status'))?.[1]);
      const [command, variables] = [read('cmdline').replaceAll('\0', ' ').trim(), read('environ').split('\0')];
      // One that has ended and was not waited for has no command line.
      return command === '' ? [] : [{ pid: Number(pid), parent, command, variables }];
    } catch {
      return [];
    }
  });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
