import { family } from '../family/family.js';
import type { RecordOf, WriteRequest } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { choice } from '../family/plain-fields.js';
import { optionalReference } from '../family/reference-fields.js';
import { creationTime, creator, modificationTime, modifier } from '../family/stamp-fields.js';
import { name, text } from '../family/text-fields.js';
import { fullOnly, unique, updatableOnly } from '../family/traits.js';
import { Type } from '../routes/type.js';
import { compileCondition } from '../rules/criteria/criteria.js';
import type { FieldsByName } from '../rules/criteria/item-fields.js';
import { BOM_ATTRIBUTE, TRIGGER_RESOURCES, TRIGGER_WORLDS, triggerFields } from '../rules/events/trigger-fields.js';
import { findCategory } from '../rules/item-settings.js';
import { refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { isCategoryWorld } from '../store/item-settings.js';

/** One comparison of an attribute with a value (operators: wire-facts 3). */
interface Condition {
  readonly attribute: string;
  readonly operator: string;
  readonly value: unknown;
}

const attributes = Type.Array(Type.Object({ apiName: Type.String() }, { additionalProperties: false }));

const conditions = Type.Array(
  Type.Object(
    { attribute: Type.String(), operator: Type.String(), value: Type.Unsafe<unknown>({}) },
    { additionalProperties: false },
  ),
);

/** The apiNames of the attributes whose edits count; empty for any. */
const editedAttributes = json<readonly string[], readonly { readonly apiName: string }[]>({
  answer: attributes,
  show: (names) => names.map((apiName) => ({ apiName })),
  given: Type.Optional(attributes),
  parse: (value = []) => value.map(({ apiName }) => apiName),
});

const comparisons = json<readonly Condition[]>({
  answer: conditions,
  given: Type.Optional(conditions),
  parse: (value = []) => value,
});

const fields = {
  name: unique(name(), 'a trigger'),
  description: text(),
  resource: choice(TRIGGER_RESOURCES),
  action: choice(['CREATE', 'EDIT', 'WORKFLOW']),
  category: fullOnly(updatableOnly(optionalReference({ table: 'categories', shows: ['name'] }))),
  attributes: fullOnly(updatableOnly(editedAttributes)),
  conditions: fullOnly(updatableOnly(comparisons)),
  creationDatetime: fullOnly(creationTime()),
  creator: fullOnly(creator()),
  lastModifiedDateTime: fullOnly(modificationTime()),
  modifyUser: fullOnly(modifier()),
};

/** A stored trigger: its attributes and conditions were checked against the world of its resource. */
export type Trigger = RecordOf<typeof fields>;

/** Triggers (wire-facts 0 and 6.1; interface 6). Deleting a trigger removes it from the integrations that use it. */
export const triggers = family({
  path: '/settings/integrations/triggers',
  one: 'a trigger',
  many: 'triggers',
  table: 'triggers',
  capability: 'triggers',
  paged: true,
  fields,
  search: { name: 'text', resource: 'choice', action: 'choice' },
  check: checkedTrigger,
});

function checkedTrigger(trigger: Trigger, { workspace }: WriteRequest): Trigger {
  const { resource, category } = trigger;
  const fields = triggerFields(workspace.settings, resource, workspace.dialect);
  if (category !== null) checkCategory(workspace, category, resource);
  return {
    ...trigger,
    attributes: [...new Set(trigger.attributes.map((apiName) => editableName(apiName, resource, fields.edits)))],
    conditions: trigger.conditions.map((condition) => checkedCondition(condition, fields.conditions)),
  };
}

/** Refuses an unknown category, and every category for quality processes, which have none. */
function checkCategory(workspace: Workspace, guid: string, resource: Trigger['resource']): void {
  const world = TRIGGER_WORLDS[resource];
  if (!isCategoryWorld(world)) throw refuse.guid(guid);
  findCategory(workspace, guid, world);
}

function editableName(apiName: string, resource: Trigger['resource'], fields: FieldsByName): string {
  if (resource === 'ITEM' && apiName.toLowerCase() === BOM_ATTRIBUTE) return BOM_ATTRIBUTE;
  const field = fields.get(apiName.toLowerCase());
  if (!field) throw refuse.unrecognized(apiName);
  if (!field.editable) throw refuse.uneditable(apiName);
  return field.apiName;
}

function checkedCondition({ attribute, operator, value }: Condition, fields: FieldsByName): Condition {
  compileCondition({ attribute, operator, value }, fields);
  return { attribute: fields.get(attribute.toLowerCase())?.apiName ?? attribute, operator, value };
}
