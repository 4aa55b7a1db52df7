import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { isStandardField } from '#core/model/known-fields.js';
import { formOfField, formOfType, type ValueForm } from './value-form.js';

/** What a record has in a field, as a cell would write it, and how such values are compared. */
export interface LiveValue {
  readonly text: string;
  readonly form: ValueForm;
}

/** What records do not say themselves. */
export interface LiveNames {
  /** Separates several values of a cell. */
  readonly delimiter: string;
  /** The path of a category by its GUID; most records have the plain name alone. */
  readonly categoryPath?: (guid: string) => string | undefined;
  /** Whether a field in lower case is one that the record has by itself; absent for items and BOM lines. */
  readonly isOwn?: (field: string) => boolean;
}

/**
 * What a record has in a target field, in lower case; undefined where its answer does not show that field (wire-facts 3,
 * "Item object"). Custom attributes are found by their name or GUID.
 */
export function liveValue(record: JsonObject, field: string, names: LiveNames): LiveValue | undefined {
  const custom = customOf(record, field);
  if (custom !== undefined) {
    return { text: liveText(custom.value ?? null, names.delimiter), form: formOfType(String(custom.fieldType)) };
  }
  // Custom attributes without a value are left out of most answers.
  const { isOwn = isStandardField } = names;
  if (Array.isArray(record.additionalAttributes) && !isOwn(field)) return { text: '', form: 'text' };
  const value = field === 'category.path' ? pathOfCategory(record, names) : valueAt(record, recordField(field));
  if (value === undefined || isObject(value)) return undefined;
  return { text: liveText(value, names.delimiter), form: formOfField(field) };
}

/** What mappings call otherwise than records do (wire-facts 4, "Mapping entry"). */
const WRITTEN: Readonly<Record<string, string>> = { owner: 'owner.fullname' };

/** What records call the target field of a mapping, in lower case. */
export const recordField = (field: string): string => WRITTEN[field] ?? field;

function valueAt(record: JsonObject, field: string): Json | undefined {
  let value: Json | undefined = record;
  for (const part of field.split('.')) {
    // An object that is not set is null, and so are its members.
    if (value === null) return null;
    if (!isObject(value)) return undefined;
    const holder: JsonObject = value;
    const name = part in holder ? part : Object.keys(holder).find((key) => key.toLowerCase() === part);
    value = name === undefined ? undefined : holder[name];
  }
  return value;
}

function pathOfCategory({ category }: JsonObject, { categoryPath }: LiveNames): string | undefined {
  if (!isObject(category)) return undefined;
  return typeof category.path === 'string' ? category.path : categoryPath?.(String(category.guid));
}

function customOf({ additionalAttributes }: JsonObject, field: string): JsonObject | undefined {
  if (!Array.isArray(additionalAttributes)) return undefined;
  return additionalAttributes
    .filter(isObject)
    .find(({ name, apiName, guid }) => [name, apiName, guid].some((one) => String(one).toLowerCase() === field));
}

function liveText(value: Json, delimiter: string): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.map(String).join(delimiter);
  return String(value);
}
