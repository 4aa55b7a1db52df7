import { isObject, type Json, type JsonObject } from '../../model/json.js';

/**
 * What a record has in a target field, as a cell would write it; undefined where its answer does not show that field
 * (wire-facts 3, "Item object"). Custom attributes are found by their name or GUID.
 */
export function liveCell(record: JsonObject, field: string, delimiter: string): string | undefined {
  const custom = customOf(record, field);
  if (custom !== undefined) return liveText(custom.value ?? null, delimiter);
  let value: Json | undefined = record;
  for (const part of field.split('.')) {
    if (!isObject(value)) return undefined;
    const holder: JsonObject = value;
    const name = Object.keys(holder).find((key) => key.toLowerCase() === part);
    value = name === undefined ? undefined : holder[name];
  }
  return value === undefined || isObject(value) ? undefined : liveText(value, delimiter);
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

const DATE = /^\d{4}-\d{2}-\d{2}/;
const TRUE = ['true', 'yes'];
const FALSE = ['false', 'no'];

/** Whether the workspace has what a cell asked for, although it writes numbers, dates, choices and truths in its own way. */
export function isSameValue(asked: string, live: string, delimiter: string): boolean {
  const [a, b] = [asked.trim(), live.trim()];
  if (a === b || a.replaceAll('\r\n', '\n') === b.replaceAll('\r\n', '\n')) return true;
  if (a === '' || b === '') return false;
  if (Number(a) === Number(b)) return true;
  if (DATE.test(a) && DATE.test(b)) return Date.parse(a) === Date.parse(b);
  const lower = [a.toLowerCase(), b.toLowerCase()] as const;
  if ([TRUE, FALSE].some((words) => lower.every((word) => words.includes(word)))) return true;
  const parts = lower.map((text) => text.split(delimiter).map((part) => part.trim()));
  return sortedText(parts[0]) === sortedText(parts[1]);
}

const sortedText = (parts: readonly string[] = []): string => JSON.stringify([...parts].sort());
