import { type Attribute, attributeList, attributesOf, ofCategory } from '../store/item-settings.js';
import {
  bomList,
  type FieldValue,
  type FieldValues,
  itemList,
  type ListedItem,
  type ListedLine,
  whereUsedList,
} from '../store/items.js';
import { type List, selectAll, selectOne, selectPage } from '../store/select.js';
import { byCategory } from './by-category.js';
import { isGuid } from './chance.js';
import { type Comparison, parseFlag, parseSearch, parseWholeSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

/** The value of a custom attribute, as items, BOM lines and files show it (wire-facts 3). */
export interface AdditionalAttribute {
  readonly guid: string;
  readonly apiName: string;
  readonly name: string;
  readonly fieldType: string;
  readonly value: FieldValue | null;
}

export interface ItemDetails extends ListedItem {
  readonly additionalAttributes: readonly AdditionalAttribute[];
}

export interface LineDetails extends ListedLine {
  /** Present only if asked for (interface 4.6, includeAdditionalAttributes). */
  readonly additionalAttributes?: readonly AdditionalAttribute[];
}

export const ITEM_SEARCH: Readonly<Record<string, Comparison>> = {
  number: 'text',
  name: 'text',
  description: 'text',
  'category.guid': 'text',
  'lifecyclePhase.guid': 'text',
  'owner.fullName': 'text',
  'creator.fullName': 'text',
  'creator.guid': 'text',
  assemblyType: 'choice',
  inAssembly: 'flag',
};

const OF_ITEMS = { sql: "world = 'ITEMS'", values: [] };

/**
 * Searches items by the attributes of wire-facts 3 and by custom attributes, each under its GUID. `criteria`, `any` and
 * the views other than the full one are not offered here and are refused.
 */
export function listItems(workspace: Workspace, query: Query): ItemDetails[] {
  const { includeChildCategories, responseview, includeEmptyAdditionalAttributes, ...rest } = query;
  if (responseview !== undefined && responseview !== 'full') throw refuse.option(String(responseview), 'responseview');
  const attributes = attributesOf(workspace.settings, 'ITEMS');
  const custom = attributes.filter((attribute) => attribute.custom).map((attribute) => attribute.guid);
  const searchable = { ...ITEM_SEARCH, ...Object.fromEntries(custom.map((guid) => [guid, 'text' as const])) };
  const columns = Object.fromEntries(custom.map((guid) => [guid, `i.additional ->> '$."${guid}"'`]));
  const list: List<ListedItem> = { ...itemList, columns: { ...itemList.columns, ...columns } };
  const withChildren = parseFlag({ includeChildCategories }, 'includeChildCategories', true);
  const search = byCategory(workspace, 'ITEMS', parseSearch(rest, searchable), withChildren);
  const empty = parseFlag({ includeEmptyAdditionalAttributes }, 'includeEmptyAdditionalAttributes', false);
  const shown = empty ? byCategories(workspace) : () => attributes;
  return selectPage(workspace.settings, list, search).map((item) => withAdditional(item, shown(item.category), empty));
}

/** The attributes that items of a category have. */
function byCategories({ settings }: Workspace): (category: string) => readonly Attribute[] {
  const known = new Map<string, readonly Attribute[]>();
  return (category) => {
    const found = known.get(category) ?? selectAll(settings, attributeList, OF_ITEMS, ofCategory(category));
    known.set(category, found);
    return found;
  };
}

export function findItem(workspace: Workspace, guid: string, query: Query = {}): ItemDetails {
  const item = isGuid(guid) && selectOne(workspace.settings, itemList, { sql: 'i.guid = ?', values: [guid] });
  if (!item) throw refuse.guid(guid);
  const empty = parseFlag(query, 'includeEmptyAdditionalAttributes', false);
  const attributes = empty ? byCategories(workspace)(item.category) : attributesOf(workspace.settings, 'ITEMS');
  return withAdditional(item, attributes, empty);
}

export function listBom(workspace: Workspace, parent: string, query: Query): LineDetails[] {
  return listLines(workspace, bomList, { sql: 'b.parent = ?', values: [existing(workspace, parent)] }, query);
}

export function listWhereUsed(workspace: Workspace, child: string, query: Query): LineDetails[] {
  return listLines(workspace, whereUsedList, { sql: 'b.child = ?', values: [existing(workspace, child)] }, query);
}

function existing(workspace: Workspace, guid: string): string {
  return findItem(workspace, guid).guid;
}

function listLines(
  workspace: Workspace,
  list: List<ListedLine>,
  of: { sql: string; values: string[] },
  query: Query,
): LineDetails[] {
  const { includeAdditionalAttributes, ...rest } = query;
  const lines = selectPage(workspace.settings, list, parseWholeSearch(rest, {}), of);
  if (!parseFlag({ includeAdditionalAttributes }, 'includeAdditionalAttributes', false)) return lines;
  const attributes = attributesOf(workspace.settings, 'BOM');
  return lines.map((line) => withAdditional(line, attributes, true));
}

/** A record with the values of its custom attributes; `empty`: those without a value too. */
export function withAdditional<T extends { readonly additional: FieldValues }>(
  record: T,
  attributes: readonly Attribute[],
  empty: boolean,
): T & { readonly additionalAttributes: readonly AdditionalAttribute[] } {
  const shown = attributes.filter(({ custom, guid }) => custom && (empty || record.additional[guid] !== undefined));
  const additionalAttributes = shown.map(({ guid, apiName, name, fieldType }) => {
    return { guid, apiName, name, fieldType, value: record.additional[guid] ?? null };
  });
  return { ...record, additionalAttributes };
}
