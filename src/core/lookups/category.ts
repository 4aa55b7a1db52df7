import type { Lookup } from '../model/kind.js';

/** The one category that searches accept only by its plain name (interface 4.6, "Export definition rules"). */
export const UNCATEGORIZED = '-uncategorized-';

/** Item categories by path, such as `Item\Resistor` (wire-facts, section 7). */
export const category: Lookup = {
  name: 'Category',
  shortNames: ['cat'],
  summary: 'A category of items, changes, requests or files, by path or by name.',
  partitions: {
    ITEMS: 'categories',
    CHANGES: 'changeCategories',
    REQUESTS: 'requestCategories',
    FILES: 'fileCategories',
  },
  columns: ['structural', 'assignable'],
  namesOf: ({ path, name }) => {
    const names = name === UNCATEGORIZED ? [name, path] : [path, name];
    return names.filter((text): text is string => typeof text === 'string');
  },
};
