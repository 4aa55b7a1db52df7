import type { StatusChanges } from '../documented/status-changes.js';
import type { Family } from '../family/family.js';
import type { Members } from '../family/members.js';
import type { Relation } from '../family/relation.js';
import { approvalStatuses } from './approval-statuses.js';
import { changeRelations, changeStatuses, changes, partsOfChanges } from './changes.js';
import { exportDefinitions } from './export-definitions.js';
import { extracts } from './extracts.js';
import { files } from './files.js';
import { filesOfItems, itemFiles, itemsOfFiles } from './item-files.js';
import { items } from './items.js';
import { lifecyclePhases } from './lifecycle-phases.js';
import { numberFormats } from './number-formats.js';
import { numberReservations } from './number-reservations.js';
import { integrationAdministrators, integrationTriggers, outboundIntegrations } from './outbound-integrations.js';
import { policies } from './policies.js';
import { partsOfRequests, requestRelations, requestStatuses, requests } from './requests.js';
import { settingsCollections } from './settings-collections.js';
import { sourcing, sourcingRelations } from './sourcing.js';
import { supplierItems } from './supplier-items.js';
import { supplierAddresses, supplierFiles, supplierPhoneNumbers, suppliers, suppliersOfFiles } from './suppliers.js';
import { partsOfTickets, ticketRelations, ticketStatuses, tickets } from './tickets.js';
import { partsOfTrainingPlans, trainingPlanRelations, trainingPlanStatuses, trainingPlans } from './training-plans.js';
import { triggers } from './triggers.js';
import { userGroupMembers, userGroups } from './user-groups.js';
import { users } from './users.js';

/** All families that are defined by a description; each gets its table and its endpoints. */
export const families: readonly Family[] = [
  users,
  userGroups,
  lifecyclePhases,
  items,
  exportDefinitions,
  extracts,
  triggers,
  outboundIntegrations,
  numberFormats,
  numberReservations,
  policies,
  approvalStatuses,
  files,
  itemFiles,
  suppliers,
  supplierAddresses,
  supplierPhoneNumbers,
  supplierFiles,
  supplierItems,
  sourcing,
  ...settingsCollections,
  trainingPlans,
  ...partsOfTrainingPlans,
  requests,
  ...partsOfRequests,
  changes,
  ...partsOfChanges,
  tickets,
  ...partsOfTickets,
];

/** All memberships of the interface; each gets its table and its endpoints, as families do. */
export const memberships: readonly Members[] = [userGroupMembers, integrationTriggers, integrationAdministrators];

/** Further paths that read entries from either end; they need no tables and write nothing. */
export const relations: readonly Relation[] = [
  itemsOfFiles,
  filesOfItems,
  ...sourcingRelations,
  suppliersOfFiles,
  ...trainingPlanRelations,
  ...requestRelations,
  ...changeRelations,
  ...ticketRelations,
];

/** The operations that move objects from one state to another. */
export const statusChanges: readonly StatusChanges[] = [
  trainingPlanStatuses,
  requestStatuses,
  changeStatuses,
  ticketStatuses,
];
