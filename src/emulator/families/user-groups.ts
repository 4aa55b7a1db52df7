import { assignabilityAt } from '../dialects/release.js';
import { family } from '../family/family.js';
import { words } from '../family/json-fields.js';
import { members } from '../family/members.js';
import { flag } from '../family/plain-fields.js';
import { creationTime, creator, modificationTime, modifier } from '../family/stamp-fields.js';
import { name, text } from '../family/text-fields.js';
import { unique } from '../family/traits.js';
import { ServiceError } from '../rules/service-error.js';
import { users } from './users.js';

const taken = (value: string): ServiceError =>
  new ServiceError({ code: 4701, message: `A user group named "${value}" exists already.` });

/** Wire-facts 0 ("user groups") and 7. */
export const userGroups = family({
  path: '/settings/usergroups',
  one: 'a user group',
  many: 'user groups',
  table: 'user_groups',
  capability: 'userGroups',
  fields: {
    name: unique(name(), taken),
    description: text(),
    enabled: flag(true),
    assignability: words(({ release }) => assignabilityAt(release)),
    creationDateTime: creationTime(),
    creator: creator(),
    lastModifiedDateTime: modificationTime(),
    modifiedBy: modifier(),
  },
  search: { name: 'text', enabled: 'flag' },
});

/** The users of groups (wire-facts 0, "user groups"), each shown in full. */
export const userGroupMembers = members({
  owner: userGroups,
  segment: 'users',
  table: 'user_group_members',
  of: users,
  deletable: false,
  capability: 'userGroupMembers',
  noun: 'member',
  parameter: 'user',
  view: 'full',
});
