import { loginFailures, recordLoginFailures } from '../store/usage.js';
import type { Account } from '../store/users.js';
import { ServiceError } from './service-error.js';
import type { Workspace } from './workspace.js';

const MOST_FAILURES = 5;
const LOCK_MS = 5 * 60_000;

/** Refuses a user with 4083 for five minutes after five wrong passwords (wire-facts 1). */
export function refuseLocked({ usage }: Workspace, { guid }: Account, now: number): void {
  if (loginFailures(usage, guid).lockedUntil <= now) return;
  throw new ServiceError({ code: 4083, message: 'After five wrong passwords the user is locked for five minutes.' });
}

/** Counts a wrong password of a user. */
export function countFailure({ usage }: Workspace, { guid }: Account, now: number): void {
  const count = loginFailures(usage, guid).count + 1;
  const failures = count < MOST_FAILURES ? { count, lockedUntil: 0 } : { count: 0, lockedUntil: now + LOCK_MS };
  recordLoginFailures(usage, guid, failures);
}
