import type { Capability } from '../../model/observation.js';

/** Objects that can be listed, and nothing else. */
export const READ_ONLY: Capability = { list: 'yes', create: 'no', update: [], updateBody: 'full', delete: 'no' };

/** Objects of which the service says nothing at all. */
export const NO_ENDPOINTS: Capability = { ...READ_ONLY, list: 'no' };

/** What a service's wire looks like, as data. */
export interface Profile {
  readonly name: string;
  /** Fields of the login answer that may hold the token; the first present one counts. */
  readonly tokenFields: readonly string[];
  readonly headers: {
    readonly session: string;
    readonly usageReason: string;
    readonly requestsRemaining: string;
    readonly nextReset: string;
  };
  /** The largest page that a list gives. */
  readonly pageLimit: number;
  /** What the `apiName` of a mapping says of a custom attribute. */
  readonly customAttributes: 'guid' | 'name';
  /** Where the release of the service is told, if anywhere. */
  readonly version?: string;
  readonly collections: Readonly<Record<string, Collection>>;
}

/** Where the objects of one kind or lookup are, and how they are listed. */
export interface Collection {
  readonly path: string;
  /** Whether the list takes offset and limit; otherwise it comes whole. */
  readonly paged: 'yes' | 'no';
  /** What else the list is asked for. */
  readonly query?: Readonly<Record<string, string>>;
  /** What can be done to its objects; a lookup's collection has none. */
  readonly can?: Capability;
}
