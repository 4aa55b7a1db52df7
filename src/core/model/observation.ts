import type { AuditRecord } from './audit-record.js';
import type { JsonObject } from './json.js';
import type { LiveIdentity } from './object-fact.js';

/** One live object in the words of manifests: references are names, GUIDs are left behind. */
export interface Observed {
  readonly name: string;
  readonly spec: JsonObject;
  readonly identity: LiveIdentity;
  /** Who made and changed it; only of objects that matter to the plan. */
  readonly audit?: AuditRecord;
  /** The service's own counter, where it has one; it tells apart objects of one name. */
  readonly number?: number;
  /** The name that a further part of it would have, where a kind gathers several objects into one. */
  readonly further?: string;
  /** It is there and cannot be read: its spec says nothing. */
  readonly odd?: Odd;
}

/** What is odd about an answer for an object. */
export interface Odd {
  /** Follows what the object is called: `has no guid`. */
  readonly why: string;
  /** What nobody can tell of it: its name and identity only tell it apart from others then. */
  readonly unknown: readonly ('guid' | 'name')[];
}

/** Stands for the name of an object whose answer has none. */
export const NAMELESS = '(no name)';

/** An entry of a lookup that is there and that nothing can refer to. */
export interface OddName {
  /** Those that are known of it. */
  readonly names: readonly string[];
  readonly why: string;
}

/** What was read of the workspace: live objects by kind, and for each lookup and partition the names of each entry. */
export interface Observation {
  readonly objects: ReadonlyMap<string, readonly Observed[]>;
  /** By `lookupKey`; of an entry's names the first is the one that everything else uses. */
  readonly lookups: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** What is known of a lookup's entries beside their names: by `lookupKey`, then by the first name in lower case. */
  readonly lookupFacts?: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  /** Entries of lookups that nothing can refer to, by `lookupKey`. */
  readonly oddNames?: ReadonlyMap<string, readonly OddName[]>;
  /** Objects that the ledger knows, that no list shows, and that may be there all the same; with why. */
  readonly unproved?: ReadonlyMap<LiveIdentity, string>;
  /** Kinds that the service has no list of: nothing is known of what is there. */
  readonly unlisted: ReadonlySet<string>;
}

/** The key of `Observation.lookups`: the lookup, with its partition where it has several. */
export const lookupKey = (lookup: string, partition = ''): string =>
  partition === '' ? lookup : `${lookup}:${partition}`;

/** What the service can do to the objects of one kind, from the profile. */
export interface Capability {
  readonly list: 'yes' | 'no';
  readonly create: 'yes' | 'no';
  /** Fields that an update takes, `name` among them where objects can be renamed. Empty: no update. */
  readonly update: readonly string[];
  /** `full`: an update that leaves a field out resets it. */
  readonly updateBody: 'full' | 'partial';
  readonly delete: 'yes' | 'no';
  /** Fields of children that can be added and removed. */
  readonly children?: readonly string[];
  /** Whether the service refuses a second object of a name. Without it a creation that is delivered twice makes two objects. */
  readonly names?: 'unique';
  /** Fields that the service takes or knows but does not tell: they cannot be compared. */
  readonly hidden?: readonly string[];
}
