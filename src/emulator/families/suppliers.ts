import { link } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { name } from '../family/text-fields.js';
import { fieldValues, keptText, ruledValues } from '../family/value-fields.js';
import { nullable } from '../routes/schemas.js';
import { Type } from '../routes/type.js';
import { choose } from '../rules/enumeration-value.js';
import { additionalAttributes } from './additional-attributes.js';

const text = Type.Optional(nullable(Type.String()));

/** The fields of a request besides the name. Addresses, phone numbers and custom attributes are not accepted here. */
const given = { description: text, website: text, supplierId: text, accountNumber: text, approvalStatus: text };

/** Wire-facts 8.4; that new suppliers are unrated is INFERRED. */
const APPROVAL_STATUSES = ['unrated', 'approved', 'disapproved'] as const;

/** Suppliers (endpoints.md, wire-facts 8.4). Names need not be unique; searches are INFERRED. */
export const suppliers = family({
  path: '/suppliers',
  one: 'a supplier',
  many: 'suppliers',
  table: 'suppliers',
  capability: 'suppliers',
  paged: true,
  fields: {
    name: name('TEXT NOT NULL'),
    supplierId: keptText(),
    accountNumber: keptText(),
    approvalStatus: keptText(),
    website: keptText(),
    description: keptText(),
    creationDateTime: creationTime(),
    creator: creator(),
    additionalAttributes: additionalAttributes('SUPPLIERS'),
    url: link('/suppliers'),
    fields: ruledValues(),
    additional: fieldValues(),
  },
  given,
  indexes: { suppliers_by_name: 'name' },
  search: { name: 'text', supplierId: 'text', 'creator.guid': 'text', 'creator.fullName': 'text' },
  check: (supplier, { body }) => ({ ...supplier, additional: supplier.additional ?? {}, fields: saidIn(body) }),
});

/** Collects the fields of a body. Updates are full: a field that the body leaves out is removed. */
function saidIn(body: Readonly<Record<string, unknown>>): Record<string, string> {
  const texts = Object.keys(given).flatMap((field) => {
    const value = body[field];
    return typeof value === 'string' && value !== '' ? [[field, value]] : [];
  });
  const said = Object.fromEntries(texts) as Record<string, string>;
  return { ...said, approvalStatus: choose(said.approvalStatus ?? 'unrated', APPROVAL_STATUSES, 'approvalStatus') };
}

/** A stored supplier: all but its name is in `fields` and `additional`. */
export type SupplierRecord = ReturnType<typeof suppliers.read>;
