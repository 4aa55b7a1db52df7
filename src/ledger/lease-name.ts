import { createHash } from 'node:crypto';
import type { LeaseKey } from './lease.js';

const LONGEST = 120;

/** A name that every file system allows; different texts get different names. */
export function fileNameFor(text: string): string {
  const name = encodeURIComponent(text).replaceAll('*', '%2A');
  if (name.length <= LONGEST) return name;
  return `${name.slice(0, LONGEST - 64)}${createHash('sha256').update(text).digest('hex')}`;
}

/** The name of a lease among those of its service. */
export const leaseName = ({ login, workspace }: Omit<LeaseKey, 'service'>): string =>
  workspace === undefined ? `login-${fileNameFor(login.trim().toLowerCase())}` : `workspace-${fileNameFor(workspace)}`;
