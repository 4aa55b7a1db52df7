import type { Dialect } from '../dialects/dialect.js';
import type { Database } from '../store/database.js';
import type { Person } from '../store/users.js';
import type { Chance, Clock } from './guid-source.js';

/** The workspace that the rules work on. */
export interface Workspace {
  readonly settings: Database;
  readonly usage: Database;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly dialect: Dialect;
  /** The release that it imitates, such as 2025.4 (interface 9). */
  readonly release: string;
  readonly id: number;
  readonly name: string;
  /** Where it listens, such as `http://127.0.0.1:4000`. */
  readonly address: () => string;
  /** Requests per day (wire-facts 2). */
  readonly requestLimit: number;
}

/** The user whose session a request carries. */
export interface Caller extends Person {
  readonly administrator: boolean;
  /** The digest of the session's token. */
  readonly session: string;
}
