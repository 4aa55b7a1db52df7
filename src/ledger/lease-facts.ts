import type { FoundLease, LeaseState } from './lease.js';

/** A lease as programs read it. */
export interface LeaseFacts {
  readonly state: LeaseState;
  readonly command: string;
  readonly reason: string | null;
  readonly user: string;
  readonly host: string;
  readonly pid: number;
  /** The environment that its holder named; several may lead to the same service. */
  readonly environment: string;
  readonly service: string;
  readonly login: string;
  /** These three are ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly heartbeatAt: string;
  /** When others may take it over, should there be no further heartbeat. */
  readonly expiresAt: string;
}

/** A lease for programs: what anybody may know of its holder, without the token. */
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
