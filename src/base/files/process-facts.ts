import { readFile, readlink } from 'node:fs/promises';
import { hostname, userInfo } from 'node:os';
import { omitUndefined } from '../omit-undefined.js';

/** Facts that identify a process, even among later ones with the same PID. */
export interface ProcessFacts {
  readonly pid: number;
  readonly host: string;
  readonly user: string;
  /** The system start and the container that the PID belongs to, if they can be read. */
  readonly machine?: string;
  /** The start time of the process in the system's own count, if it can be read. */
  readonly born?: string;
}

/** `unknown`: it ran elsewhere, or a process with its PID runs that may be another one. */
export type Fate = 'alive' | 'gone' | 'unknown';

/** The facts about the current process, which stay the same. */
export function ownProcess(): Promise<ProcessFacts> {
  own ??= factsOfOwn();
  return own;
}

let own: Promise<ProcessFacts> | undefined;

async function factsOfOwn(): Promise<ProcessFacts> {
  const { pid } = process;
  const [machine, seen] = await Promise.all([ownMachine(), readProcStat(pid)]);
  return {
    pid,
    host: hostname(),
    user: ownUser(),
    ...omitUndefined({ machine }),
    ...(seen?.born === undefined ? {} : { born: seen.born }),
  };
}

/**
 * The fate of a process. A PID is meaningful only on its own machine: containers may share a host's name and even its
 * folders, but count their processes separately.
 */
export async function processFate({ pid, host, machine, born }: ProcessFacts, own: ProcessFacts): Promise<Fate> {
  if (host !== own.host || machine !== own.machine) return 'unknown';
  if (!isRunning(pid)) return 'gone';
  const seen = await readProcStat(pid);
  if (seen === undefined || born === undefined) return 'unknown';
  return seen.state === 'ended' || seen.born !== born ? 'gone' : 'alive';
}

/** Whether a process of this machine has the PID now; PIDs are reused, so it may be another program. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** A container's user may have only a number. */
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
  /** An ended process that nobody waited for keeps its PID. */
  readonly state: 'running' | 'ended';
  readonly born: string | undefined;
}

/** Reads fields 3 and 22 of proc(5); the second, the program's name, may contain any character. */
async function readProcStat(pid: number): Promise<ProcStat | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { state: ['Z', 'X'].includes(fields[0] ?? '') ? 'ended' : 'running', born: fields[19] };
}
