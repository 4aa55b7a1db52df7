import type { Collection } from '#core/model/collection.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability } from '#core/model/observation.js';

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

/** A profile that also knows the endpoints which kinds bring along. */
export function profileWith(profile: Profile, kinds: readonly Kind[]): Profile {
  const own = kinds.flatMap(({ collection, endpoints }): [string, Collection][] => {
    if (endpoints === undefined) return [];
    const { profiles = {}, ...common } = endpoints;
    const { can, ...differing } = profiles[profile.name] ?? {};
    return [[collection, { ...common, ...differing, can: { ...READ_ONLY, ...common.can, ...can } }]];
  });
  return own.length === 0
    ? profile
    : { ...profile, collections: { ...profile.collections, ...Object.fromEntries(own) } };
}
