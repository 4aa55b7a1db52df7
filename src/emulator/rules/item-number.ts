import { findSequence, type NumberFormat, numberFormats, numberFrom } from '../families/number-formats.js';
import { hasNumber, LONGEST, nextNumbers } from '../families/number-reservations.js';
import { readRecord } from '../family/records.js';
import type { Category } from '../store/item-settings.js';
import { refusal, refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

/** The part of a body that says how an item is numbered; its fields are named by GUID, or by the same as apiName. */
interface GivenFormat {
  readonly guid?: string | null;
  readonly fields?: readonly { readonly guid?: string; readonly apiName?: string; readonly value?: unknown }[] | null;
}

type NumberField = NumberFormat['fields'][number];

/**
 * The number that a body asks for (wire-facts 8.1): a free text, or the next one of a format, by default of that of the
 * category; one without a format needs a text (3014).
 */
export function numberFor(
  workspace: Workspace,
  { numberFormat: own, name }: Category,
  { number, numberFormat }: { readonly number?: unknown; readonly numberFormat?: unknown },
): string {
  if (numberFormat) return formattedNumber(workspace, numberFormat as GivenFormat);
  if (typeof number === 'string' && number.trim() !== '') return free(workspace, number);
  if (own === null) throw refusal(3014, `The category "${name}" has no number format: its items need a number.`);
  return formattedNumber(workspace, { guid: own });
}

/** The next number of the format that a body names, with the values that it gives. */
export function formattedNumber(workspace: Workspace, { guid, fields }: GivenFormat): string {
  const format = readRecord(workspace.settings, numberFormats, guid ?? '');
  if (format === undefined) throw refusal(3008, `There is no number format with the GUID "${guid ?? ''}".`);
  const values = new Map((fields ?? []).map((field) => [field.guid ?? field.apiName ?? '', field.value ?? null]));
  const unknown = [...values.keys()].find((key) => !format.fields.some((field) => field.guid === key));
  if (unknown !== undefined) throw refuse.guid(unknown);
  const filled = { ...format, fields: format.fields.map((field) => withValue(field, values.get(field.guid) ?? null)) };
  const number = findSequence(format) ? nextNumbers(workspace, filled, 1)[0] : numberFrom(filled, 0);
  if (number === undefined || number.length > LONGEST) {
    throw refusal(3015, `A number takes ${LONGEST} characters at most.`);
  }
  return free(workspace, number);
}

/** Refuses a number that an item has (wire-facts 2: status 409). */
function free({ settings }: Workspace, number: string): string {
  if (!hasNumber(settings, number)) return number;
  throw refusal(3025, `An item with the number "${number}" exists already.`, 409);
}

/** A part of a format with the value that a body gives. */
function withValue(field: NumberField, given: unknown): NumberField {
  const { name, type, maxLength, possibleValues } = field;
  const value = given === null ? field.value : String(given);
  const choices = type === 'VALUE_LIST' ? possibleValues.map((one) => one.value) : [field.value];
  if (type !== 'FREE_TEXT') {
    if (given !== null && !choices.includes(value)) throw refusal(3010, `"${name}" cannot be "${value}".`);
    return { ...field, value };
  }
  if (value === null || value === '') throw refusal(3009, `The part "${name}" of the number is required.`);
  if (maxLength > 0 && value.length > maxLength) {
    throw refusal(3013, `"${name}" takes ${maxLength} characters at most, not ${value.length}.`);
  }
  return { ...field, value };
}
