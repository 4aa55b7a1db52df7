import type { Static, TObject } from 'typebox';
import type { JsonObject } from '../model/json.js';
import type { Children, Kind, NameContext, SpecFinding, WireContext } from '../model/kind.js';

interface Definition<S extends TObject> extends Pick<Kind, 'shortNames' | 'outputs' | 'since' | 'gather' | 'grow'> {
  readonly name: string;
  readonly summary: string;
  readonly collection: string;
  readonly schema: S;
  readonly children?: Readonly<Record<string, Children>>;
  readonly toWire?: (spec: Static<S>, context: WireContext) => object;
  readonly fromWire?: (body: JsonObject, context: NameContext) => Static<S>;
  readonly check?: (spec: Static<S>) => readonly SpecFinding[];
}

/** Completes a definition: without `toWire` and `fromWire`, spec and body have the same fields. */
export function defineKind<S extends TObject>(definition: Definition<S>): Kind & { readonly schema: S } {
  const { children = {} } = definition;
  const fields = Object.keys(definition.schema.properties).filter((field) => !(field in children));
  const pick = (from: JsonObject): JsonObject =>
    Object.fromEntries(fields.flatMap((field) => (from[field] === undefined ? [] : [[field, from[field]]])));
  return {
    ...(definition as Omit<Definition<S>, 'check'> & Pick<Kind, 'check'>),
    children,
    toWire: (definition.toWire as Kind['toWire'] | undefined) ?? pick,
    fromWire: (definition.fromWire as Kind['fromWire'] | undefined) ?? pick,
  };
}
