import { type COLUMNS, documented, inverse } from '../documented/documented.js';
import { hasSibling } from '../documented/siblings.js';
import { createAnswerer } from '../family/answer.js';
import { constant } from '../family/derived-fields.js';
import type { Family } from '../family/family.js';
import type { AnswerContext, RecordOf, StoredRecord } from '../family/field.js';
import { findRecord, readRecord } from '../family/records.js';
import { embedded, optionalReference } from '../family/reference-fields.js';
import { documentedOnly } from '../family/traits.js';
import type { Shape } from '../interface/shape.js';
import { Type } from '../routes/type.js';
import { refusal, refuse } from '../rules/service-error.js';
import type { Workspace } from '../rules/workspace.js';
import { approvalStatuses } from './approval-statuses.js';
import { items } from './items.js';
import { sourcedAs, supplierItems } from './supplier-items.js';

/** What imports write of a relationship, and the item and the supplier item under the names that their rows use. */
const FURTHER = {
  item: { guid: 'string', number: 'string', name: 'string', url: { api: 'string' } },
  supplierItem: {
    ...{ guid: 'string', number: 'string', name: 'string|null', url: { api: 'string' } },
    supplier: { guid: 'string', name: 'string' },
  },
  approvalStatus: { guid: 'string', name: 'string' },
  priority: 'number|null',
};

const fields = {
  item: embedded(items),
  supplierItem: embedded(supplierItems),
  approvalStatus: optionalReference({ table: 'approval_statuses', shows: ['name'] }),
  creationDateTime: documentedOnly(constant(null, Type.Null())),
};

/** A stored sourcing relationship: item, supplier item and approval status by GUID. */
export type SourcingRecord = RecordOf<typeof fields & typeof COLUMNS>;

/**
 * Sourcing relationships (wire-facts 8.4): an item is bought as the supplier items of a manufacturer and a vendor, or
 * made. If the two are one, it is `supplierItem`; imports write no other relationships.
 */
export const sourcing: Family<SourcingRecord> = documented<typeof fields>('/items/{guid}/sourcing', {
  ...{ one: 'a sourcing relationship', many: 'sourcing relationships', table: 'item_sourcing', imported: true },
  ...{ owner: items, ownedBy: 'item', further: FURTHER },
  clearable: ['notes', 'amlRank', 'amlSplit'],
  fields,
  links: { mfrItem: '/supplieritems', vendorItem: '/supplieritems' },
  unknown: { mfrItem: 3245, vendorItem: 3246 },
  shows: {
    mfrItem: (item, ...relation) => item ?? showDirect(...relation),
    vendorItem: (item, ...relation) => item ?? showDirect(...relation),
    approved: (_, relation, { workspace }) => isApproved(relation as SourcingRecord, workspace),
  },
  indexes: { item_sourcing_by_item: 'item, supplier_item', item_sourcing_by_supplier_item: 'supplier_item' },
  begin: ({ makeItem, vendorItemConversionFactor }) => ({
    vendorItemConversionFactor: vendorItemConversionFactor ?? (makeItem === true ? null : 1),
  }),
  check: (relation, { workspace }) => {
    const isNew = relation.supplierItem === undefined;
    const { mfrItem, vendorItem } = relation.fields;
    if (isNew) refuseSources(relation, workspace);
    refuseRank(relation, workspace);
    if (isApproved(relation, workspace) && findRecord(workspace, items, relation.item).isLocked) {
      throw refusal(isNew ? 3040 : 3242, 'The item is locked, and takes no change of approved sourcing.');
    }
    return isNew ? { ...relation, supplierItem: mfrItem === vendorItem ? String(mfrItem ?? '') : '' } : relation;
  },
});

type Sources = StoredRecord & Pick<SourcingRecord, 'fields' | 'approvalStatus'>;

function refuseSources(relation: Sources, workspace: Workspace): void {
  const { mfrItem, vendorItem, makeItem, vendorItemConversionFactor } = relation.fields;
  if (makeItem !== true && !mfrItem && !vendorItem) throw refuse.required('vendorItem');
  if (makeItem !== true) return;
  if (mfrItem) throw refusal(3243, 'An item that is made has no manufacturer.');
  if (vendorItem) throw refusal(3244, 'An item that is made has no vendor.');
  if (vendorItemConversionFactor !== null) throw refusal(3247, 'An item that is made has no conversion factor.');
  if (hasSibling(workspace, sourcing, relation, 'makeItem', 1)) {
    throw refusal(3051, 'The item is made already.');
  }
}

function refuseRank(relation: Sources, workspace: Workspace): void {
  const { amlRank = null, amlSplit = null } = relation.fields;
  const rank = Number(amlRank ?? 1);
  if (!Number.isInteger(rank) || rank < 1 || rank > 98) throw refusal(3248, `${amlRank} is no rank from 1 to 98.`);
  if ((amlRank ?? amlSplit) !== null && !isApproved(relation, workspace)) {
    throw refusal(3249, 'Only approved sources have a rank and a split.');
  }
}

/** Whether a relationship is approved: as requests say, or by the approval status that an import gave it. */
function isApproved({ fields, approvalStatus }: Sources, { settings }: Workspace): boolean {
  if (fields.approved !== undefined) return fields.approved === true;
  return approvalStatus !== null && readRecord(settings, approvalStatuses, approvalStatus)?.name === 'Approved';
}

function showDirect(relation: StoredRecord, viewing: AnswerContext, shape?: Shape): unknown {
  const row = viewing.workspace.settings.get(supplierItems.byGuid, (relation as SourcingRecord).supplierItem);
  return row === undefined ? null : createAnswerer(supplierItems, viewing, shape)(row);
}

/** The relationships as read from a supplier item. */
export const sourcingOfSupplierItems = inverse('/supplieritems/{guid}/sourcing', sourcing, 'supplierItem', sourcedAs);
