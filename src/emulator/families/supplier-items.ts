import { additionalAttributes } from '../family/attribute-values.js';
import { link } from '../family/derived-fields.js';
import { family } from '../family/family.js';
import { reference } from '../family/reference-fields.js';
import { creationTime, creator, modificationTime } from '../family/stamp-fields.js';
import { plainText } from '../family/text-fields.js';
import { fullOnly } from '../family/traits.js';
import { fieldValues, keptNumber, keptText } from '../family/value-fields.js';

/** The items that suppliers sell under their own numbers (interface 2.4; endpoints.md). Searches are INFERRED. */
export const supplierItems = family({
  path: '/supplieritems',
  one: 'a supplier item',
  many: 'supplier items',
  table: 'supplier_items',
  paged: true,
  fields: {
    number: plainText(),
    name: keptText(),
    description: fullOnly(keptText()),
    uom: fullOnly(keptText()),
    leadTime: fullOnly(keptNumber()),
    countryOfOrigin: fullOnly(keptText()),
    supplier: reference({ table: 'suppliers', shows: ['name'] }),
    lastModifiedDateTime: fullOnly(modificationTime()),
    creationDateTime: fullOnly(creationTime()),
    creator: fullOnly(creator()),
    additionalAttributes: fullOnly(additionalAttributes('SUPPLIER_ITEMS')),
    url: link('/supplieritems'),
    fields: fieldValues(),
    additional: fieldValues(),
  },
  indexes: { supplier_items_by_number: 'supplier, number' },
  search: { number: 'text', name: 'text', 'supplier.guid': 'text', 'supplier.name': 'text' },
});

/** A stored supplier item. Its number belongs to its supplier: two suppliers may use the same one. */
export type SupplierItemRecord = ReturnType<typeof supplierItems.read>;
