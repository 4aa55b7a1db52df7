import { quoted } from '#base/printable.js';
import { UNCATEGORIZED } from '../lookups/category.js';
import { referencedAttribute } from '../model/attribute-reference.js';
import { object, openEnum, ref } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { deadReference, looksLikeGuid, type NameContext, type SpecFinding, type WireContext } from '../model/kind.js';
import type { Pointer } from '../model/pointer.js';
import { type Static, Type } from '../model/schema.js';
import { WORLDS, worldOf } from '../model/worlds.js';
import { type AttributeTarget, guidTargets, oneTarget, targetFields } from './attribute-target.js';

const OPERATORS = [
  'IS_EQUAL_TO',
  'IS_NOT_EQUAL_TO',
  'CONTAINS',
  'DOES_NOT_CONTAIN',
  'STARTS_WITH',
  'DOES_NOT_START_WITH',
  'IS_IN',
  'IS_NOT_IN',
  'IS_BEFORE',
  'IS_AFTER',
  'IS_BETWEEN',
  'IS_LESS_THAN',
  'IS_LESS_THAN_OR_EQUAL_TO',
  'IS_GREATER_THAN',
  'IS_GREATER_THAN_OR_EQUAL_TO',
];

const BETWEEN = 'IS_BETWEEN';
const LIST_OPERATORS: readonly string[] = ['IS_IN', 'IS_NOT_IN', BETWEEN];
const EQUALITY_OPERATORS: readonly string[] = ['IS_EQUAL_TO', 'IS_NOT_EQUAL_TO'];

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** One comparison of a search (wire-facts 3, "criteria"). Names category and phase; their GUIDs are found later. */
export const criterionSchema = object(
  {
    ...targetFields,
    category: Type.Optional(
      ref('Category', { partitionBy: 'resource', partitions: WORLDS, description: 'A category, by path or name.' }),
    ),
    lifecyclePhase: Type.Optional(ref('LifecyclePhase', { description: 'A lifecycle phase, by name.' })),
    operator: openEnum(OPERATORS, { description: 'How to compare.' }),
    value: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(scalar)], {
        description: 'The value to compare with; a list for IS_IN, IS_NOT_IN and IS_BETWEEN.',
      }),
    ),
  },
  {
    description: 'A field, an operator and a value; or a category or lifecycle phase, by name.',
    oneOf: [...oneTarget, { required: ['category'] }, { required: ['lifecyclePhase'] }],
  },
);

/**
 * A comparison that passed its schema: one of field, attribute, category or lifecycle phase, and how it is compared.
 */
export type Criterion = Static<typeof criterionSchema>;

/**
 * Converts a comparison for searches, with names replaced by GUIDs (wire-facts 3). The uncategorized category keeps its
 * name (interface 4.6).
 */
export function criterionToWire(entry: Criterion, resource: string, context: WireContext): JsonObject {
  const { category, lifecyclePhase, operator, value = '' } = entry;
  if (category === UNCATEGORIZED) return { attribute: 'category.name', operator, value: UNCATEGORIZED };
  if (category !== undefined) {
    return { attribute: 'category.guid', operator, value: context.guidOf('Category', category, worldOf(resource)) };
  }
  if (lifecyclePhase !== undefined) {
    return { attribute: 'lifecyclePhase.guid', operator, value: context.guidOf('LifecyclePhase', lifecyclePhase) };
  }
  const attribute =
    entry.attribute === undefined ? entry.apiName : context.guidOf('Attribute', entry.attribute, worldOf(resource));
  return { attribute: attribute ?? '', operator, value };
}

/** Parses a comparison of a search on the wire. GUIDs of objects that are gone become `deadReference`. */
export function criterionFromWire(entry: JsonObject, resource: string, context: NameContext): Criterion {
  const { attribute, operator, value = '' } = entry as { attribute: string; operator: string; value?: Json };
  if (attribute === 'category.guid')
    return { category: referenceName('Category', value, context, worldOf(resource)), operator };
  if (attribute === 'category.name' && value === UNCATEGORIZED) return { category: UNCATEGORIZED, operator };
  if (attribute === 'lifecyclePhase.guid')
    return { lifecyclePhase: referenceName('LifecyclePhase', value, context), operator };
  return { ...fieldFromWire(attribute, resource, context), operator, value: value as NonNullable<Criterion['value']> };
}

/** Searches name a custom attribute by its GUID, in every dialect (wire-facts 3, "Search"). */
function fieldFromWire(text: string, resource: string, context: NameContext): AttributeTarget {
  const attribute = referencedAttribute(text, (guid) => context.nameOf('Attribute', guid, worldOf(resource)));
  return attribute === undefined ? { apiName: text } : { attribute };
}

const referenceName = (kind: string, guid: Json, context: NameContext, partition?: string): string =>
  context.nameOf(kind, String(guid), partition) ?? deadReference(kind);

/** Reports GUIDs in place of names, and comparisons that the service is certain to refuse. */
export function criterionFindings(entries: readonly Criterion[], base: Pointer): SpecFinding[] {
  const at = (index: number): Pointer => `${base}/${index}`;
  const found = entries.flatMap((entry, index) => {
    const byName = isGiven(entry.category) || isGiven(entry.lifecyclePhase);
    return byName ? nameFindings(entry, at(index)) : valueFindings(entry, at(index));
  });
  return [...guidTargets(entries, at), ...found];
}

/** In a manifest, null means absent. */
const isGiven = (value: Json | undefined): boolean => value !== undefined && value !== null;

function valueFindings({ apiName, operator, value }: Criterion, at: Pointer): SpecFinding[] {
  if (!isGiven(value)) {
    return [{ code: 'value-missing', pointer: at, message: 'has no value to compare with.', hint: 'Add `value:`.' }];
  }
  const pointer = `${at}/value`;
  if (LIST_OPERATORS.includes(operator) && !isListFor(operator, value)) {
    const message = `compares by ${operator} with ${quoted(value)}.`;
    return [{ code: 'value-invalid', pointer, message, hint: LIST_HINTS[operator === BETWEEN ? 'two' : 'some'] }];
  }
  if (apiName === 'category.name' && value === UNCATEGORIZED) {
    const hint = `Write \`category: ${UNCATEGORIZED}\`, as the service returns it.`;
    return [{ code: 'category-by-name', pointer: at, message: `gives the category ${value} as a field.`, hint }];
  }
  if (typeof value !== 'string' || !looksLikeGuid(value) || !apiName?.endsWith('guid')) return [];
  const message = 'compares with a GUID.';
  const hint = 'Write `category:` or `lifecyclePhase:` and the name; dexsync finds the GUID.';
  return [{ code: 'guid-in-manifest', pointer, message, hint }];
}

const isListFor = (operator: string, value: Criterion['value']): boolean =>
  Array.isArray(value) && (operator === BETWEEN ? value.length === 2 : value.length > 0);

const LIST_HINTS = {
  some: 'It needs a list of values, such as `value: [a, b]`.',
  two: 'It needs a list of two values, the lower value first.',
};

/** A name stands for one GUID, and GUIDs have no order and no parts. */
function nameFindings({ operator, value }: Criterion, at: Pointer): SpecFinding[] {
  const unused = {
    code: 'value-unused',
    pointer: `${at}/value`,
    message: 'has a `value` in addition to the name, which is the value.',
    hint: 'Remove `value:`.',
  };
  const unfit = {
    code: 'operator-invalid',
    pointer: `${at}/operator`,
    message: `compares a category or lifecycle phase by ${operator}.`,
    hint: `Use ${EQUALITY_OPERATORS.join(' or ')}.`,
  };
  return [...(isGiven(value) ? [unused] : []), ...(EQUALITY_OPERATORS.includes(operator) ? [] : [unfit])];
}

/** Joins groups of comparisons into a search: all comparisons of at least one group must hold. */
export const criteriaToWire = (groups: readonly (readonly Criterion[])[], context: WireContext): Json[] =>
  joinBy(
    groups.map((group) =>
      joinBy(
        group.map((entry) => criterionToWire(entry, 'ITEM', context)),
        'AND',
      ),
    ),
    'OR',
  );

const joinBy = (entries: readonly Json[], by: string): Json[] =>
  entries.flatMap((entry, index) => (index === 0 ? [entry] : [by, entry]));

/**
 * Parses a search into groups. One that groups cannot express is returned as it is, and differs from any manifest:
 * within another list, where it would look like groups.
 */
export function criteriaFromWire(wire: Json, context: NameContext): Criterion[][] | undefined {
  if (wire === null) return undefined;
  if (!Array.isArray(wire) || !wire.every(isSearchPart)) throw new TypeError('a search has something else');
  const groups = partsBetween(wire, 'OR')?.map((group) =>
    Array.isArray(group) ? partsBetween(group, 'AND') : undefined,
  );
  const whole = groups?.every((group) => group?.every(isObject));
  if (groups === undefined || whole !== true) {
    const isLikeGroups = wire.every((part) => Array.isArray(part) && part.every(isObject));
    return (isLikeGroups ? [wire] : wire) as unknown as Criterion[][];
  }
  return groups.map((group) => (group as JsonObject[]).map((entry) => criterionFromWire(entry, 'ITEM', context)));
}

const isSearchPart = (part: Json): boolean =>
  Array.isArray(part) ? part.every(isSearchPart) : isObject(part) || typeof part === 'string';

/** Every second entry, provided that all entries between are `by`. */
function partsBetween(list: readonly Json[], by: string): Json[] | undefined {
  const between = list.filter((_, index) => index % 2 === 1);
  return between.every((word) => word === by) ? list.filter((_, index) => index % 2 === 0) : undefined;
}
