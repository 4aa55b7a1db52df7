import type { AuditRecord } from './audit-record.js';
import type { JsonObject } from './json.js';
import type { LiveIdentity } from './object-fact.js';

/** A live object in the terms of manifests: references are names, and GUIDs are dropped. */
export interface Observed {
  readonly name: string;
  readonly spec: JsonObject;
  readonly identity: LiveIdentity;
  /** Who created and changed it; only for objects that matter to the plan. */
  readonly audit?: AuditRecord;
  /** The service's own counter, if it has one; it distinguishes objects with the same name. */
  readonly number?: number;
  /** The name for another part of it, if the kind merges several objects into one. */
  readonly further?: string;
  /** Set if it exists but cannot be read: its spec then means nothing. */
  readonly odd?: Odd;
}

/** A problem with the answer for an object. */
export interface Odd {
  /** Follows the object's name in messages: `has no guid`. */
  readonly why: string;
  /** The facts that cannot be known; its name and identity then only distinguish it from other objects. */
  readonly unknown: readonly ('guid' | 'name')[];
}

/** The placeholder for the name of an object whose answer has none. */
export const NAMELESS = '(no name)';

/** A lookup entry that exists, but that nothing can refer to. */
export interface OddName {
  /** Its known names. */
  readonly names: readonly string[];
  readonly why: string;
}

/** The state read from a workspace: live objects by kind, and the names of each entry by lookup and partition. */
export interface Observation {
  readonly objects: ReadonlyMap<string, readonly Observed[]>;
  /** By `lookupKey`; everything else uses the first of an entry's names. */
  readonly lookups: ReadonlyMap<string, readonly (readonly string[])[]>;
  /** Facts about a lookup's entries besides their names: by `lookupKey`, then by the first name in lower case. */
  readonly lookupFacts?: ReadonlyMap<string, ReadonlyMap<string, JsonObject>>;
  /** Entries of lookups that nothing can refer to, by `lookupKey`. */
  readonly oddNames?: ReadonlyMap<string, readonly OddName[]>;
  /** Objects of the ledger that no list shows but that may still exist, with the reason. */
  readonly unproved?: ReadonlyMap<LiveIdentity, string>;
  /** Kinds that the service does not list: their live objects are unknown. */
  readonly unlisted: ReadonlySet<string>;
}

/** What is known without a workspace. */
export const EMPTY_OBSERVATION: Observation = { objects: new Map(), lookups: new Map(), unlisted: new Set() };

/** The key of `Observation.lookups`: the lookup, with its partition if it has several. */
export const lookupKey = (lookup: string, partition = ''): string =>
  partition === '' ? lookup : `${lookup}:${partition}`;

/** The service's operations on the objects of one kind, from the profile. */
export interface Capability {
  readonly list: boolean;
  readonly create: boolean;
  /** Fields that an update accepts, including `name` if objects can be renamed. Empty: no update. */
  readonly update: readonly string[];
  /** `full`: an update that leaves a field out resets it. */
  readonly updateBody: 'full' | 'partial';
  readonly delete: boolean;
  /** Set if an update with `null` clears a field only with `?setnull=true` (wire-facts 3). */
  readonly clears?: 'with setnull';
  /** Fields of children that can be added and removed. */
  readonly children?: readonly string[];
  /** Set if the service refuses a second object of a name. Otherwise a creation delivered twice creates two. */
  readonly names?: 'unique';
  /** Fields that the service accepts or knows but does not return: they cannot be compared. */
  readonly hidden?: readonly string[];
}
