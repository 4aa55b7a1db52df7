import { items } from '../families/items.js';
import { numberFormats } from '../families/number-formats.js';
import { findRecord } from '../family/records.js';
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
  isCategoryWorld,
  type StoredAttribute,
  type World,
} from '../store/item-settings.js';
import { setLocked } from '../store/items.js';
import { selectOne } from '../store/select.js';
import { zulu } from './date-times.js';
import { findAttribute, findCategory, PATH_SEPARATOR } from './item-settings.js';
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
  /** The GUID of the category that it is limited to. */
  readonly category?: string;
}

interface NewCategoryBody {
  readonly path: string;
  readonly world?: CategoryWorld;
  /** The GUID of its number format; by default, that of the parent category. */
  readonly numberFormat?: string | null;
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

/** Locks or unlocks the version of an item (interface 2.4, isLocked). Not part of the published interface. */
export function lockItem(workspace: Workspace, guid: string, isLocked: boolean): void {
  const item = findRecord(workspace, items, guid);
  setLocked(workspace.settings, item.guid, isLocked);
}

/** Deletes a custom attribute; definitions that map it keep its GUID and are broken (wire-facts 0). */
export function removeAttribute(workspace: Workspace, guid: string): void {
  if (!findAttribute(workspace, guid).custom) throw refuse.invalid('guid', 'a standard attribute cannot be deleted.');
  deleteAttribute(workspace.settings, guid);
}

/** Adds a category and its missing ancestors. Not part of the published interface. */
export function createCategory(workspace: Workspace, body: NewCategoryBody): Category {
  const { path, world = 'ITEMS', numberFormat } = body;
  const names = path.split(PATH_SEPARATOR).map((name) => name.trim());
  const root = CATEGORY_ROOTS[world];
  if (names.some((name) => name === '')) throw refuse.invalid('path', 'a name in it is empty.');
  if (names[0]?.toLowerCase() !== root.toLowerCase()) throw refuse.invalid('path', `it does not start with "${root}".`);
  if (typeof numberFormat === 'string') findRecord(workspace, numberFormats, numberFormat);
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
