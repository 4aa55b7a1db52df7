import type { Lookup } from '../model/kind.js';

/** Lifecycle phases of items by name (wire-facts, section 7; interface 4.6). */
export const lifecyclePhase: Lookup = {
  name: 'LifecyclePhase',
  shortNames: ['phase'],
  summary: 'A lifecycle phase of items, by name.',
  partitions: { '': 'lifecyclePhases' },
  columns: ['stage', 'type', 'active'],
  namesOf: ({ name }) => (typeof name === 'string' ? [name] : []),
};
