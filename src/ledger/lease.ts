import type { ProcessFacts } from '#base/files/process-facts.js';
import type { LeaseState } from '#core/model/lease-facts.js';

/**
 * A resource that only one process may use at a time: a login, since a second login of the user ends the first session
 * (design, section 7), or a workspace, since two users who write at once create objects twice.
 */
export interface LeaseKey {
  /** Host and port of the service, or the embedded database. */
  readonly service: string;
  /** The user that logs in there. */
  readonly login: string;
  /** The identity of the workspace, if the lease is for that rather than for the login. */
  readonly workspace?: string;
}

/** A request for a lease, with the reason that the requester gives. */
export interface Claim extends LeaseKey {
  readonly environment: string;
  readonly command: string;
  readonly reason?: string;
}

/** The process that took a lease. */
export interface Holder extends Claim, ProcessFacts {
  /** Unique for each lease, also of the same process. */
  readonly token: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds without a heartbeat after which others may take the lease. */
  readonly lifetime: number;
}

/** A lease as another process sees it. */
export interface FoundLease {
  readonly state: LeaseState;
  readonly holder: Holder;
  readonly heartbeatAt: Date;
  /** Milliseconds since the last heartbeat. */
  readonly silentFor: number;
  /** The name under which it can be removed. */
  readonly place: string;
  /** Milliseconds of silence until others may take it; set if it looks abandoned but clocks are not trusted. */
  readonly expiresIn?: number;
  /** Milliseconds to wait before looking again; a fraction of a second if absent. */
  readonly lookAgainIn?: number;
}

/** A lease that cannot be read. */
export interface DamagedLease {
  readonly state: 'damaged';
  readonly place: string;
}

/** A lease that this process took. It is renewed automatically until it is released. */
export interface Lease {
  /** Throws LEASE_LOST if another process took or removed it. */
  check(): Promise<void>;
  /** Releases the lease. A lost one is left to its new holder. */
  release(): Promise<void>;
}

/** The result of asking for a lease: it was taken, or another process has it. */
export type TakeResult =
  | { readonly is: 'taken'; readonly lease: Lease }
  | { readonly is: 'held'; readonly by: FoundLease };

/** Stores leases. Of processes that ask at the same instant, exactly one gets a lease. */
export interface Leases {
  /** Takes a lease that is free, dead or expired. */
  take(claim: Claim): Promise<TakeResult>;
  find(key: LeaseKey): Promise<FoundLease | undefined>;
  /** All leases at one service. */
  list(service: string): Promise<readonly (FoundLease | DamagedLease)[]>;
  /** Removes a lease of any holder, which stops before its next write. Does nothing if the lease is kept elsewhere. */
  remove(place: string): Promise<void>;
}
