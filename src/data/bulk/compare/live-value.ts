import { isObject, type Json, type JsonObject } from '#core/model/json.js';
import { isStandardField } from '#core/model/known-fields.js';
import { formOfField, formOfType, type ValueForm } from './value-form.js';

/** Value of a record's field as a cell would write it, and the form in which it is compared. */
export interface LiveValue {
  readonly text: string;
  readonly form: ValueForm;
}

/** Facts that records do not contain themselves. */
export interface LiveNames {
  /** Separates several values of a cell. */
  readonly delimiter: string;
  /** The path of a category by its GUID; most records have the plain name alone. */
  readonly categoryPath?: (guid: string) => string | undefined;
  /** Whether a field, in lower case, is one of the record's own; absent for items and BOM lines. */
  readonly isOwn?: (field: string) => boolean;
}

/**
 * Reads a target field, in lower case, from a record; undefined if its answer does not show that field (wire-facts 3,
 * "Item object"). Custom attributes are found by their name or GUID.
 */
export function liveValue(record: JsonObject, field: string, names: LiveNames): LiveValue | undefined {
  const custom = customOf(record, field);
  if (custom !== undefined) {
    return { text: liveText(custom.value ?? null, names.delimiter), form: formOfType(String(custom.fieldType)) };
  }
  // Most answers leave out custom attributes without a value.
  const { isOwn = isStandardField } = names;
  if (Array.isArray(record.additionalAttributes) && !isOwn(field)) return { text: '', form: 'text' };
  const value = field === 'category.path' ? pathOfCategory(record, names) : valueAt(record, recordField(field));
  if (value === undefined || isObject(value)) return undefined;
  return { text: liveText(value, names.delimiter), form: formOfField(field) };
}

/** Fields with different names in mappings and in records (wire-facts 4, "Mapping entry"). */
const WRITTEN: Readonly<Record<string, string>> = { owner: 'owner.fullname' };

/** Name that records use for the target field of a mapping, in lower case. */
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
