import {
  attributeList,
  CATEGORY_ROOTS,
  type Category,
  type CategoryWorld,
  categoryList,
  deleteAttribute,
  FIELD_TYPES,
  type FieldType,
  insertAttribute,
  insertCategory,
  type LifecyclePhase,
  lifecyclePhaseList,
  ofCategory,
  type StoredAttribute,
  type World,
} from '../store/item-settings.js';
import type { Clause } from '../store/search.js';
import { selectOne, selectPage } from '../store/select.js';
import { isGuid } from './chance.js';
import { zulu } from './date-times.js';
import { findNumberFormat } from './number-formats.js';
import { parseFlag, parseSettingsSearch, type Query } from './search.js';
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
  /** The GUID of the category that it is made for. */
  readonly category?: string;
}

interface NewCategoryBody {
  readonly path: string;
  readonly world?: CategoryWorld;
  /** The GUID of the format of its numbers; that of the category above unless given. */
  readonly numberFormat?: string | null;
}

/** Separates the names in the path of a category. */
export const PATH_SEPARATOR = '\\';

/** Where an item goes that is created without a category (wire-facts 7). */
export const UNCATEGORIZED = '-uncategorized-';

/** An attribute without its possible values unless they were asked for. */
export type ListedAttribute = Omit<StoredAttribute, 'possibleValues'> & { readonly possibleValues?: readonly string[] };

export const CATEGORY_SEARCH = { path: 'text', name: 'text' } as const;
export const PHASE_SEARCH = { name: 'text' } as const;

/** Parameters of attribute lists that are no searches. */
export const ATTRIBUTE_FLAGS = ['includePossibleValues', 'creatableOnly', 'editableOnly', 'searchableOnly'] as const;

/** The attributes of one world; `includePossibleValues` adds those of drop-downs (wire-facts 7). */
export function listAttributes(
  workspace: Workspace,
  world: World,
  query: Query,
  ...conditions: readonly Clause[]
): ListedAttribute[] {
  const { includePossibleValues, creatableOnly, editableOnly, searchableOnly, ...rest } = query;
  const flags = { includePossibleValues, creatableOnly, editableOnly, searchableOnly };
  for (const name of Object.keys(flags)) parseFlag(flags, name, false);
  const search = parseSettingsSearch(workspace.dialect, rest, {});
  const shown = parseFlag(flags, 'searchableOnly', false) ? [{ sql: 'custom = 1', values: [] }] : [];
  const fixed = [{ sql: 'world = ?', values: [world] }, ...shown, ...conditions];
  const found = selectPage(workspace.settings, attributeList, search, ...fixed);
  return parseFlag(flags, 'includePossibleValues', false) ? found : found.map(withoutValues);
}

function withoutValues({ possibleValues, ...attribute }: StoredAttribute): ListedAttribute {
  return attribute;
}

export function findAttribute(workspace: Workspace, guid: string, world?: World): StoredAttribute {
  const attribute = isGuid(guid) && selectOne(workspace.settings, attributeList, { sql: 'guid = ?', values: [guid] });
  if (!attribute || (world !== undefined && attribute.world !== world)) throw refuse.guid(guid);
  return attribute;
}

export function listCategories(workspace: Workspace, query: Query, world: CategoryWorld = 'ITEMS'): Category[] {
  const { includeDeleted, ...rest } = query;
  parseFlag({ includeDeleted }, 'includeDeleted', false);
  const search = parseSettingsSearch(workspace.dialect, rest, CATEGORY_SEARCH);
  return selectPage(workspace.settings, categoryList, search, { sql: 'world = ?', values: [world] });
}

export function findCategory(workspace: Workspace, guid: string, world: CategoryWorld = 'ITEMS'): Category {
  const condition = { sql: 'guid = ? AND world = ?', values: [guid, world] };
  const category = isGuid(guid) && selectOne(workspace.settings, categoryList, condition);
  if (!category) throw refuse.guid(guid);
  return category;
}

/** The attributes that a category has: those of the whole world, its own, and those that it inherits (wire-facts 7). */
export function listCategoryAttributes(
  workspace: Workspace,
  guid: string,
  query: Query,
  world: CategoryWorld = 'ITEMS',
): ListedAttribute[] {
  findCategory(workspace, guid, world);
  return listAttributes(workspace, world, query, ofCategory(guid));
}

export function listLifecyclePhases(workspace: Workspace, query: Query): LifecyclePhase[] {
  return selectPage(
    workspace.settings,
    lifecyclePhaseList,
    parseSettingsSearch(workspace.dialect, query, PHASE_SEARCH),
  );
}

/** Adds a custom attribute under a new GUID. Not part of the published interface. */
export function createAttribute(workspace: Workspace, body: NewAttributeBody): StoredAttribute {
  const { name, world, fieldType, possibleValues = [], category = null } = body;
  if (name.trim() === '') throw refuse.empty('name');
  if (!FIELD_TYPES.includes(fieldType)) throw refuse.option(fieldType, 'fieldType');
  const same = { sql: 'world = ? AND name = ?', values: [world, name] };
  if (selectOne(workspace.settings, attributeList, same)) {
    throw refuse.invalid('name', `an attribute named "${name}" exists.`);
  }
  if (category !== null) checkOwner(workspace, world, category);
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
    category,
  });
  return findAttribute(workspace, guid);
}

function checkOwner(workspace: Workspace, world: World, category: string): void {
  if (!isCategoryWorld(world)) throw refuse.invalid('category', `${world} has no categories.`);
  findCategory(workspace, category, world);
}

export function isCategoryWorld(world: World): world is CategoryWorld {
  return world in CATEGORY_ROOTS;
}

/** Deletes a custom attribute; definitions that map it keep its GUID and are broken (wire-facts 0). */
export function removeAttribute(workspace: Workspace, guid: string): void {
  if (!findAttribute(workspace, guid).custom) throw refuse.invalid('guid', 'a standard attribute cannot be deleted.');
  deleteAttribute(workspace.settings, guid);
}

/** Adds a category and those above it that are missing. Not part of the published interface. */
export function createCategory(workspace: Workspace, body: NewCategoryBody): Category {
  const { path, world = 'ITEMS', numberFormat } = body;
  const names = path.split(PATH_SEPARATOR).map((name) => name.trim());
  const root = CATEGORY_ROOTS[world];
  if (names.some((name) => name === '')) throw refuse.invalid('path', 'a name in it is empty.');
  if (names[0]?.toLowerCase() !== root.toLowerCase()) throw refuse.invalid('path', `it does not start with "${root}".`);
  if (typeof numberFormat === 'string') findNumberFormat(workspace, numberFormat);
  const ancestor = names.slice(0, -1).reduce<Category | undefined>((parent, name) => {
    return categoryIn(workspace, parent, name, world) ?? add(workspace, { name, parent, world });
  }, undefined);
  const name = names.at(-1) ?? root;
  return (
    categoryIn(workspace, ancestor, name, world) ?? add(workspace, { name, parent: ancestor, world, numberFormat })
  );
}

function categoryIn(
  workspace: Workspace,
  parent: Category | undefined,
  name: string,
  world: CategoryWorld,
): Category | undefined {
  const condition = { sql: 'world = ? AND path = ?', values: [world, pathOf(parent, name)] };
  return selectOne(workspace.settings, categoryList, condition);
}

function pathOf(parent: Category | undefined, name: string): string {
  return parent ? `${parent.path}${PATH_SEPARATOR}${name}` : name;
}

interface NewCategory {
  readonly name: string;
  readonly parent: Category | undefined;
  readonly world: CategoryWorld;
  readonly numberFormat?: string | null | undefined;
}

function add(workspace: Workspace, { name, parent, world, numberFormat }: NewCategory): Category {
  const category: Category = {
    guid: workspace.chance.guid(),
    world,
    name,
    path: pathOf(parent, name),
    parent: parent?.guid ?? null,
    level: parent ? parent.level + 1 : 0,
    structural: false,
    systemDefined: false,
    numberFormat: numberFormat === undefined ? (parent?.numberFormat ?? null) : numberFormat,
    created: zulu(workspace.clock()),
  };
  insertCategory(workspace.settings, category);
  return category;
}
