import type { Attribute } from '../store/item-settings.js';
import type { FieldValue, FieldValues } from '../store/items.js';

/** The value of a custom attribute, as items, BOM lines and files show it (wire-facts 3). */
export interface AdditionalAttribute {
  readonly guid: string;
  readonly apiName: string;
  readonly name: string;
  readonly fieldType: string;
  readonly value: FieldValue | null;
}

/** Returns the custom attributes of a record with their values; `empty` includes those without a value. */
export function listAdditionalAttributes(
  additional: FieldValues,
  attributes: readonly Attribute[],
  empty: boolean,
): AdditionalAttribute[] {
  const shown = attributes.filter(({ custom, guid }) => custom && (empty || additional[guid] !== undefined));
  return shown.map(({ guid, apiName, name, fieldType }) => {
    return { guid, apiName, name, fieldType, value: additional[guid] ?? null };
  });
}
