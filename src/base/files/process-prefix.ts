import { hostname } from 'node:os';
import { isRunning } from './process-facts.js';

/** The host in a name: a process ID is meaningful only on its own machine. */
const HOST = hostname().replaceAll(/[^A-Za-z0-9]/g, '') || 'host';

/** The prefix of a file name that identifies its process: later commands remove files of killed ones. */
export const processPrefix = (): string => `${process.pid}-${HOST}-`;

/** Whether a name with such a prefix belongs to a process of this machine that no longer runs. */
export function isLeftover(name: string): boolean {
  const [pid = '', where] = name.split('-');
  return where === HOST && /^[1-9]\d*$/.test(pid) && !isRunning(Number(pid));
}
