import type { Lookup } from '../model/kind.js';

/** Users of the workspace (wire-facts, section 7). dexsync creates none. */
export const user: Lookup = {
  name: 'User',
  summary: 'A user of the workspace, by e-mail address or full name.',
  partitions: { '': 'users' },
  columns: ['fullName', 'type', 'enabled'],
  namesOf: ({ email, fullName }) => [email, fullName].filter((name): name is string => typeof name === 'string'),
};
