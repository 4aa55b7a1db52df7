import { hostname } from 'node:os';
import { isRunning } from './process-facts.js';

/** Part of a name: the number of a process means something on its own machine only. */
const HOST = hostname().replaceAll(/[^A-Za-z0-9]/g, '') || 'host';

/** The beginning of a name that tells whose the file is: a command that comes later removes what a killed one left. */
export const ownName = (): string => `${process.pid}-${HOST}-`;

/** Whether a name that begins like this is of a process of this machine that is no more. */
export function isLeftover(name: string): boolean {
  const [pid = '', where] = name.split('-');
  return where === HOST && /^[1-9]\d*$/.test(pid) && !isRunning(Number(pid));
}
