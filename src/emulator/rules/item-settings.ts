import {
  attributeList,
  type Category,
  type CategoryWorld,
  categoryList,
  ofCategory,
  type StoredAttribute,
  type World,
} from '../store/item-settings.js';
import type { Clause } from '../store/search.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './guid-source.js';
import { parseFlag, parseWholeSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

/** Separates the names in the path of a category. */
export const PATH_SEPARATOR = '\\';

/** The category of items that are created without one (wire-facts 7). */
export const UNCATEGORIZED = '-uncategorized-';

/** An attribute, with its possible values only if requested. */
export type ListedAttribute = Omit<StoredAttribute, 'possibleValues'> & { readonly possibleValues?: readonly string[] };

/** The searches of lists of categories (wire-facts 7); any other is refused with 3019. */
export const CATEGORY_SEARCH = { path: 'text', name: 'text' } as const;

/** Parameters of attribute lists that are not searches. */
export const ATTRIBUTE_FLAGS = ['includePossibleValues', 'creatableOnly', 'editableOnly', 'searchableOnly'] as const;

/** Lists the attributes of one world; `includePossibleValues` adds the values of drop-downs (wire-facts 7). */
export function listAttributes(
  workspace: Workspace,
  world: World,
  query: Query,
  ...conditions: readonly Clause[]
): ListedAttribute[] {
  const { includePossibleValues, creatableOnly, editableOnly, searchableOnly, ...rest } = query;
  const flags = { includePossibleValues, creatableOnly, editableOnly, searchableOnly };
  for (const name of Object.keys(flags)) parseFlag(flags, name, false);
  const search = parseWholeSearch(rest, {});
  const shown = parseFlag(flags, 'searchableOnly', false) ? [{ sql: 'custom = 1', values: [] }] : [];
  const fixed = [{ sql: 'world = ?', values: [world] }, ...shown, ...conditions];
  const found = selectPage(workspace.settings, attributeList, search, ...fixed);
  return parseFlag(flags, 'includePossibleValues', false) ? found : found.map(withoutValues);
}

function withoutValues({ possibleValues, ...attribute }: StoredAttribute): ListedAttribute {
  return attribute;
}

/** Finds the attribute with a GUID; refuses with 3011 an unknown one, and one of another world if a world is given. */
export function findAttribute(workspace: Workspace, guid: string, world?: World): StoredAttribute {
  const attribute = isGuid(guid) && selectOne(workspace.settings, attributeList, { sql: 'guid = ?', values: [guid] });
  if (!attribute || (world !== undefined && attribute.world !== world)) throw refuse.guid(guid);
  return attribute;
}

/**
 * Lists all categories of a world in the order of their creation. `includeDeleted` must be a flag (3003) and changes
 * nothing, since none is ever deleted here.
 */
export function listCategories(workspace: Workspace, query: Query, world: CategoryWorld = 'ITEMS'): Category[] {
  const { includeDeleted, ...rest } = query;
  parseFlag({ includeDeleted }, 'includeDeleted', false);
  const search = parseWholeSearch(rest, CATEGORY_SEARCH);
  return selectPage(workspace.settings, categoryList, search, { sql: 'world = ?', values: [world] });
}

/** Finds the category with a GUID; refuses with 3011 an unknown one, and one of another world. */
export function findCategory(workspace: Workspace, guid: string, world: CategoryWorld = 'ITEMS'): Category {
  const condition = { sql: 'guid = ? AND world = ?', values: [guid, world] };
  const category = isGuid(guid) && selectOne(workspace.settings, categoryList, condition);
  if (!category) throw refuse.guid(guid);
  return category;
}

/** Lists the attributes of a category: those of the whole world, its own, and the inherited ones (wire-facts 7). */
export function listCategoryAttributes(
  workspace: Workspace,
  guid: string,
  query: Query,
  world: CategoryWorld = 'ITEMS',
): ListedAttribute[] {
  findCategory(workspace, guid, world);
  return listAttributes(workspace, world, query, ofCategory(guid));
}
