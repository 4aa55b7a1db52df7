/** The collections whose writes differ between dialects (wire-facts, section 0). */
type Collection = 'users' | 'userGroups' | 'userGroupMembers' | 'importDefinitions' | 'importRuns';

/** What a service can do to the entries of a collection. Reading is always possible. */
interface Capabilities {
  readonly create: boolean;
  /** The fields that an update takes; none: there is no update. */
  readonly update: readonly string[];
  readonly delete: boolean;
}

/** How one service words the same interface: data that the routes and rules read (wire-facts, section 0). */
export interface Dialect {
  readonly name: string;
  readonly headers: {
    readonly session: string;
    readonly usageReason: string;
    readonly requestsRemaining: string;
    readonly nextLimitReset: string;
  };
  /** The fields of the login answer that carry the token. */
  readonly tokenFields: readonly string[];
  /** What the `apiName` of a mapping says of a custom attribute. */
  readonly customAttributes: 'guid' | 'name';
  readonly capabilities: Readonly<Record<Collection, Capabilities>>;
}
