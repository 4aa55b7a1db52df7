import { isLikelyGuid } from '../model/attribute-reference.js';
import { caselessText, ref } from '../model/fields.js';
import type { NameContext, SpecFinding, WireContext } from '../model/kind.js';
import { unknownField } from '../model/known-fields.js';
import type { Pointer } from '../model/pointer.js';
import { Type } from '../model/schema.js';
import { WORLDS, worldOf } from '../model/worlds.js';

/** A field of a record, in manifests: a standard one by `apiName`, or a custom attribute by its name. */
export interface AttributeTarget {
  readonly apiName?: string;
  readonly attribute?: string;
}

/** The two ways to name a field. Its resource is that of the entry or of the enclosing object. */
export const targetFields = {
  apiName: Type.Optional(caselessText({ description: 'A standard field, such as number.' })),
  attribute: Type.Optional(
    ref('Attribute', {
      partitionBy: 'resource',
      partitions: WORLDS,
      textIn: 'apiName',
      description: 'A custom attribute, by name; dexsync finds its GUID.',
    }),
  ),
};

/** For `oneOf`: a target has exactly one of the two. */
export const oneTarget = [{ required: ['apiName'] }, { required: ['attribute'] }];

/** The field as mappings and triggers name it on the wire (wire-facts 0). */
export const targetToWire = (
  { apiName = '', attribute }: AttributeTarget,
  resource: string,
  context: WireContext,
): string => (attribute === undefined ? apiName : context.attributeToWire(attribute, worldOf(resource)));

/** Parses a field's name on the wire. */
export function targetFromWire(text: string, resource: string, context: NameContext): AttributeTarget {
  const attribute = context.attributeFromWire(text, worldOf(resource));
  return attribute === undefined ? { apiName: text } : { attribute };
}

/**
 * Warns about GUIDs in `apiName`: a GUID belongs to one workspace at one time, while the attribute's name stays. Only
 * the lists of a workspace show whether a text is an attribute's GUID.
 */
export function guidTargets(entries: readonly AttributeTarget[], at: (index: number) => Pointer): SpecFinding[] {
  return entries.flatMap(({ apiName }, index) => {
    if (typeof apiName !== 'string' || !isLikelyGuid(apiName)) return [];
    const message = `has the apiName "${apiName}", which looks like an attribute's GUID.`;
    const hint = 'If it is one, write `attribute:` and its name; dexsync finds the GUID.';
    return [{ severity: 'warning', code: 'guid-in-manifest', pointer: `${at(index)}/apiName`, message, hint }];
  });
}

/** Reports fields that no source documents for a record, except custom attributes. GUIDs are a separate finding. */
export const unknownTargets = (
  entries: readonly AttributeTarget[],
  { what, fields }: { readonly what: string; readonly fields?: readonly string[] },
  at: (index: number) => Pointer,
): SpecFinding[] =>
  entries.flatMap(({ apiName }, index) =>
    typeof apiName !== 'string' || isLikelyGuid(apiName)
      ? []
      : unknownField(apiName, what, fields, `${at(index)}/apiName`),
  );
