import type { Dialect } from '../../dialects/dialect.js';
import type { Database } from '../../store/database.js';
import type { World } from '../../store/item-settings.js';
import { byApiName, type FieldsByName, fieldsOfWorld } from '../criteria/item-fields.js';

/** The name of an edit of BOM lines among the edited attributes of an item. */
export const BOM_ATTRIBUTE = 'bom';

/** The resources that triggers can watch (wire-facts 6.1); in this workspace, only items cause events. */
export const TRIGGER_RESOURCES = ['ITEM', 'REQUEST', 'CHANGE', 'QUALITY'] as const;

type Resource = (typeof TRIGGER_RESOURCES)[number];

/** The world whose attributes and categories the triggers of a resource name. */
export const TRIGGER_WORLDS: Readonly<Record<Resource, World>> = {
  ITEM: 'ITEMS',
  REQUEST: 'REQUESTS',
  CHANGE: 'CHANGES',
  QUALITY: 'QUALITY_PROCESSES',
};

/** The fields that the triggers of a resource can name. */
interface TriggerFields {
  /** The fields that conditions compare, custom attributes by GUID as in criteria. */
  readonly conditions: FieldsByName;
  /** The fields whose edits count, custom attributes by the names that the dialect's mappings use (wire-facts 0). */
  readonly edits: FieldsByName;
}

/** Returns the fields that a trigger of the resource can name now; a custom attribute added later needs a new call. */
export function triggerFields(settings: Database, resource: Resource, dialect: Dialect): TriggerFields {
  const fields = fieldsOfWorld(settings, TRIGGER_WORLDS[resource]);
  const byName = dialect.customAttributes === 'name';
  return {
    conditions: byApiName(fields),
    edits: byApiName(fields.map((field) => (byName && field.custom ? { ...field, apiName: field.name } : field))),
  };
}
