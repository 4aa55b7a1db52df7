/** The collections whose reads or writes differ between dialects (wire-facts, section 0). */
export type Collection =
  | 'users'
  | 'userGroups'
  | 'userGroupMembers'
  | 'importDefinitions'
  | 'importRuns'
  | 'exportDefinitions'
  | 'exportRuns'
  | 'extractDefinitions'
  | 'extractRuns'
  | 'triggers'
  | 'outboundIntegrations'
  | 'integrationTriggers'
  | 'integrationAdministrators'
  | 'policies'
  | 'numberReservations'
  | 'suppliers'
  | 'serviceVersion';

/** The operations that a service supports on a collection. */
interface Capabilities {
  /** Whether its path exists at all. */
  readonly list: boolean;
  readonly create: boolean;
  /** The fields that an update accepts; empty if there is no update. */
  readonly update: readonly string[];
  readonly delete: boolean;
}

/** A variant of the interface, as data that the routes and rules read (wire-facts, section 0). */
export interface Dialect {
  readonly name: string;
  readonly headers: {
    readonly session: string;
    readonly usageReason: string;
    readonly requestsRemaining: string;
    readonly nextLimitReset: string;
  };
  /** How the reset header writes a date: RFC 1123, or the service's own way (wire-facts 2, "Rate headers"). */
  readonly resetDate: 'rfc1123' | 'pacific';
  /** The fields of the login answer that carry the token. */
  readonly tokenFields: readonly string[];
  /** Whether the `apiName` of a mapping is the GUID or the name of a custom attribute. */
  readonly customAttributes: 'guid' | 'name';
  /** Whether a commit is answered at once, before its rows are processed, or when all of them are done. */
  readonly commitAnswer: 'at once' | 'when done';
  readonly capabilities: Readonly<Record<Collection, Capabilities>>;
}
