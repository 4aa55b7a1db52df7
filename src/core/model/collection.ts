import type { Capability } from './observation.js';

/** The path of the objects of one kind or lookup, and the way to list them. */
export interface Collection {
  readonly path: string;
  /** Whether the list takes offset and limit; otherwise it is returned whole. */
  readonly paged: boolean;
  /** Further query parameters of the list. */
  readonly query?: Readonly<Record<string, string>>;
  /** The operations on its objects; without it, they can only be listed. */
  readonly can?: Capability;
}

/**
 * The endpoints of a kind that no profile of dexsync knows. Operations that are not in `can` are unavailable: by
 * default, objects can only be listed.
 */
export interface KindEndpoints extends Omit<Collection, 'can'> {
  readonly can?: Partial<Capability>;
  /** Differences in a profile, by its name: `reference` or `arena`. */
  readonly profiles?: Readonly<Record<string, Partial<Omit<KindEndpoints, 'profiles'>>>>;
}
