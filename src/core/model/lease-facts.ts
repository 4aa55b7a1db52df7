/** `dead`: its process is known to be gone. `expired`: no heartbeat for its lifetime. Others may acquire both. */
export type LeaseState = 'held' | 'dead' | 'expired';

/** A lease in machine-readable form. */
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
  /** The time from which others may acquire it, if there is no further heartbeat. */
  readonly expiresAt: string;
}
