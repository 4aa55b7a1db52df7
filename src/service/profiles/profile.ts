import type { Collection } from '#core/model/collection.js';
import type { Kind } from '#core/model/kind.js';
import type { Capability } from '#core/model/observation.js';

/** Objects that can only be listed. */
export const READ_ONLY: Capability = { list: true, create: false, update: [], updateBody: 'full', delete: false };

/** Objects that the service does not expose at all. */
export const NO_ENDPOINTS: Capability = { ...READ_ONLY, list: false };

/** The wire format of a service, as data. */
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
  /** The largest page size of a list. */
  readonly pageLimit: number;
  /** How the `apiName` of a mapping identifies a custom attribute. */
  readonly customAttributes: 'guid' | 'name';
  /** Path of the service's release, if it has one. */
  readonly version?: string;
  readonly collections: Readonly<Record<string, Collection>>;
}

/** Adds the endpoints of kinds that bring their own to a profile. */
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
