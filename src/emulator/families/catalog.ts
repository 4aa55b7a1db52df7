import type { Family } from '../family/family.js';
import type { Members } from '../family/members.js';
import type { Relation } from '../family/relation.js';
import { approvalStatuses } from './approval-statuses.js';
import { boms, whereUsed } from './bom-lines.js';
import { exportDefinitions } from './export-definitions.js';
import { exportRuns } from './export-runs.js';
import { extractRuns } from './extract-runs.js';
import { extracts } from './extracts.js';
import { files } from './files.js';
import { importDefinitions } from './import-definitions.js';
import { importRuns } from './import-runs.js';
import { itemFiles, itemsOfFiles } from './item-files.js';
import { items } from './items.js';
import { lifecyclePhases } from './lifecycle-phases.js';
import { numberFormats } from './number-formats.js';
import { numberReservations } from './number-reservations.js';
import { integrationAdministrators, integrationTriggers, outboundIntegrations } from './outbound-integrations.js';
import { policies } from './policies.js';
import { sourcing } from './sourcing.js';
import { supplierItems } from './supplier-items.js';
import { suppliers } from './suppliers.js';
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
];

/** The documented families whose tables imports write; requests find them with the other documented ones. */
export const importedFamilies: readonly Family[] = [suppliers, supplierItems, sourcing, itemFiles];

/** The families whose operations do more than their descriptions say. */
export const runFamilies: readonly Family[] = [importDefinitions, importRuns, exportRuns, extractRuns];

/** Families whose tables are created without them. */
export const furtherFamilies: readonly Family[] = [boms];

/** All memberships of the interface; each gets its table and its endpoints, as families do. */
export const memberships: readonly Members[] = [userGroupMembers, integrationTriggers, integrationAdministrators];

/** Further paths that read entries from either end; they need no tables and write nothing. */
export const relations: readonly Relation[] = [itemsOfFiles, whereUsed];
