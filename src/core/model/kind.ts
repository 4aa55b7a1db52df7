import type { TObject } from 'typebox';
import type { KindEndpoints } from './collection.js';
import type { JsonObject } from './json.js';
import type { Observed } from './observation.js';
import type { FieldChange } from './plan.js';
import type { Pointer } from './pointer.js';

/** The identifier that the service gave to an object in one workspace. Appears in no manifest, plan or message. */
export type Guid = string;

/** Whether a text is safe as an object's segment of a path: it leads nowhere else. It need not be a known GUID. */
export const isGuid = (text: string): boolean => /^[\w~-](?:\.?[\w~-]){0,99}$/.test(text);

/** Whether a text has the form of most GUIDs (wire-facts 3). Fields and names can have it too: it is only a hint. */
export const looksLikeGuid = (text: string): boolean => /^(?:[A-Z0-9]{20}|(?=[A-Z]*\d)[A-Z0-9]{12,40})$/.test(text);

/** The lookups of `toWire`: the GUID of the object that a reference names. */
export interface WireContext {
  guidOf(kind: string, name: string, partition?: string): Guid;
  /** The text for a custom attribute in a mapping: its GUID or its name (wire-facts, section 0). */
  attributeToWire(name: string, world: string): string;
}

/** The lookups of `fromWire`: the name behind a GUID; undefined if no such object exists now. */
export interface NameContext {
  nameOf(kind: string, guid: Guid, partition?: string): string | undefined;
  /** The custom attribute that a mapping names; undefined for a standard field, or if no such attribute exists. */
  attributeFromWire(text: string, world: string): string | undefined;
}

/** The placeholder in an observed spec for a GUID whose object does not exist. Never equal to a name. */
export const deadReference = (kind: string): string => `(deleted ${kind})`;

/** Whether a value of an observed spec is the placeholder of an object that is gone. */
export const isDeadReference = (value: unknown): boolean =>
  typeof value === 'string' && /^\(deleted \w+\)$/.test(value);

/** A list of an object whose entries are read and written one by one under its path. */
export type Children = Members | OwnEntries;

/** Other objects, which the list only names. */
export interface Members {
  /** The path segment below the parent. */
  readonly path: string;
  /** The kind or lookup of the entries. */
  readonly ref: string;
}

/**
 * Values that exist only within their object. The field is a keyed list: its keys identify an entry, and any other
 * change of an entry is an update.
 */
export interface OwnEntries {
  readonly path: string;
  readonly ref?: never;
  /** Set if an update with `null` clears a value only with `?setnull=true` (wire-facts 3). */
  readonly clears?: 'with setnull';
  /** Converts an entry into a body that has every field: `null` for each that the entry lacks. */
  readonly toWire: (entry: JsonObject, context: WireContext) => JsonObject;
  /** Converts an answer's body into an entry. */
  readonly fromWire: (body: JsonObject, context: NameContext) => JsonObject;
  /** The part of an answer's body that has the GUID of the entry; the body itself if absent. */
  readonly guidIn?: string;
}

/** The names that people may type for a type: its name, or one of the short names. */
export interface Named {
  readonly name: string;
  /** In the singular, in lower case: `group` for UserGroup. Manifests, plans and JSON use only the name. */
  readonly shortNames?: readonly string[];
}

/** Everything that is particular to one managed type, as data and pure functions. Defaults fit a plain object. */
export interface Kind extends Named {
  /** One sentence for `explain` and the table of kinds. */
  readonly summary: string;
  /** The profile maps it to a path and to the service's capabilities there. */
  readonly collection: string;
  /** The paths and capabilities of a collection that no profile knows. */
  readonly endpoints?: KindEndpoints;
  readonly schema: TObject;
  /** By field of the spec. Naming such a field claims the whole set. */
  readonly children: Readonly<Record<string, Children>>;
  /** Converts a spec into a request body, without name and children. */
  readonly toWire: (spec: JsonObject, context: WireContext) => JsonObject;
  /** Converts an answer's body into a spec, without children. Dangling references become `deadReference`. */
  readonly fromWire: (body: JsonObject, context: NameContext) => JsonObject;
  /** Reports problems that a schema cannot express: combinations that the service would not keep. */
  readonly check?: (spec: JsonObject) => readonly SpecFinding[];
  /** Fields of the answer that are shown and never compared. */
  readonly outputs?: readonly string[];
  /** The release that the kind came with, as `2025.3` or as `2025-03` (interface, section 9). */
  readonly since?: string;
  /** Merges the live objects that one manifest describes; those that `alone` accepts stay separate. */
  readonly gather?: (live: readonly Observed[], alone: (name: string) => boolean) => readonly Observed[];
  /** Fields that express other fields of a live spec in another way: a manifest has one or the other. */
  readonly otherwise?: (spec: JsonObject) => JsonObject;
  /** Names of objects that the service itself creates: no stack adopts or removes them. */
  readonly builtIn?: readonly string[];
  /**
   * For a checked kind, which the service shows and never writes: the entry of its list under its name in manifests;
   * undefined for one that no manifest can describe.
   */
  readonly entry?: (body: JsonObject) => JsonObject | undefined;
  /**
   * For settings that each object of a collection has. They are read one by one, by the names that manifests and ledger
   * know; they are set, and never created, listed or removed.
   */
  readonly settingsOf?: {
    /** The field by which their object is found, which is their name. */
    readonly nameIn: string;
    /** Their path below that object. */
    readonly path: string;
  };
  /** For kinds that are created once and never changed: computes the part that is still missing. */
  readonly grow?: (desired: JsonObject, live: Observed) => Growth;
}

/** Whether objects of a kind are compared and never written, owned or removed. */
export const isChecked = ({ entry }: Pick<Kind, 'entry'>): boolean => entry !== undefined;

/** The answer of a kind that is created once to a larger request. */
export type Growth =
  | { readonly is: 'enough' }
  /** Another object with this name provides the rest. */
  | { readonly is: 'more'; readonly name: string; readonly spec: JsonObject; readonly fields: readonly FieldChange[] }
  | { readonly is: 'refused'; readonly message: string };

/** A problem that a kind finds in a spec, at a pointer below `spec`. */
export interface SpecFinding {
  /** An error if absent. */
  readonly severity?: 'warning';
  readonly code: string;
  readonly pointer: Pointer;
  /** Follows the object's address in the message. */
  readonly message: string;
  readonly hint?: string;
}

/** A type that is referred to and never managed. */
export interface Lookup extends Named {
  readonly summary: string;
  /** Collection by partition; an unpartitioned lookup has the one partition ''. */
  readonly partitions: Readonly<Record<string, string>>;
  /** The names that manifests may use for the object; the first one is shown. */
  readonly namesOf: (body: JsonObject) => readonly string[];
  /** Fields of an entry that a table shows next to its names. */
  readonly columns: readonly string[];
  /** Fields of an entry that the observation keeps. */
  readonly facts?: readonly string[];
  /** The key for the facts of an entry without a name. */
  readonly unnamedKey?: (body: JsonObject) => string | undefined;
  /** Collections of categories by partition: each category lists the entries that it has. */
  readonly categories?: Readonly<Record<string, string>>;
  /** The field of a single object's answer that has the entries, if the list does not have them. */
  readonly within?: string;
}

/** Work that a manifest requests and that is done once. */
export interface Job extends Named {
  readonly summary: string;
  readonly schema: TObject;
  readonly check?: Kind['check'];
}
