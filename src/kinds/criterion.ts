import { UNCATEGORIZED } from '../lookups/category.js';
import { object, openEnum, ref } from '../model/fields.js';
import { isObject, type Json, type JsonObject } from '../model/json.js';
import { deadReference, isGuid, type NameContext, type SpecFinding, type WireContext } from '../model/kind.js';
import type { Pointer } from '../model/pointer.js';
import { type Static, Type } from '../model/schema.js';
import { WORLDS, worldOf } from '../model/worlds.js';
import { guidTargets, oneTarget, type Target, targetFields } from './attribute-target.js';

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

const scalar = Type.Union([Type.String(), Type.Number(), Type.Boolean()]);

/** One comparison of a search (wire-facts 3, "criteria"). Category and phase are named; their GUIDs are found at run time. */
export const criterion = object(
  {
    ...targetFields,
    category: Type.Optional(
      ref('Category', { partitionBy: 'resource', partitions: WORLDS, description: 'A category, by path or name.' }),
    ),
    lifecyclePhase: Type.Optional(ref('LifecyclePhase', { description: 'A lifecycle phase by its name.' })),
    operator: openEnum(OPERATORS, { description: 'How to compare.' }),
    value: Type.Optional(
      Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(scalar)], {
        description: 'What to compare with; a list for IS_IN, IS_NOT_IN and IS_BETWEEN.',
      }),
    ),
  },
  {
    description: 'A field, an operator and a value; or a category or lifecycle phase by name.',
    oneOf: [...oneTarget, { required: ['category'] }, { required: ['lifecyclePhase'] }],
  },
);

export type Criterion = Static<typeof criterion>;

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

export function criterionFromWire(entry: JsonObject, resource: string, context: NameContext): Criterion {
  const { attribute, operator, value = '' } = entry as { attribute: string; operator: string; value?: Json };
  if (attribute === 'category.guid')
    return { category: named('Category', value, context, worldOf(resource)), operator };
  if (attribute === 'category.name' && value === UNCATEGORIZED) return { category: UNCATEGORIZED, operator };
  if (attribute === 'lifecyclePhase.guid') return { lifecyclePhase: named('LifecyclePhase', value, context), operator };
  return { ...fieldFromWire(attribute, resource, context), operator, value: value as NonNullable<Criterion['value']> };
}

/** Searches name a custom attribute by its GUID, in every dialect (wire-facts 3, "Search"). */
function fieldFromWire(text: string, resource: string, context: NameContext): Target {
  if (!isGuid(text)) return { apiName: text };
  return { attribute: context.nameOf('Attribute', text, worldOf(resource)) ?? deadReference('attribute') };
}

const named = (kind: string, guid: Json, context: NameContext, partition?: string): string =>
  context.nameOf(kind, String(guid), partition) ?? deadReference(kind);

/** GUIDs that stand where a name belongs, and comparisons without a value. */
export function criterionFindings(entries: readonly Criterion[], base: Pointer): SpecFinding[] {
  const at = (index: number): Pointer => `${base}/${index}`;
  const values = entries.flatMap((entry, index): SpecFinding[] => {
    const targeted = entry.apiName !== undefined || entry.attribute !== undefined;
    if (targeted && entry.value === undefined) {
      const message = 'compares a field with nothing.';
      return [{ code: 'value-missing', pointer: at(index), message, hint: 'Add `value:`.' }];
    }
    if (!targeted && entry.value !== undefined) {
      const message = 'gives a value beside a name that is the value.';
      return [{ code: 'value-unused', pointer: `${at(index)}/value`, message, hint: 'Remove `value:`.' }];
    }
    if (typeof entry.value !== 'string' || !isGuid(entry.value) || !entry.apiName?.endsWith('guid')) return [];
    const message = `compares with "${entry.value}", which is a GUID.`;
    const hint = 'Write `category:` or `lifecyclePhase:` and the name; the GUID is found at run time.';
    return [{ code: 'guid-in-manifest', pointer: `${at(index)}/value`, message, hint }];
  });
  return [...guidTargets(entries, at), ...values];
}

/** A search: groups of comparisons. All of a group must hold, for one group at least. */
export const criteriaToWire = (groups: readonly (readonly Criterion[])[], context: WireContext): Json[] =>
  joined(
    groups.map((group) =>
      joined(
        group.map((entry) => criterionToWire(entry, 'ITEM', context)),
        'AND',
      ),
    ),
    'OR',
  );

const joined = (entries: readonly Json[], by: string): Json[] =>
  entries.flatMap((entry, index) => (index === 0 ? [entry] : [by, entry]));

/** A search that is joined in another way than groups can say is given as it is, and differs from any manifest. */
export function criteriaFromWire(wire: Json, context: NameContext): Criterion[][] | undefined {
  if (!Array.isArray(wire)) return undefined;
  const groups = parted(wire, 'OR')?.map((group) => (Array.isArray(group) ? parted(group, 'AND') : undefined));
  const whole = groups?.every((group) => group?.every(isObject));
  if (groups === undefined || whole !== true) return wire as unknown as Criterion[][];
  return groups.map((group) => (group as JsonObject[]).map((entry) => criterionFromWire(entry, 'ITEM', context)));
}

/** Every second entry, where those between are all `by`. */
function parted(list: readonly Json[], by: string): Json[] | undefined {
  const between = list.filter((_, index) => index % 2 === 1);
  return between.every((word) => word === by) ? list.filter((_, index) => index % 2 === 0) : undefined;
}
