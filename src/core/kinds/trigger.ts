import { keyedList, object, openEnum, ref, serverDefault } from '../model/fields.js';
import { type Json, type JsonObject, onlyObjectsIn } from '../model/json.js';
import { deadReference, type NameContext } from '../model/kind.js';
import { ITEM_SEARCH_FIELDS } from '../model/known-fields.js';
import { type Static, Type } from '../model/schema.js';
import { WORLDS, worldOf } from '../model/worlds.js';
import {
  guidTargets,
  oneTarget,
  targetFields,
  targetFromWire,
  targetToWire,
  unknownTargets,
} from './attribute-target.js';
import { criterionFindings, criterionFromWire, criterionSchema, criterionToWire } from './criterion.js';
import { defineKind } from './define-kind.js';

const schema = object({
  description: Type.Optional(Type.String({ description: 'Free text.', ...serverDefault('') })),
  resource: openEnum(['ITEM', 'CHANGE', 'REQUEST', 'QUALITY'], { description: 'The object type to watch.' }),
  action: openEnum(['CREATE', 'EDIT', 'WORKFLOW'], { description: 'The event to react to.' }),
  category: Type.Optional(
    ref('Category', {
      partitionBy: 'resource',
      partitions: WORLDS,
      description: 'Only objects of this category and its subcategories; all if absent.',
    }),
  ),
  attributes: Type.Optional(
    keyedList(['apiName', 'attribute'], object(targetFields, { oneOf: oneTarget }), {
      description: 'Only edits of one of these fields; any edit if absent.',
    }),
  ),
  conditions: Type.Optional(
    keyedList(['apiName', 'attribute', 'category', 'lifecyclePhase', 'operator', 'value'], criterionSchema, {
      description: 'Conditions on the object as it was before the edit.',
    }),
  ),
});

type TriggerSpec = Static<typeof schema>;

/** Parses the parts of a trigger that only some services return; the profiles of the others list them as hidden. */
function conditionsFromWire({ resource, category, attributes, conditions }: JsonObject, context: NameContext) {
  const on = String(resource);
  const targets = onlyObjectsIn(attributes).map(({ apiName }) => targetFromWire(String(apiName), on, context));
  const entries = onlyObjectsIn(conditions).map((entry) => criterionFromWire(entry, on, context));
  return {
    ...(attributes === undefined ? {} : { attributes: targets }),
    ...(conditions === undefined ? {} : { conditions: entries }),
    ...guidIn(category, (guid) => ({
      category: context.nameOf('Category', guid, worldOf(on)) ?? deadReference('Category'),
    })),
  };
}

const guidIn = <T extends object>(value: Json | undefined, use: (guid: string) => T): T | object =>
  typeof value === 'object' && value !== null ? use(String((value as JsonObject).guid)) : {};

/** No source lists the fields of objects other than items. */
const fieldsOf = (resource: string) => ({
  what: resource,
  ...(resource === 'ITEM' ? { fields: ITEM_SEARCH_FIELDS } : {}),
});

/** A trigger of the event engine (wire-facts 6.1; interface, section 6; its writes and conditions are assumed). */
export const trigger = defineKind({
  name: 'Trigger',
  summary: 'What must happen in the workspace for an event to be queued.',
  collection: 'triggers',
  schema,
  check: ({ resource, attributes, conditions }) => [
    ...guidTargets(attributes ?? [], (index) => `/attributes/${index}`),
    ...unknownTargets(attributes ?? [], fieldsOf(resource), (index) => `/attributes/${index}`),
    ...criterionFindings(conditions ?? [], '/conditions'),
    ...unknownTargets(conditions ?? [], fieldsOf(resource), (index) => `/conditions/${index}`),
  ],
  toWire({ category, attributes, conditions, ...spec }: TriggerSpec, context) {
    const on = spec.resource;
    return {
      ...spec,
      ...(category === undefined ? {} : { category: { guid: context.guidOf('Category', category, worldOf(on)) } }),
      ...(attributes === undefined
        ? {}
        : { attributes: attributes.map((target) => ({ apiName: targetToWire(target, on, context) })) }),
      ...(conditions === undefined
        ? {}
        : { conditions: conditions.map((entry) => criterionToWire(entry, on, context)) }),
    };
  },
  fromWire(body: JsonObject, context) {
    const { description, resource, action } = body as unknown as TriggerSpec;
    return {
      ...(description === undefined || description === null ? {} : { description }),
      resource,
      action,
      ...conditionsFromWire(body, context),
    } as TriggerSpec;
  },
});
