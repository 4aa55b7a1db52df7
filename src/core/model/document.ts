import type { Diagnostic, Origin } from '#base/diagnostics.js';
import { type Address, splitAddress } from './address.js';
import type { JsonObject } from './json.js';
import type { Pointer } from './pointer.js';

/** Where each value of a document was written. A value that is not there answers with its nearest ancestor. */
export interface Origins {
  /** Where the document begins; known without another look at the file. */
  readonly start: Origin;
  value(pointer: Pointer): Origin;
  /** The position of the key itself, for findings about a field's name. */
  key(pointer: Pointer): Origin;
}

/** The positions of a document that stands in no file of its own: on a command line, or in a plan. */
export const originsAt = (origin: Origin): Origins => ({ start: origin, value: () => origin, key: () => origin });

/** A parsed value and the memory of where each part of it stands. */
export interface Document {
  readonly value: unknown;
  readonly origins: Origins;
}

/** What a manifest says about its object, beside the spec. Nothing of it is sent but the name. */
export interface Metadata {
  readonly name: string;
  /** A plan that would delete or replace the object is blocked. */
  readonly protect?: boolean;
  /** The object's former name: the plan renames instead of creating. */
  readonly renamedFrom?: string;
  /** Dotted fields that somebody else looks after: sent when the object is made, not compared or sent later. */
  readonly ignore?: readonly string[];
  /** `full`: fields that the spec does not name have to stay as the ledger has recorded them. */
  readonly manage?: 'full';
  /** `any`: what is nearly a known value is meant as it is written. */
  readonly known?: 'any';
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
}

/** A document whose shape is known to be right. `spec` keeps its `null`s: they clear fields. */
export interface Manifest {
  readonly address: Address;
  readonly kind: string;
  readonly metadata: Metadata;
  readonly spec: JsonObject;
  readonly origins: Origins;
  /** Values that are probably typos: errors, unless the live object has them. */
  readonly doubts?: readonly Doubt[];
}

/** A value that is nearly a known one. */
export interface Doubt {
  /** Below `spec`. */
  readonly pointer: Pointer;
  readonly finding: Diagnostic;
}

/** A manifest that stands in no file of its own. */
export function manifestAt(origin: Origin, address: Address, spec: JsonObject): Manifest {
  const { kind, name } = splitAddress(address);
  return { address, kind, metadata: { name }, spec, origins: originsAt(origin) };
}
