import type { Capability } from './observation.js';

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

/**
 * The endpoints of a kind that no profile of dexsync knows. What is not said in `can` cannot be done: by default objects
 * are listed, and nothing else.
 */
export interface KindEndpoints extends Omit<Collection, 'can'> {
  readonly can?: Partial<Capability>;
  /** What differs in a profile, by its name: `reference` or `arena`. */
  readonly profiles?: Readonly<Record<string, Partial<Omit<KindEndpoints, 'profiles'>>>>;
}
