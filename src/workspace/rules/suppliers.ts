import { attributesOf, type World } from '../store/item-settings.js';
import { selectOne, selectPage } from '../store/select.js';
import {
  type ListedSourcing,
  type ListedSupplier,
  type ListedSupplierItem,
  sourcingList,
  supplierItemList,
  supplierList,
} from '../store/suppliers.js';
import { isGuid } from './chance.js';
import { type AdditionalAttribute, findItem, withAdditional } from './items.js';
import { parseSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

interface Additional {
  readonly additionalAttributes: readonly AdditionalAttribute[];
}

export type SupplierDetails = ListedSupplier & Additional;
export type SupplierItemDetails = ListedSupplierItem & Additional;

/** INFERRED from the searches of items (wire-facts 3). */
export const SUPPLIER_SEARCH = { name: 'text', 'creator.guid': 'text', 'creator.fullName': 'text' } as const;
export const SUPPLIER_ITEM_SEARCH = {
  number: 'text',
  name: 'text',
  'supplier.guid': 'text',
  'supplier.name': 'text',
} as const;

export function listSuppliers(workspace: Workspace, query: Query): SupplierDetails[] {
  const found = selectPage(workspace.settings, supplierList, parseSearch(query, SUPPLIER_SEARCH));
  return found.map(shown(workspace, 'SUPPLIERS'));
}

export function findSupplier(workspace: Workspace, guid: string): SupplierDetails {
  const found = isGuid(guid) && selectOne(workspace.settings, supplierList, { sql: 's.guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return shown<ListedSupplier>(workspace, 'SUPPLIERS')(found);
}

export function listSupplierItems(workspace: Workspace, query: Query): SupplierItemDetails[] {
  const found = selectPage(workspace.settings, supplierItemList, parseSearch(query, SUPPLIER_ITEM_SEARCH));
  return found.map(shown(workspace, 'SUPPLIER_ITEMS'));
}

export function findSupplierItem(workspace: Workspace, guid: string): SupplierItemDetails {
  const found = isGuid(guid) && selectOne(workspace.settings, supplierItemList, { sql: 'm.guid = ?', values: [guid] });
  if (!found) throw refuse.guid(guid);
  return shown<ListedSupplierItem>(workspace, 'SUPPLIER_ITEMS')(found);
}

/** The end of a sourcing relationship that a path starts from. */
export type SourcingEnd = 'item' | 'supplierItem';

const COLUMNS: Readonly<Record<SourcingEnd, string>> = { item: 'r.item', supplierItem: 'r.supplier_item' };

export function listSourcing(workspace: Workspace, end: SourcingEnd, guid: string, query: Query): ListedSourcing[] {
  existing(workspace, end, guid);
  const fixed = { sql: `${COLUMNS[end]} = ?`, values: [guid] };
  return selectPage(workspace.settings, sourcingList, parseSearch(query, {}), fixed);
}

export function findSourcing(workspace: Workspace, end: SourcingEnd, guid: string, relation: string): ListedSourcing {
  existing(workspace, end, guid);
  const condition = { sql: `${COLUMNS[end]} = ? AND r.guid = ?`, values: [guid, relation] };
  const found = isGuid(relation) && selectOne(workspace.settings, sourcingList, condition);
  if (!found) throw refuse.guid(relation);
  return found;
}

function existing(workspace: Workspace, end: SourcingEnd, guid: string): void {
  if (end === 'item') findItem(workspace, guid);
  else findSupplierItem(workspace, guid);
}

function shown<T extends ListedSupplier | ListedSupplierItem>({ settings }: Workspace, world: World) {
  const attributes = attributesOf(settings, world);
  return (record: T): T & Additional => withAdditional(record, attributes, false);
}
