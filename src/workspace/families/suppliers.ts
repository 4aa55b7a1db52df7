import { link } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import { creationTime, creator } from '../family/stamp-fields.js';
import { plainText } from '../family/text-fields.js';
import { fieldValues, keptText } from '../family/value-fields.js';
import { additionalAttributes } from './additional-attributes.js';

/** Suppliers, for reading (endpoints.md). Fields and searches are INFERRED from those of items (wire-facts 3). */
export const suppliers = family({
  path: '/suppliers',
  one: 'a supplier',
  many: 'suppliers',
  table: 'suppliers',
  paged: true,
  fields: {
    name: plainText(),
    webSite: keptText(),
    supplierCode: keptText(),
    description: keptText(),
    creationDateTime: creationTime(),
    creator: creator(),
    additionalAttributes: additionalAttributes('SUPPLIERS'),
    url: link('/suppliers'),
    fields: fieldValues(),
    additional: fieldValues(),
  },
  indexes: { suppliers_by_name: 'name' },
  search: { name: 'text', 'creator.guid': 'text', 'creator.fullName': 'text' },
});

/** A supplier as it is stored: what imports write beside its name is in `fields` and `additional`. */
export type SupplierRecord = ReturnType<typeof suppliers.read>;
