import { derived } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import type { RecordOf } from '../family/field.js';
import { json } from '../family/json-fields.js';
import { count, flag } from '../family/plain-fields.js';
import { creationTime } from '../family/stamp-fields.js';
import { name } from '../family/text-fields.js';
import { fixed, fullOnly, hidden, unique } from '../family/traits.js';
import { nullable } from '../routes/schemas.js';
import { type Static, Type } from '../routes/type.js';
import { refuse } from '../rules/service-error.js';
import type { Database } from '../store/database.js';

const FIELD_TYPES = ['VALUE_LIST', 'DELIMITER', 'FREE_TEXT', 'AUTO_SEQUENCE'] as const;

type FieldType = (typeof FIELD_TYPES)[number];

/** One part of a number (wire-facts 7, "numberformats"). */
interface NumberField {
  readonly apiName: string;
  readonly guid: string;
  readonly maxLength: number;
  readonly name: string;
  readonly possibleValues: readonly { readonly value: string; readonly description: string }[];
  readonly type: FieldType;
  /** The value unless another one is chosen; null for a sequence. */
  readonly value: string | null;
}

const numberFieldAnswer = Type.Object({
  apiName: Type.String(),
  guid: Type.String(),
  maxLength: Type.Integer(),
  name: Type.String(),
  possibleValues: Type.Array(Type.Object({ value: Type.String(), description: Type.String() })),
  type: Type.String(),
  value: nullable(Type.String()),
});

const numberFieldBody = Type.Object(
  {
    name: Type.String(),
    type: Type.Unsafe<FieldType>({ type: 'string', enum: FIELD_TYPES }),
    maxLength: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    value: Type.Optional(Type.String()),
    possibleValues: Type.Optional(
      Type.Array(Type.Object({ value: Type.String(), description: Type.Optional(Type.String()) })),
    ),
  },
  { additionalProperties: false },
);

/** A part of a format as a request gives it; its type determines the defaults. */
export type NumberFieldBody = Static<typeof numberFieldBody>;

const parts = json<readonly NumberField[], readonly NumberFieldBody[]>({
  answer: Type.Array(numberFieldAnswer),
  given: Type.Array(numberFieldBody),
  parse: (bodies = [], attribute, { chance }) => {
    if (bodies.length === 0) throw refuse.empty(attribute);
    return bodies.map((body) => numberField(body, chance.guid()));
  },
});

/** The parts that numbers are composed of. */
interface OfParts {
  readonly fields: readonly NumberField[];
}

const fields = {
  name: unique(name(), 'a number format'),
  /** Whether new categories get this format. */
  default: fixed(flag(false, { column: 'is_default' })),
  exampleNumber: derived<OfParts>(Type.String(), (format) => numberFrom(format, 1)),
  creationDateTime: creationTime(),
  fields: fullOnly(parts),
  /** The last value of its sequence that was issued. */
  taken: hidden(count(0)),
};

/** A stored format. `taken` only grows, so that no number of its sequence is issued twice. */
export type NumberFormat = RecordOf<typeof fields>;

/** The formats of item numbers: compact in the list, with their fields in single reads (wire-facts 7). */
export const numberFormats = family({
  path: '/settings/items/numberformats',
  one: 'a number format',
  many: 'number formats',
  table: 'number_formats',
  listView: 'compact',
  fields,
  search: { name: 'text' },
  summaries: { list: 'List number formats' },
});

const SEQUENCE_LENGTH = 6;

/**
 * Completes a part of a format. A sequence has no value, and six digits by default; any other part defaults to its
 * first possible value, and to the length of the longest.
 */
export function numberField(body: NumberFieldBody, guid: string): NumberField {
  const { name: title, type, possibleValues = [] } = body;
  const value = type === 'AUTO_SEQUENCE' ? null : (body.value ?? possibleValues[0]?.value ?? '');
  const longest = Math.max(value?.length ?? 0, ...possibleValues.map((one) => one.value.length));
  return {
    apiName: guid,
    guid,
    maxLength: body.maxLength ?? (type === 'AUTO_SEQUENCE' ? SEQUENCE_LENGTH : longest),
    name: title,
    possibleValues: possibleValues.map((one) => ({ value: one.value, description: one.description ?? '' })),
    type,
    value,
  };
}

/** The sequence in a format, if it has one. */
export function findSequence({ fields: own }: OfParts): NumberField | undefined {
  return own.find((field) => field.type === 'AUTO_SEQUENCE');
}

/** Composes a number from a value of the format's sequence, padded with zeros, and the values of its other parts. */
export function numberFrom({ fields: own }: OfParts, position: number): string {
  return own
    .map(({ type, maxLength, value }) => (type === 'AUTO_SEQUENCE' ? String(position).padStart(maxLength, '0') : value))
    .join('');
}

/** Advances the counter of a sequence; it never goes back. */
export function advanceSequence(database: Database, guid: string, taken: number): void {
  database.run('UPDATE number_formats SET taken = max(taken, ?) WHERE guid = ?', taken, guid);
}
