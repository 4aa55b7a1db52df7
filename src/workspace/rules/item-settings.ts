import {
  type Attribute,
  attributeList,
  type Category,
  categoryList,
  deleteAttribute,
  FIELD_TYPES,
  type FieldType,
  insertAttribute,
  insertCategory,
  type LifecyclePhase,
  lifecyclePhaseList,
  type World,
} from '../store/item-settings.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { parseFlag, parseSearch, type Query } from './search.js';
import { refuse } from './service-error.js';
import type { Workspace } from './workspace.js';

interface NewAttributeBody {
  readonly world: World;
  readonly name: string;
  readonly fieldType: FieldType;
  readonly required?: boolean;
  readonly multiSelect?: boolean;
  readonly maxLength?: number;
  readonly possibleValues?: readonly string[];
}

/** Separates the names in the path of a category. */
export const PATH_SEPARATOR = '\\';

/** Where an item goes that is created without a category (wire-facts 7). */
export const UNCATEGORIZED = '-uncategorized-';

/** An attribute without its possible values unless they were asked for. */
export type ListedAttribute = Omit<Attribute, 'possibleValues'> & { readonly possibleValues?: readonly string[] };

export const CATEGORY_SEARCH = { path: 'text', name: 'text' } as const;
export const PHASE_SEARCH = { name: 'text' } as const;

/** Parameters of attribute lists that are no searches. */
export const ATTRIBUTE_FLAGS = ['includePossibleValues', 'creatableOnly', 'editableOnly', 'searchableOnly'] as const;

/** The attributes of one world; `includePossibleValues` adds those of drop-downs (wire-facts 7). */
export function listAttributes(workspace: Workspace, world: World, query: Query): ListedAttribute[] {
  const { includePossibleValues, creatableOnly, editableOnly, searchableOnly, ...rest } = query;
  const flags = { includePossibleValues, creatableOnly, editableOnly, searchableOnly };
  for (const name of Object.keys(flags)) parseFlag(flags, name, false);
  const search = parseSearch(rest, {});
  const found = selectPage(workspace.settings, attributeList, search, { sql: 'world = ?', values: [world] });
  return parseFlag(flags, 'includePossibleValues', false) ? found : found.map(withoutValues);
}

function withoutValues({ possibleValues, ...attribute }: Attribute): ListedAttribute {
  return attribute;
}

export function findAttribute(workspace: Workspace, guid: string, world?: World): Attribute {
  const attribute = isGuid(guid) && selectOne(workspace.settings, attributeList, { sql: 'guid = ?', values: [guid] });
  if (!attribute || (world !== undefined && attribute.world !== world)) throw refuse.guid(guid);
  return attribute;
}

export function listCategories(workspace: Workspace, query: Query): Category[] {
  const { includeDeleted, ...rest } = query;
  parseFlag({ includeDeleted }, 'includeDeleted', false);
  return selectPage(workspace.settings, categoryList, parseSearch(rest, CATEGORY_SEARCH));
}

export function findCategory(workspace: Workspace, guid: string): Category {
  const category = isGuid(guid) && selectOne(workspace.settings, categoryList, { sql: 'guid = ?', values: [guid] });
  if (!category) throw refuse.guid(guid);
  return category;
}

/** Every attribute belongs to every category here: the workspace has no category-specific ones. */
export function listCategoryAttributes(workspace: Workspace, guid: string, query: Query): ListedAttribute[] {
  findCategory(workspace, guid);
  return listAttributes(workspace, 'ITEMS', query);
}

export function listLifecyclePhases(workspace: Workspace, query: Query): LifecyclePhase[] {
  return selectPage(workspace.settings, lifecyclePhaseList, parseSearch(query, PHASE_SEARCH));
}

/** Adds a custom attribute under a new GUID. Not part of the published interface. */
export function createAttribute(workspace: Workspace, body: NewAttributeBody): Attribute {
  const { name, world, fieldType, possibleValues = [] } = body;
  if (name.trim() === '') throw refuse.empty('name');
  if (!FIELD_TYPES.includes(fieldType)) throw refuse.option(fieldType, 'fieldType');
  const same = { sql: 'world = ? AND name = ?', values: [world, name] };
  if (selectOne(workspace.settings, attributeList, same)) {
    throw refuse.invalid('name', `an attribute named "${name}" exists.`);
  }
  const guid = workspace.chance.guid();
  insertAttribute(workspace.settings, {
    guid,
    world,
    apiName: guid,
    name,
    fieldType,
    custom: true,
    required: body.required ?? false,
    multiSelect: body.multiSelect ?? false,
    maxLength: body.maxLength ?? null,
    possibleValues,
  });
  return findAttribute(workspace, guid);
}

/** Deletes a custom attribute; definitions that map it keep its GUID and are broken (wire-facts 0). */
export function removeAttribute(workspace: Workspace, guid: string): void {
  if (!findAttribute(workspace, guid).custom) throw refuse.invalid('guid', 'a standard attribute cannot be deleted.');
  deleteAttribute(workspace.settings, guid);
}

/** Adds a category and those above it that are missing. Not part of the published interface. */
export function createCategory(workspace: Workspace, path: string): Category {
  const names = path.split(PATH_SEPARATOR).map((name) => name.trim());
  if (names.some((name) => name === '')) throw refuse.invalid('path', 'a name in it is empty.');
  if (names[0]?.toLowerCase() !== 'item') throw refuse.invalid('path', 'it does not start with "Item".');
  let parent: Category | undefined;
  for (const [level, name] of names.entries()) {
    parent =
      categoryAt(workspace, [...names.slice(0, level), name].join(PATH_SEPARATOR)) ?? add(workspace, name, parent);
  }
  if (!parent) throw refuse.empty('path');
  return parent;
}

function categoryAt(workspace: Workspace, path: string): Category | undefined {
  return selectOne(workspace.settings, categoryList, { sql: 'path = ?', values: [path] });
}

function add(workspace: Workspace, name: string, parent: Category | undefined): Category {
  const category: Category = {
    guid: workspace.chance.guid(),
    name,
    path: parent ? `${parent.path}${PATH_SEPARATOR}${name}` : name,
    parent: parent?.guid ?? null,
    level: parent ? parent.level + 1 : 0,
    structural: false,
    systemDefined: false,
    created: zulu(workspace.clock()),
  };
  insertCategory(workspace.settings, category);
  return category;
}
