import type { LeaseFacts } from '#core/model/lease-facts.js';
import type { FoundLease } from './lease.js';

/** The facts of a lease for programs: what anybody may know of its holder, without the token. */
export function toLeaseFacts({ state, holder, heartbeatAt }: FoundLease): LeaseFacts {
  const { command, reason = null, user, host, pid, environment, service, login, startedAt, lifetime } = holder;
  const expiresAt = new Date(heartbeatAt.getTime() + lifetime).toISOString();
  return {
    state,
    command,
    reason,
    user,
    host,
    pid,
    environment,
    service,
    login,
    startedAt,
    heartbeatAt: heartbeatAt.toISOString(),
    expiresAt,
  };
}
