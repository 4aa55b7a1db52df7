import type { TObject } from 'typebox';
import type { KindEndpoints } from './collection.js';
import type { JsonObject } from './json.js';
import type { Observed } from './observation.js';
import type { FieldChange } from './plan.js';
import type { Pointer } from './pointer.js';

/** The identifier that the service gave to an object in one workspace. Appears in no manifest, plan or message. */
export type Guid = string;

/** Whether a text can stand in a path for an object, whatever its form: it leads nowhere else. It tells nothing of what a word means. */
export const isGuid = (text: string): boolean => /^[\w~-](?:\.?[\w~-]){0,99}$/.test(text);

/** The form that most GUIDs have (wire-facts 3). Fields and names can have it, too: it says where to look, never what a word is. */
export const looksLikeGuid = (text: string): boolean => /^(?:[A-Z0-9]{20}|(?=[A-Z]*\d)[A-Z0-9]{12,40})$/.test(text);

/** What `toWire` may ask for: the GUID of the object that a reference names. */
export interface WireContext {
  guidOf(kind: string, name: string, partition?: string): Guid;
  /** How a mapping calls a custom attribute: by its GUID or by its name (wire-facts, section 0). */
  attributeToWire(name: string, world: string): string;
}

/** What `fromWire` may ask for: the name behind a GUID, or undefined when no such object lives (any more). */
export interface NameContext {
  nameOf(kind: string, guid: Guid, partition?: string): string | undefined;
  /** The custom attribute that a mapping means, or undefined where it means a standard field or nothing that lives. */
  attributeFromWire(text: string, world: string): string | undefined;
}

/** Stands in an observed spec where the wire holds a GUID of nothing that lives. Never equal to a name. */
export const deadReference = (kind: string): string => `(deleted ${kind})`;

/** Whether a value of an observed spec stands for an object that is gone. */
export const isDeadReference = (value: unknown): boolean =>
  typeof value === 'string' && /^\(deleted \w+\)$/.test(value);

/** Objects that belong to another one and are read, added and removed one by one under its path. */
export interface Children {
  /** The path segment below the parent. */
  readonly path: string;
  /** The kind or lookup of the entries. */
  readonly ref: string;
}

/** What people may type for a type: its name, or one of the short names. */
export interface Named {
  readonly name: string;
  /** In the singular, in lower case: `group` for UserGroup. Manifests, plans and JSON have the name alone. */
  readonly shortNames?: readonly string[];
}

/** Everything that is particular to one managed type, as data and pure functions. Defaults fit a plain object. */
export interface Kind extends Named {
  /** One sentence for `explain` and the table of kinds. */
  readonly summary: string;
  /** The profile maps it to a path and to what the service can do there. */
  readonly collection: string;
  /** The same, for a collection that no profile knows. */
  readonly endpoints?: KindEndpoints;
  readonly schema: TObject;
  /** By field of the spec. Naming such a field claims the whole set. */
  readonly children: Readonly<Record<string, Children>>;
  /** The spec as request body, without name and children. */
  readonly toWire: (spec: JsonObject, context: WireContext) => JsonObject;
  /** The answer's body as spec, without children. References that lead nowhere become `deadReference`. */
  readonly fromWire: (body: JsonObject, context: NameContext) => JsonObject;
  /** What a schema cannot say: combinations that the service would not keep. */
  readonly check?: (spec: JsonObject) => readonly SpecFinding[];
  /** Fields of the answer that are shown and never compared. */
  readonly outputs?: readonly string[];
  /** The release that the kind came with, as `2025.3` or as `2025-03` (interface, section 9). */
  readonly since?: string;
  /** Several live objects that stand for one of a manifest, as that one; those that `alone` names stand for themselves. */
  readonly gather?: (live: readonly Observed[], alone: (name: string) => boolean) => readonly Observed[];
  /** Fields that say of a live spec what others of it say, in another way: a manifest has one or the other. */
  readonly otherwise?: (spec: JsonObject) => JsonObject;
  /** Names of objects that the service makes itself: no stack adopts or removes them. */
  readonly builtIn?: readonly string[];
  /** For what is made once and never changed: what is still missing of it. */
  readonly grow?: (desired: JsonObject, live: Observed) => Growth;
}

/** What a kind that is made once answers to a larger wish. */
export type Growth =
  | { readonly is: 'enough' }
  /** A further object of this name makes it enough. */
  | { readonly is: 'more'; readonly name: string; readonly spec: JsonObject; readonly fields: readonly FieldChange[] }
  | { readonly is: 'refused'; readonly message: string };

/** What a kind finds wrong with a spec, at a place below `spec`. */
export interface SpecFinding {
  /** An error, unless it says otherwise. */
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
  /** The names by which a manifest may call the object; the first is the one shown. */
  readonly namesOf: (body: JsonObject) => readonly string[];
  /** Fields of an entry that a table shows beside its names. */
  readonly columns: readonly string[];
  /** Fields of an entry that the observation keeps. */
  readonly facts?: readonly string[];
  /** What the facts of an entry without a name are kept under. */
  readonly unnamedKey?: (body: JsonObject) => string | undefined;
  /** Collections of categories by partition: each category tells which of the entries it has. */
  readonly categories?: Readonly<Record<string, string>>;
  /** Entries that stand in the single answer of each object, under this field, and not in the list. */
  readonly within?: string;
}

/** Work that a manifest asks for and that is done once. */
export interface Job extends Named {
  readonly summary: string;
  readonly schema: TObject;
  readonly check?: Kind['check'];
}
