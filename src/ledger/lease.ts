import type { ProcessFacts } from '#base/files/process-facts.js';
import type { LeaseState } from '#core/model/lease-facts.js';

/**
 * What only one process may use at a time: a login, since a second one of the user ends the session of the first (design,
 * section 7), and a workspace, since what two users write at once is made twice.
 */
export interface LeaseKey {
  /** Host and port of the service, or the embedded database. */
  readonly service: string;
  /** The user that logs in there. */
  readonly login: string;
  /** The identity of the workspace, where it is that which is asked for, whoever logs in. */
  readonly workspace?: string;
}

/** Why a lease is asked for, in the words of the one who asks. */
export interface Claim extends LeaseKey {
  readonly environment: string;
  readonly command: string;
  readonly reason?: string;
}

/** Who took a lease. */
export interface Holder extends Claim, ProcessFacts {
  /** Unlike that of every other lease, also of the same process. */
  readonly token: string;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  /** Milliseconds without a heartbeat after which others may take the lease. */
  readonly lifetime: number;
}

/** A lease as somebody else sees it. */
export interface FoundLease {
  readonly state: LeaseState;
  readonly holder: Holder;
  readonly heartbeatAt: Date;
  /** Milliseconds since the heartbeat. */
  readonly silentFor: number;
  /** The name under which it can be removed. */
  readonly place: string;
  /** It looks abandoned, but clocks are not trusted there: others may take it after so many milliseconds without a sign of life. */
  readonly expiresIn?: number;
  /** Milliseconds until looking again is worth it; a fraction of a second where it is absent. */
  readonly lookAgainIn?: number;
}

/** Something stands in the place of a lease that cannot be read as one. */
export interface DamagedLease {
  readonly state: 'damaged';
  readonly place: string;
}

/** A lease that this process took. It is renewed by itself until it is released. */
export interface Lease {
  /** Throws `LEASE_LOST` where somebody else took it over or removed it. */
  check(): Promise<void>;
  /** Gives it back. One that was lost is left to whoever has it. */
  release(): Promise<void>;
}

/** What asking for a lease came to: it was taken, or another process has it. */
export type TakeResult =
  | { readonly is: 'taken'; readonly lease: Lease }
  | { readonly is: 'held'; readonly by: FoundLease };

/** Where leases are kept. Of processes that ask at the same instant exactly one takes a lease. */
export interface Leases {
  /** Takes a lease that is free, dead or expired. */
  take(claim: Claim): Promise<TakeResult>;
  find(key: LeaseKey): Promise<FoundLease | undefined>;
  /** All leases at one service. */
  list(service: string): Promise<readonly (FoundLease | DamagedLease)[]>;
  /** Removes a lease whoever has it; its holder stops before its next write. Does nothing where the lease is kept elsewhere. */
  remove(place: string): Promise<void>;
}
