import { associatedContents } from '../families/associated-contents.js';
import { bomSubstitutes } from '../families/bom-substitutes.js';
import { families, importedFamilies } from '../families/catalog.js';
import { changeAlerts } from '../families/change-alerts.js';
import { changeRelations, changeStatuses, changes, partsOfChanges } from '../families/changes.js';
import { itemCompliance, supplierItemCompliance } from '../families/compliance.js';
import { attributeLists } from '../families/described-attributes.js';
import { fileOperations, writtenFiles } from '../families/file-writes.js';
import { images, imagesOperations } from '../families/images.js';
import { itemActions } from '../families/item-actions.js';
import { supplierItemFiles, supplierItemsOfFiles } from '../families/item-files.js';
import { itemReferences } from '../families/item-references.js';
import { revisionsOfItem } from '../families/item-revisions.js';
import { writtenItems } from '../families/item-writes.js';
import { writtenLines } from '../families/line-writes.js';
import { loneEntries } from '../families/lone-entries.js';
import { changeMarkups, corrections, markupOperations, markups, requestMarkups } from '../families/markups.js';
import { queueOperations } from '../families/outbound-queue.js';
import {
  partsOfQualityProcesses,
  qualityProcesses,
  qualityRelations,
  qualityStatuses,
} from '../families/quality-processes.js';
import { recentActivities } from '../families/recent-activities.js';
import { partsOfRequests, requestRelations, requestStatuses, requests } from '../families/requests.js';
import {
  groupMembers,
  implementationTemplates,
  people,
  settingsCollections,
} from '../families/settings-collections.js';
import { sourcingOfSupplierItems } from '../families/sourcing.js';
import { supplierAddresses, supplierFiles, supplierPhoneNumbers, suppliersOfFiles } from '../families/suppliers.js';
import { partsOfTickets, ticketRelations, ticketStatuses, tickets } from '../families/tickets.js';
import {
  partsOfTrainingPlans,
  trainingPlanRelations,
  trainingPlanStatuses,
  trainingPlans,
} from '../families/training-plans.js';
import type { Family } from '../family/family.js';
import type { Relation } from '../family/relation.js';
import type { Described } from './described.js';
import { registerFamilies } from './registry.js';
import { statusOperation } from './status-changes.js';

/**
 * The families that are answered by the published description. They are loaded when a request first asks for one, since
 * a workspace starts far more often than it is asked for a change.
 */
export const documentedFamilies: readonly Family[] = [
  ...[writtenItems, revisionsOfItem, itemReferences, writtenLines, bomSubstitutes],
  ...settingsCollections,
  ...[writtenFiles, markups, corrections],
  ...people,
  implementationTemplates,
  ...importedFamilies,
  ...[supplierAddresses, supplierPhoneNumbers, supplierFiles],
  ...[supplierItemFiles, supplierItemCompliance, itemCompliance, ...images],
  ...[trainingPlans, ...partsOfTrainingPlans],
  ...[requests, ...partsOfRequests, requestMarkups],
  ...[changes, ...partsOfChanges, changeMarkups],
  ...[qualityProcesses, ...partsOfQualityProcesses],
  ...[tickets, ...partsOfTickets],
];

registerFamilies([...families, ...documentedFamilies]);

/** The paths that read documented families from what they refer to. */
export const documentedRelations: readonly Relation[] = [
  ...[suppliersOfFiles, supplierItemsOfFiles, sourcingOfSupplierItems],
  ...trainingPlanRelations,
  ...requestRelations,
  ...changeRelations,
  ...qualityRelations,
  ...ticketRelations,
];

/** The operations that do more than the reads and writes of one family. */
export const describedOperations: readonly Described[] = [
  ...[trainingPlanStatuses, requestStatuses, changeStatuses, qualityStatuses, ticketStatuses].map(statusOperation),
  ...[...fileOperations, ...markupOperations, ...queueOperations, ...associatedContents, ...imagesOperations],
  ...[...itemActions, changeAlerts, ...loneEntries],
  ...[...attributeLists, ...groupMembers, ...recentActivities],
];
