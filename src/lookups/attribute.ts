import type { Lookup } from '../model/kind.js';

/**
 * Custom attributes by name, each resource with its own set (wire-facts, section 0). Their GUIDs do not stay
 * constant (interface 2.4), which is why nothing but the name stands in a manifest.
 */
export const attribute: Lookup = {
  name: 'Attribute',
  summary: 'A custom attribute of items or of BOM lines, by name.',
  partitions: { ITEM_SPECS: 'itemAttributes', ITEM_BOM: 'bomAttributes' },
  namesOf: ({ name, custom }) => (typeof name === 'string' && custom === true ? [name] : []),
};
