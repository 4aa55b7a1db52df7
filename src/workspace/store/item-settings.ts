import type { Database } from './database.js';
import type { Row } from './driver.js';
import { flag, type List, number, selectAll, text } from './select.js';

/** The two worlds of attributes that the workspace has: those of items and those of BOM lines. */
export type World = 'ITEMS' | 'BOM';

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

export type FieldType = (typeof FIELD_TYPES)[number];

export interface Attribute {
  readonly guid: string;
  readonly world: World;
  /** Of a custom attribute its GUID (interface 2.4). */
  readonly apiName: string;
  readonly name: string;
  readonly fieldType: FieldType;
  readonly custom: boolean;
  readonly required: boolean;
  readonly multiSelect: boolean;
  readonly maxLength: number | null;
  readonly possibleValues: readonly string[];
}

export interface Category {
  readonly guid: string;
  readonly name: string;
  readonly path: string;
  readonly parent: string | null;
  readonly level: number;
  readonly structural: boolean;
  readonly systemDefined: boolean;
  readonly created: string;
}

export interface LifecyclePhase {
  readonly guid: string;
  readonly name: string;
  readonly shortName: string;
  readonly stage: string;
  readonly type: string;
}

export const attributeList: List<Attribute> = {
  select: 'SELECT * FROM attributes',
  columns: { name: 'name', guid: 'guid', fieldType: 'field_type' },
  order: 'seq',
  read: readAttribute,
};

export const categoryList: List<Category> = {
  select: 'SELECT * FROM categories',
  columns: { path: 'path', name: 'name', guid: 'guid' },
  order: 'seq',
  read: readCategory,
};

export const lifecyclePhaseList: List<LifecyclePhase> = {
  select: 'SELECT * FROM lifecycle_phases',
  columns: { name: 'name', guid: 'guid' },
  order: 'seq',
  read: (row) => ({
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    shortName: text(row, 'short_name'),
    stage: text(row, 'stage'),
    type: text(row, 'type'),
  }),
};

export function attributesOf(database: Database, world: World): Attribute[] {
  return selectAll(database, attributeList, { sql: 'world = ?', values: [world] });
}

function readAttribute(row: Row): Attribute {
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
  };
}

function readCategory(row: Row): Category {
  return {
    guid: text(row, 'guid'),
    name: text(row, 'name'),
    path: text(row, 'path'),
    parent: row.parent === null ? null : text(row, 'parent'),
    level: number(row, 'level'),
    structural: flag(row, 'structural'),
    systemDefined: flag(row, 'system_defined'),
    created: text(row, 'created'),
  };
}

export function insertAttribute(database: Database, attribute: Attribute): void {
  database.run(
    `INSERT INTO attributes (guid, world, api_name, name, field_type, custom, required, multi_select, max_length,
     possible_values) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
  );
}

export function deleteAttribute(database: Database, guid: string): void {
  database.run('DELETE FROM attributes WHERE guid = ?', guid);
}

export function insertCategory(database: Database, category: Category): void {
  database.run(
    `INSERT INTO categories (guid, name, path, parent, level, structural, system_defined, created)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    category.guid,
    category.name,
    category.path,
    category.parent,
    category.level,
    Number(category.structural),
    Number(category.systemDefined),
    category.created,
  );
}

export function insertLifecyclePhase(database: Database, phase: LifecyclePhase): void {
  database.run(
    'INSERT INTO lifecycle_phases (guid, name, short_name, stage, type) VALUES (?, ?, ?, ?, ?)',
    phase.guid,
    phase.name,
    phase.shortName,
    phase.stage,
    phase.type,
  );
}
