import type { Dialect } from '../../dialects/dialect.js';
import { byApiName, type FieldsByName, itemFields, type Names } from '../criteria/item-fields.js';

/** What an edit of BOM lines is called among the edited attributes of an item. */
export const BOM_ATTRIBUTE = 'bom';

/**
 * The fields that triggers can name. Custom attributes go by what the dialect's mappings call them (wire-facts 0, "custom
 * attribute in an import mapping").
 */
export function conditionFields(names: Names, { customAttributes }: Dialect): FieldsByName {
  const fields = itemFields(names);
  if (customAttributes === 'guid') return byApiName(fields);
  return byApiName(fields.map((field) => (field.custom ? { ...field, apiName: field.name } : field)));
}
