import type { Static, TObject } from 'typebox';
import type { KindEndpoints } from '../model/collection.js';
import type { JsonObject } from '../model/json.js';
import type { Children, Kind, NameContext, SpecFinding, WireContext } from '../model/kind.js';

/**
 * The definition of a kind; the rest follows from its schema. It has either a `collection` of the profiles or its own
 * `endpoints`.
 */
export type KindDefinition<S extends TObject> = DefinedParts<S> & DefinedPlace;

/** A collection of the profiles, or the kind's own endpoints. */
export type DefinedPlace =
  | { readonly collection: string; readonly endpoints?: never }
  | { readonly endpoints: KindEndpoints; readonly collection?: never };

/** The definition of a kind without its place. Without `toWire` and `fromWire`, spec and body have the same fields. */
export interface DefinedParts<S extends TObject>
  extends Pick<
    Kind,
    'name' | 'summary' | 'shortNames' | 'outputs' | 'since' | 'gather' | 'otherwise' | 'grow' | 'builtIn' | 'settingsOf'
  > {
  readonly schema: S;
  readonly children?: Readonly<Record<string, Children>>;
  readonly toWire?: (spec: Static<S>, context: WireContext) => object;
  readonly fromWire?: (body: JsonObject, context: NameContext) => Static<S>;
  readonly check?: (spec: Static<S>) => readonly SpecFinding[];
}

/** Completes a definition: without `toWire` and `fromWire`, spec and body have the same fields. */
export function defineKind<S extends TObject>(definition: KindDefinition<S>): Kind & { readonly schema: S } {
  const { children = {}, collection = `own:${definition.name}` } = definition;
  const fields = Object.keys(definition.schema.properties).filter((field) => !(field in children));
  const pick = (from: JsonObject): JsonObject =>
    Object.fromEntries(fields.flatMap((field) => (from[field] === undefined ? [] : [[field, from[field]]])));
  return {
    ...(definition as Omit<DefinedParts<S>, 'check'> & Pick<Kind, 'check' | 'endpoints'>),
    collection,
    children,
    toWire: (definition.toWire as Kind['toWire'] | undefined) ?? pick,
    fromWire: (definition.fromWire as Kind['fromWire'] | undefined) ?? pick,
  };
}
