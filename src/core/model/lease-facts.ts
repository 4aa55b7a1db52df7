/** `dead`: its process is known to be gone. `expired`: nobody heard of it for its lifetime. Both may be taken over. */
export type LeaseState = 'held' | 'dead' | 'expired';

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
