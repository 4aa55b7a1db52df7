import type { ImportOptions } from '../../store/imports.js';
import type { FieldValue } from '../../store/items.js';
import { parseDateTime, zulu } from '../date-times.js';
import { refuse, ServiceError } from '../service-error.js';
import type { Target } from './targets.js';

/** Custom attributes have error codes of their own (wire-facts 2.1: 2000 to 2029). */
const CUSTOM = { invalid: 2001, option: 2002, date: 2003, number: 2004, values: 2007, required: 2008, newline: 2011 };
const TOO_LONG = 3101;

const TRUTHS = new Map([
  ['true', true],
  ['yes', true],
  ['false', false],
  ['no', false],
]);

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Parses a cell for its target, or refuses it with an error that names the attribute (field types: wire-facts 7). */
export function parseValue(target: Target, text: string, options: ImportOptions): FieldValue {
  switch (target.fieldType) {
    case 'SINGLE_LINE_TEXT':
      if (/[\r\n]/.test(text)) throw invalid(target, 'newline', 'it has more than one line.');
      return withinLength(target, text);
    case 'MULTI_LINE_TEXT':
      return withinLength(target, text);
    case 'NUMBER':
      return numberOf(target, text);
    case 'DATE':
      return dateOf(target, text, options.timeZone ?? 'UTC');
    case 'BOOLEAN':
      return truthOf(target, text);
    case 'DROP_DOWN':
    case 'FIXED_DROP_DOWN':
      return target.multiSelect ? choicesOf(target, text, options.multiSelectDelimiter ?? ';') : choiceOf(target, text);
    default:
      return target.fieldType satisfies never;
  }
}

/** Builds the refusal of a missing value: 2008 for a custom attribute, 3001 for a standard field (wire-facts 2.1). */
export function requiredError(target: Target): ServiceError {
  if (!target.custom) return refuse.required(target.label);
  return new ServiceError({ code: CUSTOM.required, message: `The attribute "${target.label}" is required.` });
}

function invalid(target: Target, problem: keyof typeof CUSTOM, why: string): ServiceError {
  if (!target.custom) return refuse.invalid(target.label, why);
  return new ServiceError({ code: CUSTOM[problem], message: `"${target.label}" is not valid: ${why}` });
}

function withinLength(target: Target, text: string): string {
  if (target.maxLength === null || text.length <= target.maxLength) return text;
  const message = `"${target.label}" takes ${target.maxLength} characters at most, not ${text.length}.`;
  throw new ServiceError({ code: TOO_LONG, message });
}

function numberOf(target: Target, text: string): number {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw invalid(target, 'number', `"${text}" is not a number.`);
  if (target.positive && value < 0) throw invalid(target, 'number', `"${text}" is negative.`);
  return value;
}

function dateOf(target: Target, text: string, timeZone: string): string {
  const date = parseDateTime(text, timeZone);
  if (!date) throw invalid(target, 'date', `"${text}" is not an ISO-8601 date.`);
  return zulu(date);
}

function truthOf(target: Target, text: string): boolean {
  const truth = TRUTHS.get(text.trim().toLowerCase());
  if (truth === undefined) throw invalid(target, 'invalid', `"${text}" is none of true, false, yes, no.`);
  return truth;
}

function choiceOf(target: Target, text: string): string {
  const known = target.possibleValues.find((value) => value.toLowerCase() === text.toLowerCase());
  if (known !== undefined) return known;
  if (!target.custom) throw refuse.option(text, target.label);
  throw new ServiceError({
    code: CUSTOM.option,
    message: `"${text}" is not an option of the attribute "${target.label}".`,
  });
}

function choicesOf(target: Target, text: string, delimiter: string): string[] {
  const parts = text.split(delimiter).map((part) => part.trim());
  const choices = parts.filter((part) => part !== '').map((part) => choiceOf(target, part));
  if (new Set(choices).size < choices.length) throw invalid(target, 'values', `"${text}" names a value twice.`);
  return choices;
}
