import type { Database } from '../../store/database.js';
import type { PlacedItem } from '../../store/item-pages.js';
import { readAttributes } from '../../store/item-settings.js';
import { bomList, type ListedLine } from '../../store/items.js';
import { selectAll } from '../../store/select.js';
import { itemFields, type Names } from '../criteria/item-fields.js';
import type { Cell, Table, TableColumn } from './table.js';

/** Items that are read again with every call, since several tables iterate over them. */
export type Items = () => Iterable<PlacedItem>;

/** The depth to which BOM lines are followed (wire-facts 5.1, "bomLevels"). */
export type Levels = 'NONE' | 'SINGLE' | 'FULL';

/** Builds a table of items with their fields. */
export function itemTable(name: string, items: Items, names: Names, custom: 'with custom' | 'standard only'): Table {
  const fields = itemFields(names).filter((field) => custom === 'with custom' || !field.custom);
  return {
    name,
    columns: fields,
    *rows() {
      for (const item of items()) yield fields.map((field) => field.read(item));
    },
  };
}

/** Builds a table of the custom attributes of items, with a row for each value. */
export function attributeTable(name: string, items: Items, names: Names): Table {
  const columns = [
    { apiName: 'guid', name: 'Item GUID' },
    { apiName: 'number', name: 'Item Number' },
    { apiName: 'attribute.guid', name: 'Attribute GUID' },
    { apiName: 'attribute.name', name: 'Attribute Name' },
    { apiName: 'value', name: 'Value' },
  ];
  return {
    name,
    columns,
    *rows() {
      for (const item of items()) {
        for (const { guid, name: attribute } of names.attributes) {
          const value = item.additional[guid];
          if (value !== undefined) yield [item.guid, item.number, guid, attribute, value];
        }
      }
    },
  };
}

const LINE_COLUMNS: readonly (TableColumn & { readonly read: (line: PlacedLine) => Cell })[] = [
  { apiName: 'level', name: 'Level', read: ({ level }) => level },
  { apiName: 'guid', name: 'Parent Item GUID', read: ({ parent }) => parent.guid },
  { apiName: 'number', name: 'Parent Item Number', read: ({ parent }) => parent.number },
  { apiName: 'item.guid', name: 'Item GUID', read: ({ line }) => line.item.guid },
  { apiName: 'item.number', name: 'Item Number', read: ({ line }) => line.item.number },
  { apiName: 'item.name', name: 'Item Name', read: ({ line }) => line.item.name },
  { apiName: 'lineNumber', name: 'Line Number', read: ({ line }) => line.lineNumber },
  { apiName: 'quantity', name: 'Quantity', read: ({ line }) => line.quantity },
  { apiName: 'refDes', name: 'Reference Designators', read: ({ line }) => line.refDes },
  { apiName: 'notes', name: 'Notes', read: ({ line }) => line.notes },
];

interface Parent {
  readonly guid: string;
  readonly number: string;
}

interface PlacedLine {
  readonly level: number;
  readonly parent: Parent;
  readonly line: ListedLine;
}

/** Builds a table of BOM lines with their parents; a line below level 1 follows the line whose item it is part of. */
export function bomTable(name: string, database: Database, items: Items, levels: Levels): Table {
  const custom = readAttributes(database, 'BOM').filter((attribute) => attribute.custom);
  const customColumns = custom.map((attribute) => ({ apiName: attribute.guid, name: attribute.name }));
  const cells = (placed: PlacedLine): Cell[] => [
    ...LINE_COLUMNS.map((column) => column.read(placed)),
    ...custom.map(({ guid }) => placed.line.additional[guid] ?? null),
  ];
  return {
    name,
    columns: [...LINE_COLUMNS, ...customColumns],
    *rows() {
      if (levels === 'NONE') return;
      for (const item of items()) {
        for (const line of linesBelow(database, item, 1, levels)) yield cells(line);
      }
    },
  };
}

/** Yields the lines below a parent. No item contains itself, so the recursion ends. */
function* linesBelow(database: Database, parent: Parent, level: number, levels: Levels): Generator<PlacedLine> {
  for (const line of selectAll(database, bomList, { sql: 'b.parent = ?', values: [parent.guid] })) {
    yield { level, parent, line };
    if (levels === 'FULL') yield* linesBelow(database, line.item, level + 1, levels);
  }
}
