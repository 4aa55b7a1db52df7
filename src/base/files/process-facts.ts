import { readFile, readlink } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';

/** What tells one process from every other, also from a later one of the same number. */
export interface ProcessFacts {
  readonly pid: number;
  readonly host: string;
  readonly user: string;
  /** The start of the system and the container that the number belongs to, where they can be read. */
  readonly machine?: string;
  /** When the process was started, in the system's own count, where it can be read. */
  readonly born?: string;
}

/** `unknown`: it ran elsewhere, or a process of its number runs and nothing tells whether it is the same. */
export type Fate = 'alive' | 'gone' | 'unknown';

/** The process that asks. */
export async function ownProcess(): Promise<ProcessFacts> {
  const { pid } = process;
  const [machine, seen] = await Promise.all([ownMachine(), readProcStat(pid)]);
  return {
    pid,
    host: hostname(),
    user: ownUser(),
    ...(machine === undefined ? {} : { machine }),
    ...(seen?.born === undefined ? {} : { born: seen.born }),
  };
}

/**
 * What became of a process. A number means something on its own machine only: containers may share a host's name and
 * even its folders, and count their processes apart.
 */
export async function fateOf({ pid, host, machine, born }: ProcessFacts, own: ProcessFacts): Promise<Fate> {
  if (host !== own.host || machine !== own.machine) return 'unknown';
  if (!isRunning(pid)) return 'gone';
  const seen = await readProcStat(pid);
  if (seen === undefined || born === undefined) return 'unknown';
  return seen.state === 'ended' || seen.born !== born ? 'gone' : 'alive';
}

/** Whether a process of this machine has the number now; numbers are used again, so it may be another program. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A user of a container may have a number only. */
function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`.trim();
  }
}

async function ownMachine(): Promise<string | undefined> {
  const found = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  const known = found.map((text) => text.trim()).filter((text) => text !== '');
  return known.length === 0 ? undefined : known.join(' ');
}

interface ProcStat {
  /** A process that ended and that nobody waited for keeps its number. */
  readonly state: 'running' | 'ended';
  readonly born: string | undefined;
}

/** Fields 3 and 22 of proc(5); the second, the program's name, may hold anything. */
async function readProcStat(pid: number): Promise<ProcStat | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: ['Z', 'X'].includes(fields[0] ?? '') ? 'ended' : 'running', born: fields[19] };
}
