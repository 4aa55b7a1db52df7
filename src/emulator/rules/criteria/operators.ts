import type { FieldValue } from '../../store/items.js';
import { parseDateTime, zulu } from '../date-times.js';
import { isGuid } from '../guid-source.js';
import { refuse, ServiceError } from '../service-error.js';
import type { FieldKind } from './item-fields.js';

/** A value in the form in which its kind is compared: texts in lower case. */
type Comparable = string | number | boolean;

/** An operator, which compares the values of an item (none, one, or those of a multi-select) with the given ones. */
interface Operator {
  readonly kinds: readonly FieldKind[];
  readonly takes: 'one' | 'list' | 'two';
  readonly holds: (stored: readonly Comparable[], given: readonly Comparable[]) => boolean;
}

type Holds = Operator['holds'];
type Compare = (stored: Comparable, given: Comparable) => boolean;

/** All but `any`, which has many values and is only searched. */
const ALL: readonly FieldKind[] = ['text', 'number', 'date', 'flag', 'choice', 'guid'];
const LISTED: readonly FieldKind[] = ['text', 'number', 'choice', 'guid'];
const TEXTS: readonly FieldKind[] = ['text', 'choice'];

const any = (compare: Compare): Holds => {
  return (stored, given) => stored.some((value) => given.some((other) => compare(value, other)));
};
const none = (compare: Compare): Holds => {
  const some = any(compare);
  return (stored, given) => !some(stored, given);
};

const equal: Compare = (value, other) => value === other;
const contains: Compare = (value, other) => isLike(value, `*${other}`);
const startsWith: Compare = isLike;
const less: Compare = (value, other) => value < other;
const more: Compare = (value, other) => value > other;

/** Whether a text begins with another one, in which `*` stands for any text (wire-facts 3, "criteria"). */
function isLike(value: Comparable, pattern: Comparable): boolean {
  const [first = '', ...others] = String(pattern).split('*');
  const text = String(value);
  if (!text.startsWith(first)) return false;
  let from = first.length;
  return others.every((part) => {
    const at = text.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** The operators of wire-facts 3, "criteria"; the kinds of attributes that each suits are ours. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  IS_EQUAL_TO: { kinds: ALL, takes: 'one', holds: any(equal) },
  IS_NOT_EQUAL_TO: { kinds: ALL, takes: 'one', holds: none(equal) },
  CONTAINS: { kinds: [...TEXTS, 'any'], takes: 'one', holds: any(contains) },
  DOES_NOT_CONTAIN: { kinds: TEXTS, takes: 'one', holds: none(contains) },
  STARTS_WITH: { kinds: TEXTS, takes: 'one', holds: any(startsWith) },
  DOES_NOT_START_WITH: { kinds: TEXTS, takes: 'one', holds: none(startsWith) },
  IS_IN: { kinds: LISTED, takes: 'list', holds: any(equal) },
  IS_NOT_IN: { kinds: LISTED, takes: 'list', holds: none(equal) },
  IS_BEFORE: { kinds: ['date'], takes: 'one', holds: any(less) },
  IS_AFTER: { kinds: ['date'], takes: 'one', holds: any(more) },
  IS_BETWEEN: {
    kinds: ['date', 'number'],
    takes: 'two',
    holds: (stored, [from = '', to = '']) => stored.some((value) => value >= from && value <= to),
  },
  IS_LESS_THAN: { kinds: ['number'], takes: 'one', holds: any(less) },
  IS_LESS_THAN_OR_EQUAL_TO: { kinds: ['number'], takes: 'one', holds: any((value, other) => value <= other) },
  IS_GREATER_THAN: { kinds: ['number'], takes: 'one', holds: any(more) },
  IS_GREATER_THAN_OR_EQUAL_TO: { kinds: ['number'], takes: 'one', holds: any((value, other) => value >= other) },
};

const NOT_CHRONOLOGICAL = 3293;

/**
 * Compiles an operator and the value of a request to a test of stored values. Refuses with 3114 an operator that is
 * unknown or does not suit the kind, with 3003 an invalid value, with 3293 dates in the wrong order.
 */
export function compileOperator(
  attribute: string,
  kind: FieldKind,
  name: string,
  value: unknown,
): (stored: FieldValue | null) => boolean {
  const operator = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined;
  if (!operator?.kinds.includes(kind)) {
    throw new ServiceError({ code: 3114, message: `The operator "${name}" is not valid for "${attribute}".` });
  }
  const given = givenValues(attribute, operator, value).map((one) => comparable(attribute, kind, one));
  const [from = '', to = ''] = given;
  if (operator.takes === 'two' && from > to) {
    throw new ServiceError({ code: NOT_CHRONOLOGICAL, message: `The values of "${attribute}" are not in order.` });
  }
  return (stored) => operator.holds(storedValues(kind, stored), given);
}

/** Compiles a test for equality with one of many values; refuses an invalid value with 3003. */
export function compileEquality(
  attribute: string,
  kind: FieldKind,
  values: readonly unknown[],
): (stored: FieldValue | null) => boolean {
  const given = new Set(values.map((value) => comparable(attribute, kind, value)));
  return (stored) => storedValues(kind, stored).some((value) => given.has(value));
}

function givenValues(attribute: string, { takes }: Operator, value: unknown): readonly unknown[] {
  if (takes === 'one') return [value];
  const fits = Array.isArray(value) && (takes === 'two' ? value.length === 2 : value.length > 0);
  if (!fits) throw refuse.invalid(attribute, `it needs an array of ${takes === 'two' ? 'two' : 'one or more'} values.`);
  return value;
}

function storedValues(kind: FieldKind, stored: FieldValue | null): readonly Comparable[] {
  if (stored === null) return [];
  const values = typeof stored === 'object' ? stored : [stored];
  return kind === 'text' || kind === 'choice' || kind === 'any'
    ? values.map((value) => String(value).toLowerCase())
    : values;
}

function comparable(attribute: string, kind: FieldKind, value: unknown): Comparable {
  switch (kind) {
    case 'text':
    case 'choice':
    case 'any':
      return textOf(attribute, value).toLowerCase();
    case 'guid':
      return guidOf(textOf(attribute, value));
    case 'number':
      return numberOf(attribute, value);
    case 'date':
      return dateOf(attribute, textOf(attribute, value));
    case 'flag':
      return flagOf(attribute, value);
    default:
      return kind satisfies never;
  }
}

function textOf(attribute: string, value: unknown): string {
  if (typeof value === 'string' && value !== '') return value;
  if (typeof value === 'number') return String(value);
  throw refuse.invalid(attribute, `${JSON.stringify(value)} is not a text to compare with.`);
}

function guidOf(value: string): string {
  const guid = value.toUpperCase();
  if (!isGuid(guid)) throw refuse.guid(value);
  return guid;
}

function numberOf(attribute: string, value: unknown): number {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (typeof number === 'number' && Number.isFinite(number)) return number;
  throw refuse.invalid(attribute, `${JSON.stringify(value)} is not a number.`);
}

function dateOf(attribute: string, value: string): string {
  const date = parseDateTime(value, 'UTC');
  if (!date) throw refuse.invalid(attribute, `"${value}" is not a date-time such as 2025-01-31T08:00:00Z.`);
  return zulu(date);
}

function flagOf(attribute: string, value: unknown): boolean {
  const text = String(value).toLowerCase();
  if (text === 'true' || text === 'false') return text === 'true';
  throw refuse.invalid(attribute, `${JSON.stringify(value)} is neither true nor false.`);
}
