import type { Lookup } from '../model/kind.js';

/** Item categories by path, such as `Item\Resistor` (wire-facts, section 7). */
export const category: Lookup = {
  name: 'Category',
  summary: 'An item category, by path or by name.',
  partitions: { '': 'categories' },
  columns: ['structural', 'assignable'],
  namesOf: ({ path, name }) => [path, name].filter((text): text is string => typeof text === 'string'),
};
