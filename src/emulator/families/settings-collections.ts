import { type Described, described } from '../documented/described.js';
import { documented, endpointsAt, owned } from '../documented/documented.js';
import { type Family, family } from '../family/family.js';
import { findMember, listMembers } from '../family/members.js';
import { refuse } from '../rules/service-error.js';
import { personByGuid } from '../store/users.js';
import { userGroupMembers } from './user-groups.js';
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
  ['/settings/qualityprocesses/owners', 'an owner of quality processes', 'owners of quality processes', 'all'],
  ['/settings/trainingplans/managers', 'a manager of training plans', 'managers of training plans', 'all'],
];

/** The users who have a task; the same objects as those of `/settings/users`. */
export const people: readonly Family[] = PEOPLE.map(([path, one, many, only]) => {
  const { paged: _, capability: __, ...rest } = users as unknown as Family;
  const sql = only === 'administrators' ? 't.administrator = 1' : 't.enabled = 1';
  return { ...rest, path, one, many, only: { sql, values: [] }, endpoints: endpointsAt(path) };
});

const changeCategories = family({
  ...{ path: '/settings/changes/categories', one: 'a category of changes', many: 'categories of changes' },
  ...{ table: 'categories', only: { sql: "t.world = 'CHANGES'", values: [] }, fields: {}, search: {} },
});

/** The tasks that changes of a category begin with, each with the user who gets it. */
export const implementationTemplates = owned(changeCategories, 'implementationtemplates', {
  ...{ one: 'a template of tasks', many: 'templates of tasks' },
  shows: {
    defaultAssignee: (user, _, { workspace }) => ({ user: personByGuid(workspace.settings, String(user)) }),
  },
});

/** The members of groups by the type of user, each list with the name of its type. */
const MEMBERS = [
  ['employees', 'EMPLOYEE'],
  ['partners', 'PARTNER'],
] as const;

/** The members of groups of one type; the single one is wrapped (wire-facts 7, "odd"). */
export const groupMembers: readonly Described[] = MEMBERS.flatMap(([segment, type]) => {
  const line = `GET /settings/usergroups/{guid}/${segment}`;
  return [
    described(line, `List the ${segment} of a user group`, ({ workspace, params, query }) =>
      listMembers(workspace, userGroupMembers, params.guid, query).filter((user) => user.type === type),
    ),
    described(`${line}/{guid}`, `Get one of the ${segment} of a user group`, ({ workspace, params }) => {
      const user = findMember(workspace, userGroupMembers, params.guid, params.member);
      if (user.type !== type) throw refuse.absent(params.member);
      return { user };
    }),
  ];
});
