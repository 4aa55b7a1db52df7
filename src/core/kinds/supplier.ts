import { keyedList, object } from '../model/fields.js';
import { isObject, type Json, type JsonObject, pickValues } from '../model/json.js';
import type { OwnEntries, SpecFinding } from '../model/kind.js';
import { type Static, Type } from '../model/schema.js';
import { defineKind } from './define-kind.js';

const text = (description: string) => Type.Optional(Type.String({ description, minLength: 1 }));

const address = object({
  label: Type.String({ description: 'What it is for, such as Headquarters; it identifies the address.', minLength: 1 }),
  address1: text('The first line.'),
  address2: text('The second line.'),
  city: text('The city.'),
  state: text('The state.'),
  province: text('The province.'),
  postalCode: text('The postal code.'),
  country: text('The country or region.'),
  primary: Type.Optional(
    // No trait: a pull writes it, since a list with a primary address says it of each.
    Type.Boolean({ description: 'Whether it is the primary address; at most one is.', default: false }),
  ),
});

const phoneNumber = object({
  number: Type.String({ description: 'The number; with its extension, it identifies the entry.', minLength: 1 }),
  extension: text('The extension.'),
  label: text('What it is for, such as Sales.'),
  comment: text('Free text.'),
});

const schema = object({
  description: text('Free text.'),
  supplierId: text('The identifier under which other systems know it.'),
  accountNumber: text('Our account there.'),
  website: text('Its address on the web.'),
  approvalStatus: Type.Optional(
    Type.String({ enum: ['approved', 'unrated', 'disapproved'], description: 'Whether parts may be bought there.' }),
  ),
  addresses: Type.Optional(
    keyedList(['label'], address, { description: 'Its addresses, by label. If given, all others are removed.' }),
  ),
  phoneNumbers: Type.Optional(
    keyedList(['number', 'extension'], phoneNumber, {
      description: 'Its phone numbers. If given, all others are removed.',
    }),
  ),
});

const LINES = ['label', 'address1', 'address2', 'city', 'state', 'province', 'postalCode'];
const COUNTRY = 'Country/Region';

/** The key of the country looks like a slip of the interface, so the usual one is read too (wire-facts 8.4). */
const addresses: OwnEntries = {
  path: 'addresses',
  guidIn: 'address',
  toWire: ({ country = null, primary = null, ...lines }) => ({
    address: { ...withAll(LINES, lines), [COUNTRY]: country },
    primary: primary === true,
  }),
  fromWire({ address: lines, primary }) {
    if (!isObject(lines)) throw new TypeError('the address is missing');
    const country = lines[COUNTRY] ?? lines.country ?? null;
    return { ...pickValues({ ...lines, country }, [...LINES, 'country']), primary: primary === true };
  },
};

const PHONE = ['number', 'extension', 'label', 'comment'];

const phoneNumbers: OwnEntries = {
  path: 'phonenumbers',
  clears: 'with setnull',
  toWire: (entry) => withAll(PHONE, entry),
  fromWire: (body) => pickValues(body, PHONE),
};

const withAll = (fields: readonly string[], entry: JsonObject): JsonObject =>
  Object.fromEntries(fields.map((field): [string, Json] => [field, entry[field] ?? null]));

/** A supplier (wire-facts 8.4). Its addresses and phone numbers are a request each; no list shows them. */
export const supplier = defineKind({
  name: 'Supplier',
  summary: 'A company that parts are bought from.',
  collection: 'suppliers',
  schema,
  children: { addresses, phoneNumbers },
  fromWire: (body) => pickValues(body, ['description', 'supplierId', 'accountNumber', 'website', 'approvalStatus']),
  check: primaryFindings,
});

/** Requires that a list with a primary address says of each whether it is that: the service accepts only one. */
function primaryFindings({ addresses: list }: Static<typeof schema>): SpecFinding[] {
  const all = list ?? [];
  const first = all.findIndex(({ primary }) => primary === true);
  if (first < 0) return [];
  return all.flatMap(({ label, primary }, index): SpecFinding[] => {
    const at = { pointer: `/addresses/${index}` as const, code: 'address-primary' };
    if (index === first || primary === false) return [];
    const other = all[first]?.label;
    return primary === true
      ? [{ ...at, message: `has two primary addresses: "${other}" and "${label}".` }]
      : [
          {
            ...at,
            message: `has the primary address "${other}", and does not say whether "${label}" is it too.`,
            hint: 'Add `primary: false`.',
          },
        ];
  });
}
