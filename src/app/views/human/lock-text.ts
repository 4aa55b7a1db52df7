import type { Locks, ShownLease } from '../../operations/locks.js';
import type { Palette } from './palette.js';

/** A line for each lease, with the meaning of its state. */
export function locksText({ environment, leases }: Locks, palette: Palette): string {
  if (leases.length === 0) return `Environment ${environment} is not in use.\n`;
  return leases.map((lease) => `${lockText(lease, environment, palette)}\n`).join('');
}

function lockText(lease: ShownLease, environment: string, palette: Palette): string {
  switch (lease.state) {
    case 'held':
      return `${palette.yellow('In use:')} environment ${environment}, by ${lease.by}.${holderNames(lease, environment)}`;
    case 'dead':
      return `Left behind: ${lease.by}. That process has ended; the next command that writes takes the lock.`;
    case 'expired':
      return `Left behind: ${lease.by}. The lock has expired; the next command that writes takes it.`;
    case 'damaged':
      return `${palette.red('Damaged:')} ${lease.file} cannot be read; \`dexsync lock release --force\` removes it.`;
  }
  return lease satisfies never;
}

/** Names the environment and the user of the holder if these differ from here. */
function holderNames(lease: Exclude<ShownLease, { state: 'damaged' }>, environment: string): string {
  const other =
    lease.environment === environment ? '' : ` In its project the environment is named ${lease.environment}.`;
  return lease.login === 'embedded' ? other : ` It is logged in as ${lease.login}.${other}`;
}

/** A line for each lease that was removed. */
export const releasedText = ({ environment, leases }: Locks): string =>
  leases.length === 0
    ? `Environment ${environment} is not in use. There was nothing to release.\n`
    : leases
        .map((lease) => `Released: ${lease.state === 'damaged' ? lease.file : `the lock of ${lease.by}`}.\n`)
        .join('');
