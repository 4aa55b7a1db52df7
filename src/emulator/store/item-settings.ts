import type { Row } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import type { Clause } from './search.js';
import { flag, type List, number, selectAll, text, textOrNull } from './select.js';

/** The worlds that have attributes of their own (wire-facts 0, "attributes other than items'"). */
export const WORLDS = [
  'ITEMS',
  'BOM',
  'CHANGES',
  'REQUESTS',
  'SUPPLIERS',
  'SUPPLIER_ITEMS',
  'QUALITY_PROCESSES',
  'FILES',
  'TICKETS',
] as const;

/** One of {@link WORLDS}. */
export type World = (typeof WORLDS)[number];

/** The worlds that sort their objects into categories, each with the name of its root (wire-facts 7). */
export const CATEGORY_ROOTS = { ITEMS: 'Item', CHANGES: 'Change', REQUESTS: 'Request', FILES: 'File' } as const;

/** One of the worlds of {@link CATEGORY_ROOTS}. */
export type CategoryWorld = keyof typeof CATEGORY_ROOTS;

/** Whether objects of the world can have a category; BOM lines, for one, have none. */
export const isCategoryWorld = (world: World): world is CategoryWorld => world in CATEGORY_ROOTS;

/** The field types that the workspace validates (wire-facts 7). */
export const FIELD_TYPES = [
  'SINGLE_LINE_TEXT',
  'MULTI_LINE_TEXT',
  'NUMBER',
  'DATE',
  'BOOLEAN',
  'DROP_DOWN',
  'FIXED_DROP_DOWN',
] as const;

/** One of {@link FIELD_TYPES}. */
export type FieldType = (typeof FIELD_TYPES)[number];

/** A stored attribute, standard or custom; its name is unique in its world, ignoring letter case. */
export interface Attribute {
  readonly guid: string;
  readonly world: World;
  /** The GUID of a custom attribute (interface 2.4). */
  readonly apiName: string;
  readonly name: string;
  readonly fieldType: FieldType;
  readonly custom: boolean;
  readonly required: boolean;
  readonly multiSelect: boolean;
  readonly maxLength: number | null;
  readonly possibleValues: readonly string[];
  /** The category that it belongs to, with those below; null if it belongs to all. */
  readonly category: string | null;
}

/** An attribute with the category that it comes from: its own, or the root of its world if there is one. */
export interface StoredAttribute extends Attribute {
  readonly origin: { readonly guid: string; readonly name: string } | null;
}

/** A stored category; its path is unique in its world, and the root has level 0. */
export interface Category {
  readonly guid: string;
  readonly world: CategoryWorld;
  readonly name: string;
  readonly path: string;
  readonly parent: string | null;
  readonly level: number;
  readonly structural: boolean;
  readonly systemDefined: boolean;
  /** The GUID of its number format. */
  readonly numberFormat: string | null;
  readonly created: string;
}

/** Attributes of all worlds in the order of their creation. */
export const attributeList: List<StoredAttribute> = {
  select: `SELECT attributes.*, (SELECT json_object('guid', o.guid, 'name', o.name) FROM categories o WHERE o.guid =
    coalesce(attributes.category, (SELECT r.guid FROM categories r WHERE r.world = attributes.world AND r.level = 0)))
    AS origin FROM attributes`,
  columns: { name: 'name', guid: 'guid', fieldType: 'field_type' },
  order: 'seq',
  read: readAttribute,
};

/** Categories of all worlds in the order of their creation, so that a parent comes before its children. */
export const categoryList: List<Category> = {
  select: 'SELECT * FROM categories',
  columns: { path: 'path', name: 'name', guid: 'guid' },
  order: 'seq',
  read: readCategory,
};

/** Selects the attributes of a category: those of all categories, its own, and those of the categories above it. */
export function ofCategory(guid: string): Clause {
  const sql = `(category IS NULL OR category IN (
    WITH RECURSIVE above (guid) AS (
      VALUES (?) UNION SELECT k.parent FROM above JOIN categories k ON k.guid = above.guid WHERE k.parent IS NOT NULL
    ) SELECT guid FROM above))`;
  return { sql, values: [guid] };
}

/** All attributes of a world, those of single categories included. */
export function readAttributes(database: Database, world: World): StoredAttribute[] {
  return selectAll(database, attributeList, { sql: 'world = ?', values: [world] });
}

function readAttribute(row: Row): StoredAttribute {
  return {
    guid: text(row, 'guid'),
    world: text(row, 'world') as World,
    apiName: text(row, 'api_name'),
    name: text(row, 'name'),
    fieldType: text(row, 'field_type') as FieldType,
    custom: flag(row, 'custom'),
    required: flag(row, 'required'),
    multiSelect: flag(row, 'multi_select'),
    maxLength: row.max_length === null ? null : number(row, 'max_length'),
    possibleValues: JSON.parse(text(row, 'possible_values')) as string[],
    category: textOrNull(row, 'category'),
    origin: row.origin === null ? null : (JSON.parse(text(row, 'origin')) as StoredAttribute['origin']),
  };
}

function readCategory(row: Row): Category {
  return {
    guid: text(row, 'guid'),
    world: text(row, 'world') as CategoryWorld,
    name: text(row, 'name'),
    path: text(row, 'path'),
    parent: row.parent === null ? null : text(row, 'parent'),
    level: number(row, 'level'),
    structural: flag(row, 'structural'),
    systemDefined: flag(row, 'system_defined'),
    numberFormat: textOrNull(row, 'number_format'),
    created: text(row, 'created'),
  };
}

/** Stores an attribute; SQLite refuses a name that its world already has. */
export function insertAttribute(database: Database, attribute: Attribute): void {
  database.run(
    `INSERT INTO attributes (guid, world, api_name, name, field_type, custom, required, multi_select, max_length,
     possible_values, category) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    attribute.guid,
    attribute.world,
    attribute.apiName,
    attribute.name,
    attribute.fieldType,
    Number(attribute.custom),
    Number(attribute.required),
    Number(attribute.multiSelect),
    attribute.maxLength,
    JSON.stringify(attribute.possibleValues),
    attribute.category,
  );
}

/** Deletes only the attribute: the values that objects have for it stay stored, but are no longer shown. */
export function deleteAttribute(database: Database, guid: string): void {
  database.run('DELETE FROM attributes WHERE guid = ?', guid);
}

/** Stores a category; SQLite refuses a path that its world already has. */
export function insertCategory(database: Database, category: Category): void {
  database.run(
    `INSERT INTO categories (guid, world, name, path, parent, level, structural, system_defined, number_format, created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    category.guid,
    category.world,
    category.name,
    category.path,
    category.parent,
    category.level,
    Number(category.structural),
    Number(category.systemDefined),
    category.numberFormat,
    category.created,
  );
}
