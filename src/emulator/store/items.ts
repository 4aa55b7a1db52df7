import type { Row, SqlValue } from '#base/sqlite/sqlite.js';
import type { Database } from './database.js';
import { type List, text, textOrNull } from './select.js';

/** A value as JSON has it: dates are texts in Zulu time, several choices an array. */
export type FieldValue = string | number | boolean | readonly string[];

/** Values by field or attribute name; a field without a value is not in it. */
export type FieldValues = Readonly<Record<string, FieldValue>>;

/** A stored item, with other objects by GUID. */
export interface ItemRecord {
  readonly guid: string;
  readonly number: string;
  readonly name: string;
  readonly description: string | null;
  readonly category: string;
  readonly phase: string;
  readonly owner: string;
  /** The further standard fields, by apiName. */
  readonly fields: FieldValues;
  /** The custom attributes, by GUID. */
  readonly additional: FieldValues;
  readonly created: string;
  readonly creator: string;
  readonly modified: string | null;
}

/** A stored line of a BOM. */
export interface BomLineRecord {
  readonly guid: string;
  readonly parent: string;
  readonly child: string;
  readonly lineNumber: number | null;
  readonly quantity: number;
  readonly refDes: string | null;
  readonly notes: string | null;
  readonly additional: FieldValues;
}

/**
 * The columns that items and their drafts share, in the order of {@link itemValues}, without the lock, which imports do
 * not change.
 */
export const ITEM_COLUMNS =
  'guid, number, name, description, category, phase, owner, fields, additional, created, creator, modified';

/** The columns that BOM lines and their drafts share, in the order of {@link bomLineValues}. */
export const BOM_LINE_COLUMNS = 'guid, parent, child, line_number, quantity, ref_des, notes, additional';

/** The values of an item in the order of {@link ITEM_COLUMNS}. */
export function itemValues(item: ItemRecord): SqlValue[] {
  return [
    item.guid,
    item.number,
    item.name,
    item.description,
    item.category,
    item.phase,
    item.owner,
    JSON.stringify(item.fields),
    JSON.stringify(item.additional),
    item.created,
    item.creator,
    item.modified,
  ];
}

/** Reads an item from a row that has {@link ITEM_COLUMNS}. */
export function readItem(row: Row): ItemRecord {
  return {
    guid: text(row, 'guid'),
    number: text(row, 'number'),
    name: text(row, 'name'),
    description: textOrNull(row, 'description'),
    category: text(row, 'category'),
    phase: text(row, 'phase'),
    owner: text(row, 'owner'),
    fields: JSON.parse(text(row, 'fields')) as FieldValues,
    additional: JSON.parse(text(row, 'additional')) as FieldValues,
    created: text(row, 'created'),
    creator: text(row, 'creator'),
    modified: textOrNull(row, 'modified'),
  };
}

/** The values of a line in the order of {@link BOM_LINE_COLUMNS}. */
export function bomLineValues(line: BomLineRecord): SqlValue[] {
  const { guid, parent, child, lineNumber, quantity, refDes, notes, additional } = line;
  return [guid, parent, child, lineNumber, quantity, refDes, notes, JSON.stringify(additional)];
}

/** Reads a line from a row that has {@link BOM_LINE_COLUMNS}. */
export function readBomLine(row: Row): BomLineRecord {
  return {
    guid: text(row, 'guid'),
    parent: text(row, 'parent'),
    child: text(row, 'child'),
    lineNumber: row.line_number === null ? null : Number(row.line_number),
    quantity: Number(row.quantity),
    refDes: textOrNull(row, 'ref_des'),
    notes: textOrNull(row, 'notes'),
    additional: JSON.parse(text(row, 'additional')) as FieldValues,
  };
}

/** Stores a new item, unlocked and without checks: the caller has checked its number. */
export function insertItem(database: Database, item: ItemRecord): void {
  database.run(`INSERT INTO items (${ITEM_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, ...itemValues(item));
}

/** Locks or unlocks an item. */
export function setLocked(database: Database, guid: string, locked: boolean): void {
  database.run('UPDATE items SET locked = ? WHERE guid = ?', Number(locked), guid);
}

/** A BOM line with its child. */
export interface ListedLine extends BomLineRecord {
  readonly item: { readonly guid: string; readonly number: string; readonly name: string };
}

/** BOM lines with their children, in the order of their creation. */
export const bomList: List<ListedLine> = {
  select: `SELECT b.*, i.guid AS item_guid, i.number AS item_number, i.name AS item_name
    FROM bom_lines b JOIN items i ON i.guid = b.child`,
  columns: {},
  order: 'b.seq',
  read: (row) => ({
    ...readBomLine(row),
    item: { guid: text(row, 'item_guid'), number: text(row, 'item_number'), name: text(row, 'item_name') },
  }),
};
