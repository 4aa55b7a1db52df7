import type { Family } from '../family/family.js';
import type { Members } from '../family/members.js';
import { approvalStatuses } from './approval-statuses.js';
import { numberFormats } from './number-formats.js';
import { numberReservations } from './number-reservations.js';
import { integrationAdministrators, integrationTriggers, outboundIntegrations } from './outbound-integrations.js';
import { policies } from './policies.js';
import { triggers } from './triggers.js';
import { userGroupMembers, userGroups } from './user-groups.js';
import { users } from './users.js';

/** Every family of the interface; one that stands here has its table and its endpoints. */
export const families: readonly Family[] = [
  users,
  userGroups,
  policies,
  triggers,
  outboundIntegrations,
  numberFormats,
  numberReservations,
  approvalStatuses,
];

export const memberships: readonly Members[] = [userGroupMembers, integrationTriggers, integrationAdministrators];
