import type { Lookup } from '../model/kind.js';

/** Routings of changes by name (wire-facts, section 8.5). */
export const routing: Lookup = {
  name: 'Routing',
  summary: 'A routing of changes, by name.',
  partitions: { '': 'changeRoutings' },
  columns: ['description'],
  namesOf: ({ name }) => (typeof name === 'string' ? [name] : []),
};
