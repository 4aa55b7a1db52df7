import type { ImportDefinitionSpec } from '#core/kinds/import-definition.js';
import { NUMBER } from '../preflight/number-pattern.js';
import { parseInstant } from './instant.js';

/** Form in which values of a field are compared, however they are written. A `flag` without a value is false. */
export type ValueForm = 'text' | 'number' | 'date' | 'boolean' | 'flag' | 'choices' | 'designators';

/** Options of a definition for reading its cells. */
export interface CellReadingOptions {
  readonly delimiter: string;
  readonly timeZone: string;
  readonly whiteSpace: 'STRIP' | 'RETAIN';
}

/** With the defaults of the service (wire-facts 4, "multiSelectDelimiter", "timeZone", "stripWhiteSpace"). */
export const cellReadingOptions = ({ options }: ImportDefinitionSpec): CellReadingOptions => ({
  delimiter: options?.multiSelectDelimiter ?? ';',
  timeZone: options?.timeZone ?? 'UTC',
  whiteSpace: options?.stripWhiteSpace === 'RETAIN' ? 'RETAIN' : 'STRIP',
});

/** Standard fields that are not plain text, in lower case (wire-facts 3, "Item object"; sections 8.2 to 8.4). */
const STANDARD: Readonly<Record<string, ValueForm>> = {
  'category.name': 'choices',
  'lifecyclephase.name': 'choices',
  procurementtype: 'choices',
  standardcost: 'number',
  targetcost: 'number',
  prototypecost: 'number',
  productioncost: 'number',
  targetprice: 'number',
  shared: 'flag',
  offtheshelf: 'flag',
  linenumber: 'number',
  quantity: 'number',
  refdes: 'designators',
  'approvalstatus.name': 'choices',
  priority: 'number',
  amlrank: 'number',
  amlsplit: 'number',
  vendoritemconversionfactor: 'number',
  approved: 'flag',
  makeitem: 'flag',
  'supplieritem.leadtime': 'number',
  'supplieritem.offtheshelf': 'flag',
  primary: 'flag',
  latesteditionassociation: 'flag',
  private: 'flag',
  storagemethodname: 'choices',
};

/** The types of custom attributes (wire-facts 7, `fieldType`). */
const CUSTOM: Readonly<Record<string, ValueForm>> = {
  BOOLEAN: 'boolean',
  COST: 'number',
  DATE: 'date',
  DATE_TIME: 'date',
  DROP_DOWN: 'choices',
  FIXED_DROP_DOWN: 'choices',
  NUMBER: 'number',
  NUMERIC: 'number',
  POSITIVE_DOUBLE: 'number',
};

/** The form of a standard field, by its apiName in lower case. */
export const formOfField = (field: string): ValueForm => STANDARD[field] ?? 'text';

/** The form of a custom attribute, by its type. */
export const formOfType = (fieldType: string): ValueForm => CUSTOM[fieldType.toUpperCase()] ?? 'text';

/**
 * Converts all ways to write a value to one text: two cells mean the same to the service exactly if their texts are
 * equal. Text that is not a value of the form is returned as it is.
 */
export function normalValue(form: ValueForm, text: string, reading: CellReadingOptions): string {
  const stripped = reading.whiteSpace === 'STRIP' ? text.trim() : text;
  if (stripped === '') return form === 'flag' ? 'false' : '';
  switch (form) {
    case 'text':
      return stripped.replaceAll('\r\n', '\n');
    case 'number':
      return numberText(stripped);
    case 'date':
      return parseInstant(stripped, reading.timeZone) ?? stripped;
    case 'boolean':
    case 'flag':
      return truthText(stripped);
    case 'choices':
      return choicesText(stripped, reading.delimiter);
    case 'designators':
      return designatorsText(stripped);
    default:
      return form satisfies never;
  }
}

function numberText(text: string): string {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  // Turns -0 into 0.
  return Number.isFinite(value) ? String(value + 0) : text;
}

const TRUTHS: Readonly<Record<string, string>> = { true: 'true', yes: 'true', false: 'false', no: 'false' };

const truthText = (text: string): string => TRUTHS[text.trim().toLowerCase()] ?? text;

/** Options are matched without regard to letter case, and have no order. */
function choicesText(text: string, delimiter: string): string {
  const parts = text.split(delimiter).map((part) => part.trim().toLowerCase());
  const filled = parts.filter((part) => part !== '').sort();
  return filled.length > 1 ? JSON.stringify(filled) : (filled[0] ?? '');
}

const SEPARATORS = /[\s,;]+/;
const RANGE = /^([A-Za-z_]*)(\d+)-([A-Za-z_]*)(\d+)$/;
const MOST_IN_RANGE = 10_000;

/** Sorts designators and expands ranges (wire-facts 8.2: `R1,R2,R4-R10`). */
function designatorsText(text: string): string {
  const parts = text.split(SEPARATORS).filter((part) => part !== '');
  return parts.flatMap(designatorsOf).sort().join(',');
}

function designatorsOf(part: string): readonly string[] {
  const [, prefix = '', from = '', other = '', to = ''] = RANGE.exec(part) ?? [];
  const length = Number(to) - Number(from) + 1;
  if (from === '' || (other !== '' && other !== prefix) || length < 1 || length > MOST_IN_RANGE) return [part];
  return Array.from({ length }, (_, index) => `${prefix}${String(Number(from) + index).padStart(from.length, '0')}`);
}
