import type { Diagnostic, Origin } from '#base/diagnostics.js';
import { type Address, splitAddress } from './address.js';
import type { JsonObject } from './json.js';
import type { Pointer } from './pointer.js';

/** The positions of a document's values. A missing value has that of its nearest ancestor. */
export interface Origins {
  /** The beginning of the document; known without reading the file again. */
  readonly start: Origin;
  value(pointer: Pointer): Origin;
  /** The position of the key itself, for findings about a field's name. */
  key(pointer: Pointer): Origin;
  /** The variable that a value comes from, as `value` names it; known without reading the file again. */
  filledBy(pointer: Pointer): string | undefined;
}

/** The positions of a document without a file of its own: on a command line, or in a plan. */
export const originsAt = (origin: Origin): Origins => ({
  start: origin,
  value: () => origin,
  key: () => origin,
  filledBy: () => undefined,
});

/** A parsed value and the positions of its parts. */
export interface Document {
  readonly value: unknown;
  readonly origins: Origins;
}

/** A manifest's facts about its object besides the spec. Only the name is sent. */
export interface Metadata {
  readonly name: string;
  /** A plan that would delete or replace the object is blocked. */
  readonly protect?: boolean;
  /** The object's former name: the plan renames instead of creating. */
  readonly renamedFrom?: string;
  /** Dotted fields that are managed elsewhere: sent when the object is created, not compared or sent later. */
  readonly ignore?: readonly string[];
  /** `full`: fields that the spec does not name must stay as the ledger recorded them. */
  readonly manage?: 'full';
  /** `any`: a value that resembles a known one is meant as written. */
  readonly known?: 'any';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A document of a valid shape. `spec` keeps its `null`s: they clear fields. */
export interface Manifest {
  readonly address: Address;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: JsonObject;
  readonly origins: Origins;
  /** Values that are probably typos: errors, unless the live object has them. */
  readonly doubts?: readonly Doubt[];
}

/** A value that resembles a known one. */
export interface Doubt {
  /** Below `spec`. */
  readonly pointer: Pointer;
  readonly finding: Diagnostic;
}

/** Creates a manifest without a file of its own. */
export function manifestAt(origin: Origin, address: Address, spec: JsonObject): Manifest {
  const { kind, name } = splitAddress(address);
  return { address, kind, metadata: { name }, spec, origins: originsAt(origin) };
}
