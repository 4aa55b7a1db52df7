import type { Lookup } from '../model/kind.js';

const nameAlone: Lookup['namesOf'] = ({ name }) => (typeof name === 'string' ? [name] : []);

/** Numbering formats of items (wire-facts, section 7). */
export const numberFormat: Lookup = {
  name: 'NumberFormat',
  shortNames: ['format'],
  summary: 'A numbering format of items, by name.',
  partitions: { '': 'numberFormats' },
  columns: ['exampleNumber', 'default'],
  namesOf: nameAlone,
};

/** Components of numbering formats; the service uses their GUIDs (interface 2.4). One request for each format. */
export const numberFormatField: Lookup = {
  name: 'NumberFormatField',
  summary: 'A component of a numbering format, as `FORMAT/COMPONENT`.',
  partitions: { '': 'numberFormats' },
  within: 'fields',
  columns: ['type', 'maxLength', 'value'],
  namesOf: nameAlone,
};
