import { documented, inverse, owned } from '../documented/documented.js';
import { kept } from '../documented/kept-value.js';
import { hasSibling } from '../documented/siblings.js';
import type { Family } from '../family/family.js';
import { choice } from '../family/plain-fields.js';
import { name } from '../family/text-fields.js';
import { ruledValues } from '../family/value-fields.js';
import { refusal } from '../rules/service-error.js';

/** Suppliers (wire-facts 8.4). Names need not be unique; that new suppliers are unrated is INFERRED. */
export const suppliers = documented('/suppliers', {
  one: 'a supplier',
  many: 'suppliers',
  table: 'suppliers',
  capability: 'suppliers',
  imported: true,
  world: 'SUPPLIERS',
  clearable: ['supplierId', 'accountNumber', 'description', 'website'],
  fields: {
    name: name('TEXT NOT NULL'),
    approvalStatus: kept(choice(['unrated', 'approved', 'disapproved'], 'unrated')),
    additional: ruledValues(),
  },
  parts: { addresses: () => supplierAddresses, phoneNumbers: () => supplierPhoneNumbers },
  indexes: { suppliers_by_name: 'name' },
});

/** A stored supplier: all but its name is in `fields` and `additional`. */
export type SupplierRecord = ReturnType<typeof suppliers.read>;

/** One address of a supplier is its primary one at most (wire-facts 8.4). */
export const supplierAddresses: Family = owned(suppliers, 'addresses', {
  one: 'an address',
  many: 'addresses',
  shows: { address: (address, { guid }) => ({ ...(address as object), guid }) },
  after: (address, { workspace }) => {
    const { primary } = address.fields;
    if (primary === true && hasSibling(workspace, supplierAddresses, address, 'primary', 1))
      throw refusal(3044, 'A supplier has one primary address.');
  },
});

/** The phone numbers of suppliers. */
export const supplierPhoneNumbers: Family = owned(suppliers, 'phonenumbers', {
  one: 'a phone number',
  many: 'phone numbers',
  clearable: ['comment', 'extension', 'label', 'number'],
});

/** The files of suppliers, and the suppliers of files. */
export const supplierFiles = owned(suppliers, 'files', { one: 'a file', many: 'files', once: ['file', 3097] });
export const suppliersOfFiles = inverse('/files/{guid}/suppliers', supplierFiles);
