import { documented, endpointsAt } from '../documented/documented.js';
import type { Family } from '../family/family.js';
import { users } from './users.js';

/** The collections of settings that requests only read, each with the name of one entry and of several. */
const COLLECTIONS: readonly (readonly [path: string, one: string, many: string])[] = [
  ['/settings/trainingplans/numbersequences', 'a sequence of training plans', 'sequences of training plans'],
  ['/settings/tickets/numbersequences', 'a sequence of tickets', 'sequences of tickets'],
  ['/settings/requests/numbersequences', 'a sequence of requests', 'sequences of requests'],
  ['/settings/qualityprocesses/numberformats', 'a number format of processes', 'number formats of processes'],
  ['/settings/changes/numbersequenceprefixes', 'a prefix of changes', 'prefixes of changes'],
  ['/settings/requests/numbersequenceprefixes', 'a prefix of requests', 'prefixes of requests'],
  ['/settings/tickets/numbersequenceprefixes', 'a prefix of tickets', 'prefixes of tickets'],
  ['/settings/changes/implementationstatuses', 'an implementation status', 'implementation statuses'],
  ['/settings/changes/routings', 'a routing', 'routings'],
  ['/settings/requests/evaluatorgroups', 'an evaluator group', 'evaluator groups'],
  ['/settings/tickets/templates', 'a template of tickets', 'templates of tickets'],
  ['/settings/qualityprocesses/templates', 'a template of quality processes', 'templates of quality processes'],
  ['/settings/items/requirements', 'a requirement of items', 'requirements of items'],
  ['/settings/supplieritems/requirements', 'a requirement of supplier items', 'requirements of supplier items'],
];

/** Settings that people make in the service's own pages. */
export const settingsCollections: readonly Family[] = COLLECTIONS.map(
  ([path, one, many]) => documented(path, { one, many }) as unknown as Family,
);

/** People with a task, and whether all users may have it or only administrators. */
const PEOPLE: readonly (readonly [path: string, one: string, many: string, only: 'all' | 'administrators'])[] = [
  ['/settings/changes/administrators', 'an administrator of changes', 'administrators of changes', 'administrators'],
  ['/settings/requests/administrators', 'an administrator of requests', 'administrators of requests', 'administrators'],
  ['/settings/trainingplans/managers', 'a manager of training plans', 'managers of training plans', 'all'],
];

/** The users who have a task; the same objects as those of `/settings/users`. */
export const people: readonly Family[] = PEOPLE.map(([path, one, many, only]) => {
  const { paged: _, capability: __, ...rest } = users as unknown as Family;
  const sql = only === 'administrators' ? 't.administrator = 1' : 't.enabled = 1';
  return { ...rest, path, one, many, only: { sql, values: [] }, endpoints: endpointsAt(path) };
});
