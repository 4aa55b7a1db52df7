import type { Lookup } from '../model/kind.js';

/**
 * Custom attributes by name, each world with its own set (wire-facts, section 0; endpoints.md). Their GUIDs are not
 * constant (interface 2.4), so manifests contain only the name.
 */
export const attribute: Lookup = {
  name: 'Attribute',
  shortNames: ['attr'],
  summary: 'A custom attribute of items, BOM lines, changes and so on, by name.',
  partitions: {
    ITEMS: 'itemAttributes',
    BOM: 'bomAttributes',
    CHANGES: 'changeAttributes',
    REQUESTS: 'requestAttributes',
    QUALITY: 'qualityAttributes',
    SUPPLIERS: 'supplierAttributes',
    SUPPLIER_ITEMS: 'supplierItemAttributes',
    FILES: 'fileAttributes',
    TICKETS: 'ticketAttributes',
  },
  categories: { ITEMS: 'categories', CHANGES: 'changeCategories', REQUESTS: 'requestCategories' },
  facts: ['fieldType', 'maxLength', 'multiSelect', 'possibleValues', 'allowNegatives', 'decimalPlaces', 'maxValue'],
  columns: ['fieldType', 'required', 'multiSelect', 'possibleValues'],
  namesOf: ({ name, custom }) => (typeof name === 'string' && custom === true ? [name] : []),
  unnamedKey: ({ apiName, custom }) =>
    typeof apiName === 'string' && (custom ?? false) === false ? standardFieldKey(apiName) : undefined,
};

/** The key for the facts of a standard field, since a custom attribute may have the same name. */
export const standardFieldKey = (apiName: string): string => `field ${apiName.toLowerCase()}`;
